"""Verification: is a local copy the collection that its card describes?"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from keywright.core.documents import Document
from keywright.core.errors import WrongFingerprint
from keywright.core.gold import LabelledDocument
from keywright.datasets.card import Card, GoldCount, Split
from keywright.datasets.data_folders import files_at, files_of
from keywright.datasets.files import Files
from keywright.datasets.fingerprint import combined, record_digest
from keywright.datasets.naming import named
from keywright.datasets.reader import reader


@dataclass(frozen=True, slots=True)
class Verification:
    """What one split of a copy holds, beside what its card says.

    Attributes:
        name: such as ``semeval2010/test``.
        forms: how the gold is written.
        expected: fingerprint of the card.
        found: fingerprint of the copy.
        documents: how many were found.
        gold: entries and forms found, by kind.
    """

    name: str
    forms: str
    expected: str
    found: str
    documents: int
    gold: Mapping[str, GoldCount]

    @property
    def ok(self) -> bool:
        """Whether the copy holds the very records of the card."""
        return self.expected == self.found


def verify(name: str, mirror: Path | None = None, place: Path | None = None) -> tuple[Verification, ...]:
    """Compare a copy with its card, split by split; a difference is told in the answer, it is no error here.

    Args:
        name: of a collection, for all its splits, or of one split.
        mirror: folder of data sets to look into first.
        place: folder or archive of the copy itself, wherever it lies.

    Raises:
        UnknownName: no such collection or split.
        MissingData: there is no copy.
        UnreadableInput: a file of the copy is damaged or missing.
    """
    card, chosen = named(name)
    splits = tuple(card.splits.values()) if chosen is None else (chosen,)
    return verify_splits(card, splits, files_at(card, place) if place else files_of(card, mirror))


def verify_splits(card: Card, splits: Iterable[Split], files: Files) -> tuple[Verification, ...]:
    """Compare some splits of a copy with a card."""
    read = reader(card)
    return tuple(
        _compared(f"{card.name}/{split.name}", forms, expected, read(files, split.name, forms))
        for split in splits
        for forms, expected in split.fingerprints.items()
    )


def demand(verifications: tuple[Verification, ...]) -> None:
    """Raise at the first difference.

    Raises:
        WrongFingerprint: a copy is not what its card says; the message holds both fingerprints.
    """
    for one in verifications:
        if not one.ok:
            raise WrongFingerprint(
                f"{one.name} ({one.forms}) has fingerprint {one.found}, its card says {one.expected}",
                f"{one.documents} documents were found; get another copy: `keywright datasets show "
                f"{one.name.partition('/')[0]}` says where from",
            )


def _compared(name: str, forms: str, expected: str, labelled: Iterator[LabelledDocument[Document]]) -> Verification:
    digests: dict[str, str] = {}
    entries: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    for one in labelled:
        digests[one.id] = record_digest(one)
        for gold in one.gold:
            entries[gold.by] += 1
            accepted[gold.by] += len(gold.forms)
    counts = {kind: GoldCount(entries[kind], accepted[kind]) for kind in entries}
    return Verification(name, forms, expected, combined(digests), len(digests), counts)
