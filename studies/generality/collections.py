"""Collections of the study, each with the training data that is left out with it; no test split is among them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from keywright.core.documents import Document, LabelledDocument, Style
from keywright.core.errors import BadParameter, unknown_name
from keywright.datasets.collection import load
from studies.everyday.study import OPEN
from studies.training_data.examples import as_plain_text

Family: TypeAlias = Mapping[str, tuple[str, ...]]
"""Collections by name, with the values of ``source`` that are meant; none for the whole collection."""
Labelled: TypeAlias = tuple[LabelledDocument[Document], ...]

KEYWORD_LISTS: Final = re.compile(r"palabras?\s+claves?|key\s?words", re.IGNORECASE)
"""Beginnings of authors' lists of keywords in Spanish and English."""


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection that is left out.

    Attributes:
        name: in tables.
        data: data sets, or a JSON Lines file.
        gold: kind of gold.
        style: style of the default that is nearest to the gold.
        most: maximum number of documents, a fixed sample; None for all.
        family: training data that goes with it.
        source: value of ``source`` of the documents; empty for all.
        lists: False leaves out documents that print a list of keywords, which are the gold.
    """

    name: str
    data: tuple[str, ...]
    gold: str
    style: Style
    most: int | None
    family: Family
    source: str = ""
    lists: bool = True


def _whole(*names: str) -> Family:
    return MappingProxyType(dict.fromkeys(names, ()))


_THESES: Final = MappingProxyType({"papyrus_fr": (), "train_mix": ("papyrus",)})
"""The theses of one university, whose English and French records are of the same theses."""

COLLECTIONS: Final = (
    Collection("semeval2010", ("semeval2010/train",), "combined", Style.READER, None, _whole("semeval2010")),
    Collection("nus", ("nus/train",), "combined", Style.READER, None, _whole("nus")),
    Collection(
        "krapivin2009",
        ("krapivin2009/train",),
        "author",
        Style.AUTHOR,
        150,
        MappingProxyType({"krapivin2009": (), "train_mix": ("krapivin2009",)}),
    ),
    Collection("schutz2008", ("schutz2008/train",), "author", Style.AUTHOR, 150, _whole("schutz2008")),
    Collection("news500n", ("news500n/train",), "crowd", Style.READER, 150, _whole("news500n")),
    Collection("semeval2017", ("semeval2017/train",), "annotator", Style.INDEXER, 150, _whole("semeval2017")),
    Collection(
        "inspec",
        ("inspec/train", "inspec/validation"),
        "uncontr",
        Style.INDEXER,
        200,
        MappingProxyType({"inspec": (), "train_mix": ("inspec",)}),
    ),
    Collection(
        "conferences",
        ("train_mix/author",),
        "author",
        Style.AUTHOR,
        100,
        MappingProxyType({"train_mix": ("paperlists",)}),
        source="paperlists",
    ),
    Collection("theses", ("train_mix/author",), "author", Style.AUTHOR, 100, _THESES, source="papyrus"),
    Collection("citeulike_tags", ("citeulike_tags/train",), "tag", Style.SUBJECT, None, _whole("citeulike_tags")),
    Collection("fao_agrovoc", ("fao_agrovoc/train",), "descriptor", Style.SUBJECT, 150, _whole("fao_agrovoc")),
    Collection("pubmed_mesh", ("pubmed_mesh/train",), "descriptor", Style.SUBJECT, 120, _whole("pubmed_mesh")),
    Collection("wicc_es", ("wicc_es/train",), "author", Style.AUTHOR, 200, _whole("wicc_es"), lists=False),
    Collection("papyrus_fr", ("papyrus_fr/train",), "author", Style.AUTHOR, 150, _THESES),
    Collection("everyday", (str(OPEN),), "author", Style.READER, None, MappingProxyType({})),
)
"""In the order of the tables: papers, shorter texts, other domains, other languages. Sizes are arbitrary."""


def collection(name: str) -> Collection:
    """Return a collection by name.

    Raises:
        UnknownName: it is not in the study.
    """
    for part in COLLECTIONS:
        if part.name == name:
            return part
    names = [part.name for part in COLLECTIONS]
    raise unknown_name("collection of the study", name, names, "python -m studies generality")


@lru_cache(maxsize=2)
def documents(part: str, mirror: Path | None = None) -> Labelled:
    """Return the documents of a collection's sample as plain texts, with the gold that is scored.

    Raises:
        BadParameter: the gold is for reporting only.
        MissingData: the collection is not on this machine.
    """
    return sample(collection(part), whole(collection(part), mirror))


def whole(part: Collection, mirror: Path | None = None) -> Labelled:
    """Return all documents of a collection that have gold of its kind, as the collection has them."""
    chosen = []
    for name in part.data:
        data = load(name, mirror)
        if data.held_out:
            raise BadParameter(f"the gold of {name} is for reporting only", "leave another split out")
        for labelled in data:
            gold = tuple(entry for entry in labelled.gold if entry.by == part.gold)
            if gold and part.source in {"", labelled.document.meta.get("source")}:
                chosen.append(LabelledDocument(labelled.document, gold))
    return tuple(chosen)


def sample(part: Collection, labelled: Iterable[LabelledDocument[Document]]) -> Labelled:
    """Return a fixed sample of a collection's documents as plain texts.

    Documents are ordered by SHA-256 of their ids, which has nothing to do with them, and the first are taken.
    """
    usable = [paper for paper in labelled if part.lists or not KEYWORD_LISTS.search(paper.document.text)]
    usable.sort(key=lambda paper: sha256(paper.id.encode()).hexdigest())
    return tuple(LabelledDocument(as_plain_text(paper.document), paper.gold) for paper in usable[: part.most])
