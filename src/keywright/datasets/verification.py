"""Verification: is a local copy the collection that its card describes?"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import WrongFingerprint
from keywright.datasets.card import Card, GoldCount, Split, named
from keywright.datasets.collection import reader
from keywright.datasets.data_folders import files_at, files_of
from keywright.datasets.files import Files
from keywright.datasets.fingerprint import combined, record_digest


@dataclass(frozen=True, slots=True)
class Verification:
    """One split of a copy, compared with its card.

    Attributes:
        name: name, such as ``semeval2010/test``.
        expected: fingerprint of the card.
        computed: fingerprint of the copy.
        gold: number of entries and forms in the copy, by kind.
    """

    name: str
    forms: str
    expected: str
    computed: str
    documents: int
    gold: Mapping[str, GoldCount]

    @property
    def ok(self) -> bool:
        """True if the copy has the records of the card."""
        return self.expected == self.computed


def verify(name: str, mirror: Path | None = None, place: Path | None = None) -> tuple[Verification, ...]:
    """Compare a copy with its card, split by split; a difference is in the result, not an error."""
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
    """Raise an error for the first difference."""
    for split in verifications:
        if not split.ok:
            raise WrongFingerprint(
                f"{split.name} ({split.forms}) has fingerprint {split.computed}, its card says {split.expected}",
                f"{split.documents} documents were found; get another copy: `keywright datasets show "
                f"{split.name.partition('/')[0]}` names the sources",
            )


def _compared(name: str, forms: str, expected: str, labelled: Iterator[LabelledDocument[Document]]) -> Verification:
    digests: dict[str, str] = {}
    entries: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    for each in labelled:
        digests[each.id] = record_digest(each)
        for gold in each.gold:
            entries[gold.by] += 1
            accepted[gold.by] += len(gold.forms)
    counts = {kind: GoldCount(entries[kind], accepted[kind]) for kind in entries}
    return Verification(name, forms, expected, combined(digests), len(digests), counts)
