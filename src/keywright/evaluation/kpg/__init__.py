"""Scorers of keyphrase generation that read parallel line files: sources, targets, predictions."""
