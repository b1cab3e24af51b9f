"""Scores to predictions."""
