"""Whose keyphrases are wanted: people choose differently for different ends."""

import enum


class Style(enum.StrEnum):
    """How people chose keyphrases: few and general, what a reader marks, or all that an index wants."""

    AUTHOR = "author"
    READER = "reader"
    INDEXER = "indexer"
