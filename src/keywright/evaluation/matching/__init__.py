"""Matching of predicted and gold phrases: exact, approximate, or as a part."""
