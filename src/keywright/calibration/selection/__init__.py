"""Thresholds on probabilities, and guarantees about the precision or recall of what passes them."""
