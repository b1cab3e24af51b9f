"""Generators of keyphrases, one file per architecture."""
