"""Measures of calibration, with bootstrap intervals: ECE and its variants, proper scores, discrimination."""
