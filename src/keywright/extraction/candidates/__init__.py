"""Analysed documents to candidates."""
