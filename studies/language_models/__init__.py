"""Stored lists of language models beside the default: quality, combination, calibration."""
