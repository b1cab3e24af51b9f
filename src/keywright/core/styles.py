"""Styles of keyphrases: people choose differently for different ends."""

import enum


class Style(enum.StrEnum):
    """Choices of people to imitate: authors choose few and general phrases, readers mark some, indexers take all."""

    AUTHOR = "author"
    READER = "reader"
    INDEXER = "indexer"
