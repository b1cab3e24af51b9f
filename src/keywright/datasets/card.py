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
    """Terms of use of a collection."""

    spdx: str  # identifier of the SPDX list; ``NOASSERTION`` if no licence was stated
    note: str  # the statement, and its meaning for use
    redistributable: bool  # whether a package or a service may redistribute the texts


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a collection, or of a part; an archive that is packed anew for each download has no hash."""

    what: str
    repository: str  # address for people
    commit: str
    folder: str  # folder in the repository; other folders of a downloaded archive are ignored
    url: str = ""  # download address; empty if there are only instructions in words
    saved_as: str = ""
    sha256: str = ""  # hash of the downloaded file, or empty


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file of the copy from which the card was written; other packings are accepted."""

    path: str  # in the collection's folder
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class GoldCount:
    """Number of entries of one kind of gold, and of the accepted forms of all entries."""

    entries: int
    forms: int


@dataclass(frozen=True, slots=True)
class Split:
    """A part of a collection."""

    name: str  # as in ``semeval2010/test``
    note: str  # origin of the split, or a remark; may be empty
    documents: int
    held_out: bool  # whether the gold is for reporting only, never for training or choosing parameters
    gold: Mapping[str, GoldCount]  # counts by kind
    fingerprints: Mapping[str, str]  # by the form of the gold (``Card.forms``); see ``keywright.datasets.collection``


@dataclass(frozen=True, slots=True)
class Records:
    """Layout of JSON Lines: ``where`` selects a split's records, ``inverted`` headings (*Genome, Human*) are turned."""

    files: Mapping[str, str]  # file of each split, without the ending of a packed one (``.gz``, ``.zst``)
    keyphrases: Mapping[str, str]  # key of the gold in a record, by the form of the gold
    kind: str = ""  # key of the kind of gold in a record; empty if the card or the split has a single kind
    kinds: Mapping[str, str] = field(default_factory=dict)  # kind of gold of each split, where they differ
    where: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    replace: Sequence[tuple[str, str]] = ()  # regular expressions with replacements, for marks that texts came with
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A collection."""

    name: str  # on the command line
    title: str
    paper: str
    language: str  # ISO 639-1 code, or mul for several
    unit: str  # kind of document, such as a paper
    licence: Licence
    reader: str  # ``module:function``
    forms: tuple[str, ...]  # forms of the gold, the usual one first (``stem``, ``lemma``, ``surface``)
    whole: tuple[str, ...]  # splits that make up the collection without overlap
    gold: Mapping[str, str]  # description of each kind of gold
    sources: tuple[Source, ...]
    instructions: str  # how to get it by hand
    files: tuple[KnownFile, ...]  # files of a complete copy
    splits: Mapping[str, Split]
    problems: tuple[str, ...]  # known defects, and how the reader handles them
    folder: str = ""  # if not of its own name: several small collections may share one
    records: Records | None = None  # None for original formats

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
    return read_card(files("keywright.datasets").joinpath("cards", f"{name}.toml").read_text(encoding="utf-8"))


def read_card(text: str) -> Card:
    """Return a card from its TOML text; unknown or missing keys raise ``TypeError``."""
    fields: dict[str, Any] = tomllib.loads(text)
    splits: dict[str, Split] = {}
    try:
        for name, split in fields["splits"].items():
            gold = MappingProxyType({kind: GoldCount(**count) for kind, count in split["gold"].items()})
            read = {"gold": gold, "fingerprints": MappingProxyType(split["fingerprints"])}
            splits[name] = Split(**{"name": name, "note": "", **split, **read})
        parts = {
            "licence": Licence(**fields["licence"]),
            "gold": MappingProxyType(fields["gold"]),
            "sources": tuple(Source(**source) for source in fields["sources"]),
            "files": tuple(KnownFile(**file) for file in fields["files"]),
            "splits": MappingProxyType(splits),
            "records": Records(**fields["records"]) if "records" in fields else None,
        }
        parts |= {name: tuple(fields[name]) for name in ("forms", "whole", "problems")}
    except KeyError as error:
        raise TypeError(f"the card has no key {error}") from None
    return Card(**{**fields, **parts})


def find_card(name: str) -> tuple[Card, Split | None]:
    """Return the card of a collection, and the split if the name has one."""
    collection, slash, split = name.partition("/")
    collection_card = card(collection)
    return collection_card, collection_card.split(split) if slash else None
