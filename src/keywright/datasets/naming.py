"""Names of data sets: ``semeval2010`` is a collection, ``semeval2010/test`` one of its splits."""

from keywright.datasets.card import Card, Split, card


def named(name: str) -> tuple[Card, Split | None]:
    """Return the card of a collection, and the split if the name has one."""
    collection, slash, split = name.partition("/")
    collection_card = card(collection)
    return collection_card, collection_card.split(split) if slash else None
