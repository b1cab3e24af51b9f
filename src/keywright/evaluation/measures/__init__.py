"""Measures of one document and their means: precision, recall, F1, ranked, semantic and diversity measures."""
