"""Scores to rankings: order, ties, shortlists, list lengths and redundancy."""
