"""Calibration: whether of a hundred phrases given 30 percent about thirty are keyphrases, and how to make it so."""
