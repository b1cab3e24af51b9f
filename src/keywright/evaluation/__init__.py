"""Scores: a function of predictions and gold, named by a protocol."""
