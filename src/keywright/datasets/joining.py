"""Texts and gold that lie in different files, brought together in a fixed order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from keywright.core.errors import BrokenFile
from keywright.core.gold import GoldKeyphrase

Gold = tuple[GoldKeyphrase, ...]


def joined(
    texts: Iterable[tuple[str, str]], gold: Mapping[str, Gold], order: Sequence[str]
) -> Iterator[tuple[str, str, Gold]]:
    """Id, text and gold of each wanted document, in the given order, as soon as its turn has come.

    A text that comes before its turn waits in memory; archives hold their files in order, so few ever wait.

    Args:
        texts: ids and texts as the files give them, in any order.
        gold: of every document of the collection.
        order: ids of the wanted documents.

    Raises:
        BrokenFile: a document has a text and no gold, gold and no text, or two texts.
    """
    wanted, waiting, seen, turn = set(order), dict[str, str](), set[str](), 0
    for name, text in texts:
        if name not in gold:
            raise BrokenFile(f"document {name} has a text but no line or file of gold", "the copy is not whole")
        if name in seen:
            raise BrokenFile(f"document {name} comes twice", "keep one copy: the archive or the folder made from it")
        seen.add(name)
        if name in wanted:
            waiting[name] = text
        while turn < len(order) and order[turn] in waiting:
            current = order[turn]
            yield current, waiting.pop(current), gold[current]
            turn += 1
        if turn == len(order):
            return
    missing = sorted(wanted - seen)
    if missing:
        raise BrokenFile(
            f"{len(missing)} of {len(order)} documents have no text: {', '.join(missing[:5])}"
            + (" ..." if len(missing) > 5 else ""),  # noqa: PLR2004 - the five named just before
            "the copy is not whole; fetch it again",
        )
