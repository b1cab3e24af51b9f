"""Cards: data sheets of collections, as data."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from keywright.core.errors import unknown_name


@dataclass(frozen=True, slots=True)
class Licence:
    """Terms of use of a collection.

    ``redistributable``: whether a package or a service may redistribute the texts. ``spdx``: identifier of the SPDX
    list; ``NOASSERTION`` if no licence was stated; ``note``: the statement, and its meaning for use.
    """

    spdx: str
    note: str
    redistributable: bool


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a collection, or of a part of it.

    Attributes:
        repository: address for people.
        folder: folder in the repository; other folders of a downloaded archive are ignored.
        url: download address; empty if there are only instructions in words.
        sha256: of the downloaded file; empty if archives are packed anew for each download. The fingerprints of the
            splits are decisive in any case.
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
    """A file of the copy from which the card was written; other packings are accepted.

    Attributes:
        path: in the collection's folder.
    """

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class GoldCount:
    """Number of entries of one kind of gold, and of the accepted forms of all entries."""

    entries: int
    forms: int


@dataclass(frozen=True, slots=True)
class Split:
    """A part of a collection.

    Attributes:
        name: as in ``semeval2010/test``.
        note: origin of the split, or a remark; may be empty.
        held_out: whether the gold is for reporting only, never for training or choosing parameters.
        gold: counts by kind.
        fingerprints: by the way the gold is written (``Card.forms``); see ``keywright.datasets.collection``.
    """

    name: str
    note: str
    documents: int
    held_out: bool
    gold: Mapping[str, GoldCount]
    fingerprints: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Records:
    """Layout of a collection in JSON Lines files, for their reader.

    Attributes:
        files: file of each split, without the ending of a packed one (``.gz``, ``.zst``).
        keyphrases: key of the gold in a record, by the form of the gold.
        kind: key of the kind of gold in a record; empty if the card has a single kind.
        where: values of keys that select the records of a split from its file; other splits have all records.
        replace: regular expressions with their replacements, in order, for marks that texts were found with.
        inverted: whether headings are inverted at commas, as in *Genome, Human*; the turned form *Human Genome* is
            accepted as well.
    """

    files: Mapping[str, str]
    keyphrases: Mapping[str, str]
    kind: str = ""
    where: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    replace: Sequence[tuple[str, str]] = ()
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A collection.

    Attributes:
        name: name on the command line.
        language: ISO 639-1 code.
        unit: kind of document, such as a paper.
        reader: ``module:function``.
        forms: forms of the gold, the usual one first (``stem``, ``lemma``, ``surface``).
        whole: splits that make up the collection without overlap.
        gold: description of each kind of gold.
        instructions: how to get it by hand.
        files: files of a complete copy.
        problems: known defects, and how the reader handles them.
        folder: its folder, if not of its own name: several small collections may share one.
        records: layout in JSON Lines files; None for original formats.
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
        """Number of documents of the whole collection."""
        return sum(self.splits[name].documents for name in self.whole)

    @property
    def downloadable(self) -> bool:
        """True if ``fetch`` can download it."""
        return bool(self.sources) and all(source.url for source in self.sources)

    def split(self, name: str) -> Split:
        """Return a split by name."""
        if name not in self.splits:
            raise unknown_name(f"split of {self.name}", name, self.splits, f"keywright datasets show {self.name}")
        return self.splits[name]


@cache
def card_names() -> tuple[str, ...]:
    """Return the names of all collections that have a card, in alphabetical order."""
    cards = files("keywright.datasets").joinpath("cards").iterdir()
    return tuple(sorted(card.name.removesuffix(".toml") for card in cards if card.name.endswith(".toml")))


@cache
def card(name: str) -> Card:
    """Return the card of a collection."""
    if name not in card_names():
        raise unknown_name("data set", name, card_names(), "keywright datasets list")
    text = files("keywright.datasets").joinpath("cards", f"{name}.toml").read_text(encoding="utf-8")
    return read_card(text)


def read_card(text: str) -> Card:
    """Return a card from its TOML text; unknown or missing keys raise ``TypeError``."""
    fields: dict[str, Any] = tomllib.loads(text)
    try:
        parts = {
            "licence": Licence(**fields["licence"]),
            "gold": MappingProxyType(fields["gold"]),
            "sources": tuple(Source(**source) for source in fields["sources"]),
            "files": tuple(KnownFile(**file) for file in fields["files"]),
            "splits": MappingProxyType({name: _make_split(name, split) for name, split in fields["splits"].items()}),
            "records": Records(**fields["records"]) if "records" in fields else None,
        }
        parts |= {name: tuple(fields[name]) for name in ("forms", "whole", "problems")}
    except KeyError as error:
        raise TypeError(f"the card has no key {error}") from None
    return Card(**{**fields, **parts})


def _make_split(name: str, fields: Mapping[str, Any]) -> Split:
    counts = {kind: GoldCount(**count) for kind, count in fields["gold"].items()}
    read = {"gold": MappingProxyType(counts), "fingerprints": MappingProxyType(fields["fingerprints"])}
    return Split(**{"name": name, "note": "", **fields, **read})


def find_card(name: str) -> tuple[Card, Split | None]:
    """Return the card of a collection, and the split if the name has one."""
    collection, slash, split = name.partition("/")
    collection_card = card(collection)
    return collection_card, collection_card.split(split) if slash else None
