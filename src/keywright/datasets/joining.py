"""Texts and gold of different files, joined in a fixed order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from keywright.core.errors import BrokenFile
from keywright.core.gold import GoldKeyphrase

Gold = tuple[GoldKeyphrase, ...]

_NAMED: Final = 5
"""Missing documents that a message names; arbitrary."""


def joined(
    texts: Iterable[tuple[str, str]], gold: Mapping[str, Gold], order: Sequence[str]
) -> Iterator[tuple[str, str, Gold]]:
    """Yield id, text and gold of each wanted document, in a fixed order, as early as possible.

    A text before its turn is kept in memory; archives hold their files in order, so that few are.

    Args:
        texts: ids and texts, in any order.
        gold: gold of every document of the collection.
        order: ids of the wanted documents.

    Raises:
        BrokenFile: a document has a text and no gold, gold and no text, or two texts.
    """
    wanted, waiting, read, turn = set(order), dict[str, str](), set[str](), 0
    for name, text in texts:
        if name not in gold:
            raise BrokenFile(f"document {name} has a text but no line or file of gold", "the copy is incomplete")
        if name in read:
            raise BrokenFile(f"document {name} comes twice", "keep one copy: the archive or the folder made from it")
        read.add(name)
        if name in wanted:
            waiting[name] = text
        while turn < len(order) and order[turn] in waiting:
            current = order[turn]
            yield current, waiting.pop(current), gold[current]
            turn += 1
        if turn == len(order):
            return
    missing = sorted(wanted - read)
    if missing:
        names = ", ".join(missing[:_NAMED]) + (" ..." if len(missing) > _NAMED else "")
        raise BrokenFile(
            f"{len(missing)} of {len(order)} documents have no text: {names}",
            "the copy is incomplete; download it again",
        )
