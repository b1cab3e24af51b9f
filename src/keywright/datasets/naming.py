"""Names of data sets: ``semeval2010`` is a collection, ``semeval2010/test`` one of its splits."""

from keywright.datasets.card import Card, Split, card


def named(name: str) -> tuple[Card, Split | None]:
    """Card of a collection, and the split when the name has one.

    Raises:
        UnknownName: no such collection or split; the hint suggests one.
    """
    collection, slash, split = name.partition("/")
    found = card(collection)
    return found, found.split(split) if slash else None
