"""Loading data sets: by name, or from a labelled JSON Lines file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.gold import LabelledDocument
from keywright.datasets.card import Card, Split
from keywright.datasets.files import Files
from keywright.datasets.naming import named
from keywright.datasets.places import files_of
from keywright.datasets.reader import reader
from keywright.datasets.sectioning import sectioned


@dataclass(frozen=True, slots=True)
class DataSet:
    """Labelled documents of a collection that lies on this machine; each iteration reads them anew.

    Attributes:
        name: ``semeval2010/test``, or ``semeval2010`` for all its documents.
        card: of the collection.
        splits: what is iterated, one after the other.
        forms: how the gold is written.
        files: the copy that is read.
    """

    name: str
    card: Card
    splits: tuple[Split, ...]
    forms: str
    files: Files

    def __iter__(self) -> Iterator[LabelledDocument[Document]]:
        """Documents with sections, in the reader's order.

        Raises:
            UnreadableInput: a file of the copy is damaged or missing.
        """
        for split in self.splits:
            for labelled in reader(self.card)(self.files, split.name, self.forms):
                yield LabelledDocument(sectioned(labelled.document), labelled.gold)

    def __len__(self) -> int:
        """Number of documents, as the card says."""
        return sum(split.documents for split in self.splits)

    @property
    def held_out(self) -> bool:
        """Whether any of its gold is for reporting only."""
        return any(split.held_out for split in self.splits)

    @property
    def fingerprint(self) -> str:
        """Of the card, 64 hexadecimal digits; those of several splits stand one after the other, with a comma."""
        return ",".join(split.fingerprints[self.forms] for split in self.splits)

    @property
    def signature(self) -> str:
        """Identity of the data: name, forms, first digits of the fingerprints."""
        digits = ",".join(split.fingerprints[self.forms][:8] for split in self.splits)
        return f"{self.name}|forms:{self.forms}|fingerprint:{digits}"


def load(name: str, mirror: Path | None = None, forms: str | None = None) -> DataSet:
    """A collection or one of its splits.

    Args:
        name: such as ``inspec`` or ``inspec/test``.
        mirror: folder of data sets to look into first, in place of the one named by KEYWRIGHT_MIRROR.
        forms: how the gold is to be written, one of the card's ``forms``; None for the usual one.

    Raises:
        UnknownName: no such collection or split.
        MissingData: there is no copy on this machine.
        BadParameter: the gold is not written so.
    """
    card, chosen = named(name)
    splits = (chosen,) if chosen else tuple(card.splits[part] for part in card.whole)
    forms = forms or card.forms[0]
    for split in splits:
        if forms not in split.fingerprints:
            raise BadParameter(
                f"gold of {card.name}/{split.name} is not given as {forms!r}",
                f"expected one of: {', '.join(split.fingerprints)}",
            )
    return DataSet(name, card, splits, forms, files_of(card, mirror))
