"""Cards: what is known of a collection, as data."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from keywright.core.errors import unknown


@dataclass(frozen=True, slots=True)
class Licence:
    """Under what terms a collection may be used.

    Attributes:
        spdx: identifier of the SPDX list; ``NOASSERTION`` where nobody has stated a licence.
        note: what was stated, and what it means for use.
        redistributable: whether a package or a service may pass the texts on.
    """

    spdx: str
    note: str
    redistributable: bool


@dataclass(frozen=True, slots=True)
class Source:
    """Where a collection, or a part of it, comes from.

    Attributes:
        what: what is taken from there.
        repository: address people can look at.
        commit: the version it was taken at.
        folder: where it lies in the repository; other folders of a downloaded archive are not looked at.
        url: address to download from; empty where the way to get it can only be told in words.
        saved_as: name of the downloaded file.
        sha256: of the downloaded file; empty where archives are packed anew for each download. What decides then, and
            always, are the fingerprints of the splits.
    """

    what: str
    repository: str
    commit: str
    folder: str
    url: str = ""
    saved_as: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file of the copy from which the card was written; any other packing serves as well.

    Attributes:
        path: in the collection's folder.
        bytes: its size.
        sha256: its hash.
    """

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class GoldCount:
    """Gold of one kind: entries, and accepted forms of all entries together."""

    entries: int
    forms: int


@dataclass(frozen=True, slots=True)
class Split:
    """A part of a collection.

    Attributes:
        name: as in ``semeval2010/test``.
        note: how the split is made or what to know of it; may be empty.
        documents: how many.
        held_out: gold is for reporting only; nothing is ever trained or chosen on it.
        gold: counts by kind.
        fingerprints: by the way the gold is written (``Card.forms``); see ``keywright.datasets.fingerprint``.
    """

    name: str
    note: str
    documents: int
    held_out: bool
    gold: Mapping[str, GoldCount]
    fingerprints: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Records:
    """How a collection lies in JSON Lines files, for the reader of such files.

    Attributes:
        files: file of each split, without the ending of a packed one (``.gz``, ``.zst``).
        keyphrases: key of a record that holds its gold, by the way the gold is written.
        kind: key of a record that names its kind of gold; empty where all gold is of the card's only kind.
        where: values of keys that tell the records of a split from others in its file; splits that are not here have
            all records.
    """

    files: Mapping[str, str]
    keyphrases: Mapping[str, str]
    kind: str = ""
    where: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Card:
    """A collection.

    Attributes:
        name: as people type it.
        title: in full.
        paper: to be cited.
        language: ISO 639-1 code.
        unit: what one document is.
        licence: terms of use.
        reader: ``module:function``.
        forms: ways the gold is written, the usual one first (``stem``, ``lemma``, ``surface``).
        whole: the splits that make up the collection without overlap.
        gold: what each kind of gold is, by kind.
        sources: where it comes from.
        instructions: how to get it by hand.
        files: a copy known to be whole.
        splits: by name.
        problems: known defects, and what the reader does about them.
        folder: where it lies, if not in a folder of its own name: several small collections may share one.
        records: how it lies in JSON Lines files; None where the originals have a form of their own.
    """

    name: str
    title: str
    paper: str
    language: str
    unit: str
    licence: Licence
    reader: str
    forms: tuple[str, ...]
    whole: tuple[str, ...]
    gold: Mapping[str, str]
    sources: tuple[Source, ...]
    instructions: str
    files: tuple[KnownFile, ...]
    splits: Mapping[str, Split]
    problems: tuple[str, ...]
    folder: str = ""
    records: Records | None = None

    @property
    def documents(self) -> int:
        """Documents of the whole collection."""
        return sum(self.splits[name].documents for name in self.whole)

    @property
    def downloadable(self) -> bool:
        """Whether ``fetch`` can bring it."""
        return bool(self.sources) and all(source.url for source in self.sources)

    def split(self, name: str) -> Split:
        """A split by name.

        Raises:
            UnknownName: there is none of this name.
        """
        if name not in self.splits:
            raise unknown(f"split of {self.name}", name, self.splits, f"keywright datasets show {self.name}")
        return self.splits[name]


@cache
def card_names() -> tuple[str, ...]:
    """Names of all collections that have a card, in alphabetical order."""
    found = files("keywright.datasets").joinpath("cards").iterdir()
    return tuple(sorted(card.name.removesuffix(".toml") for card in found if card.name.endswith(".toml")))


@cache
def card(name: str) -> Card:
    """The card of a collection.

    Raises:
        UnknownName: no collection is called so.
    """
    if name not in card_names():
        raise unknown("data set", name, card_names(), "keywright datasets list")
    text = files("keywright.datasets").joinpath("cards", f"{name}.toml").read_text(encoding="utf-8")
    return read_card(text)


def read_card(text: str) -> Card:
    """A card from its TOML text; a key that a card does not have, or lacks, is a ``TypeError``."""
    fields: dict[str, Any] = tomllib.loads(text)
    return Card(
        **{
            **fields,
            "licence": Licence(**fields["licence"]),
            "forms": tuple(fields["forms"]),
            "whole": tuple(fields["whole"]),
            "gold": MappingProxyType(fields["gold"]),
            "sources": tuple(Source(**source) for source in fields["sources"]),
            "files": tuple(KnownFile(**file) for file in fields["files"]),
            "splits": MappingProxyType({name: _split(name, split) for name, split in fields["splits"].items()}),
            "problems": tuple(fields["problems"]),
            "records": Records(**fields["records"]) if "records" in fields else None,
        }
    )


def _split(name: str, fields: Mapping[str, Any]) -> Split:
    counts = {kind: GoldCount(**count) for kind, count in fields["gold"].items()}
    read = {"gold": MappingProxyType(counts), "fingerprints": MappingProxyType(fields["fingerprints"])}
    return Split(**{"name": name, "note": "", **fields, **read})
