"""Calibrators: maps from the columns of a ranked list to the probability that each phrase is a keyphrase."""
