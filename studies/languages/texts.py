"""Texts whose language is known, and the rows of the study."""

import json
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from keywright.core.documents import Document
from keywright.core.errors import MissingData
from keywright.core.zstandard import zstd
from keywright.datasets.collection import load
from keywright.datasets.files import mirror_folder
from keywright.experiments.study import TableRow

LENGTHS: Final = (20, 50, 100, 300, 1000, 2000)  # characters of the parts of the declaration
DECLARATION: Final = "declaration"  # group of its parts

_PARTS: Final = 20
"""Parts of each length and language; arbitrary. The standard error over 42 languages is below 1.7 %."""
_DOCUMENTS: Final = 200  # documents of each collection, at most; arbitrary
_LONGEST: Final = 20_000  # characters of a document; no identifier here reads more
_SEED: Final = 20261122  # arbitrary
_UNSPACED: Final = frozenset({"ja", "th", "zh"})
_CAPITALS: Final = 10  # letters of a line in capitals, at least; arbitrary


class Sample(NamedTuple):
    """A text whose language is known.

    Attributes:
        group: kind of text.
        length: in characters, for parts of the declaration; None for others.
        language: ISO 639-1 code.
        text: itself.
    """

    group: str
    length: int | None
    language: str
    text: str


def samples(mirror: Path | None = None) -> tuple[Sample, ...]:
    """Return all texts, the same in each call.

    Raises:
        MissingData: the collections are not on this machine.
    """
    chance = np.random.Generator(np.random.PCG64(_SEED))
    every = (*_declaration(chance, mirror), *_english(chance, mirror), *_programs(), *_others(chance, mirror))
    return tuple(sample for sample in every if sample.text.strip())


def _declaration(chance: np.random.Generator, mirror: Path | None) -> Iterator[Sample]:
    """Yield parts of the Universal Declaration of Human Rights that begin with a word."""
    for record in _records("languages/udhr.jsonl.zst", mirror):
        language, text = record["language"], "\n".join(record["paragraphs"])
        begins = [at for at in range(len(text)) if at == 0 or language in _UNSPACED or text[at - 1].isspace()]
        for length in LENGTHS:
            possible = [at for at in begins if at + length <= len(text)]
            for at in _some(chance, possible, _PARTS):
                yield Sample(DECLARATION, length, language, text[at : at + length])


def _english(chance: np.random.Generator, mirror: Path | None) -> Iterator[Sample]:
    abstracts = _some(chance, tuple(load("inspec/train", mirror)), _DOCUMENTS)
    for labelled in abstracts:
        title, _, rest = labelled.document.text.partition("\n")
        yield _of_english("titles", title)
        yield _of_english("titles in capitals", title.upper())
        yield _of_english("first 10 words of abstracts", " ".join(rest.split()[:10]))
        yield _of_english("abstracts", labelled.document.text)
        for keyphrase in labelled.given_by("uncontr")[:2]:
            yield _of_english("single keyphrases", keyphrase.forms[0])
    for document in _documents("news500n/train", chance, mirror):
        yield _of_english("news", document.text)
    for document in _documents("schutz2008/train", chance, mirror):
        yield _of_english("first 50 words of biomedical articles", " ".join(document.text.split()[:50]))
        yield _of_english("biomedical articles", document.text)
    for name in ("nus/train", "krapivin2009/train"):
        for document in _documents(name, chance, mirror):
            text = document.text
            yield _of_english("papers", text)
            yield _of_english("ends of papers, 300 characters", text[-300:])
            _, heading, references = text.replace("REFERENCES", "References").rpartition("References")
            yield _of_english("bibliographies, 500 characters", references[:500] if heading else "")
            lines = (line for line in text.splitlines() if line.isupper() and sum(map(str.isalpha, line)) > _CAPITALS)
            yield _of_english("lines in capitals", next(lines, ""))


def _programs() -> Iterator[Sample]:
    library = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted(library.glob("*.py"))[:_DOCUMENTS]:
        yield _of_english("programs in Python", path.read_text("utf-8", errors="replace"))


def _others(chance: np.random.Generator, mirror: Path | None) -> Iterator[Sample]:
    for document in _documents("papyrus_fr/train", chance, mirror):
        title, _, rest = document.text.partition("\n")
        yield Sample("French: titles of theses", None, "fr", title)
        yield Sample("French: first 10 words of abstracts", None, "fr", " ".join(rest.split()[:10]))
        yield Sample("French: abstracts", None, "fr", document.text)
    for record in _some(chance, tuple(_records("other_domains/wicc_es.jsonl.zst", mirror)), _DOCUMENTS):
        text = record["text"]
        yield Sample("Spanish: first 10 words of papers", None, "es", " ".join(text.split()[:10]))
        yield Sample("Spanish: papers", None, "es", text[:_LONGEST])
    for document in _documents("akec/train", chance, mirror):
        yield Sample("Arabic: first 10 words", None, "ar", " ".join(document.text.split()[:10]))
        yield Sample("Arabic: articles", None, "ar", document.text[:_LONGEST])


def _of_english(group: str, text: str) -> Sample:
    return Sample(f"English: {group}", None, "en", text[:_LONGEST])


def _documents(name: str, chance: np.random.Generator, mirror: Path | None) -> Iterable[Document]:
    return [labelled.document for labelled in _some(chance, tuple(load(name, mirror)), _DOCUMENTS)]


def _some(chance: np.random.Generator, values: Sequence[Any], most: int) -> list[Any]:
    """Return a random choice of at most so many values, in their order."""
    return [values[at] for at in sorted(chance.permutation(len(values))[:most])]


def _records(path: str, mirror: Path | None) -> Iterator[dict[str, Any]]:
    folder = mirror or mirror_folder()
    place = folder / path if folder else None
    if place is None or not place.is_file():
        raise MissingData(f"there is no {path} in the data folder", "name a folder that has it in KEYWRIGHT_MIRROR")
    with zstd.open(place, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


@dataclass(frozen=True, slots=True)
class Errors(TableRow):
    """Errors of an identifier on one kind of texts.

    Attributes:
        identifier: its name.
        texts: kind of text.
        length: in characters, of parts of the declaration; None for others.
        language: of the texts; None for several.
        number: of texts.
        wrong: share that was taken for another language, 0 to 1.
        undecided: share that was taken for none, 0 to 1.
        english: share that was taken for English and is not, 0 to 1.
        microseconds: processor time per text.
    """

    part: ClassVar[str] = "errors"
    identifier: str
    texts: str
    length: int | None
    language: str | None
    number: int
    wrong: float
    undecided: float
    english: float = field(metadata={"key": "as_english"})
    microseconds: float


@dataclass(frozen=True, slots=True)
class Cost(TableRow):
    """Cost of an identifier.

    Attributes:
        identifier: its name.
        seconds: processor time to import it and to identify one sentence, in a process that has numpy.
        megabytes: of its files on disk, and of those of packages that only it needs.
        licence: of code and model.
        released: year and month of the last release.
    """

    part: ClassVar[str] = "cost"
    identifier: str
    seconds: float
    megabytes: float
    licence: str
    released: str
