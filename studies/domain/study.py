"""Odd texts, made from what the repository and the training collections have.

How often documents are taken for unlike those of training: collections, ordinary texts, and made odd ones.
"""

import base64
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from keywright.core.documents import Document, Style
from keywright.core.errors import MissingData
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.core.zstandard import zstd
from keywright.datasets.collection import load
from keywright.datasets.files import mirror_folder
from keywright.datasets.training_mix import TRAINING, TrainingPart
from keywright.experiments.study import PERCENT, Study, TableRow
from keywright.extraction.corpus.knowledge import knowledge_of
from keywright.extraction.ranking.domain import USUAL, Bounds, reason_of, statistics_of_each
from keywright.text.analyser import TextAnalyser
from studies.everyday.study import OPEN
from studies.tables import lay_out_rows, list_uniform_records
from studies.training_data.training_documents import FRENCH, training_documents

ROOT: Final = Path(__file__).parents[2]
NUMBER: Final = 20  # texts of each kind, at most; arbitrary
_LONGEST: Final = 5000  # characters of a text; arbitrary, some pages
_SEED: Final = 20261122  # arbitrary
_WORDS: Final = 200  # words of a made list; arbitrary, as many as an abstract has
_LINES: Final = 60  # lines of a made table; arbitrary
_MESSAGES: Final = ("connection closed", "cache miss", "job started", "disk nearly full", "request served")


def odd_texts(mirror: Path | None = None) -> dict[str, list[str]]:
    """Return texts by kind, the same in each call.

    Raises:
        MissingData: the collections are not on this machine.
    """
    chance = np.random.Generator(np.random.PCG64(_SEED))
    abstracts = [labelled.document.text for labelled in itertools.islice(load("inspec/validation", mirror), 3 * NUMBER)]
    long = [text for text in abstracts if len(text.split()) >= _WORDS // 2][:NUMBER]
    papers = [labelled.document.text for labelled in itertools.islice(load("nus/train", mirror), 2 * NUMBER)]
    names = [keyphrase.forms[0] for labelled in load("inspec/validation", mirror) for keyphrase in labelled.gold]
    kinds = {
        "programs in Python": _files("src/keywright", "*.py"),
        "cards in TOML": _files("src/keywright/datasets/cards", "*.toml"),
        "results in JSON": _files("benchmarks/results", "*.json"),
        "rows of a table with commas": [_rows(chance, ",") for _ in range(NUMBER)],
        "tables of numbers": [_numbers(chance) for _ in range(NUMBER)],
        "lines of a log": [_log(chance) for _ in range(NUMBER)],
        "words in alphabetical order": ["\n".join(sorted(set(text.lower().split()))) for text in long],
        "words shuffled, abstracts": [_shuffled(chance, text) for text in long],
        "words shuffled, papers": [_shuffled(chance, text[:_LONGEST]) for text in papers[:NUMBER]],
        "abstracts backwards": [text[::-1] for text in long],
        "abstracts in base64": [base64.b64encode(text.encode()).decode() for text in long],
        "abstracts in capitals": [text.upper() for text in long],
        "lists of phrases": [_phrases(chance, names) for _ in range(NUMBER)],
        "bibliographies": [text for text in map(_bibliography, papers) if text][:NUMBER],
        "other languages as English": [text for language, text in _declaration(mirror) if language != "en"],
        "titles": [text.partition("\n")[0] for text in abstracts[:NUMBER]],
    }
    return {kind: texts[:NUMBER] if "languages" not in kind else texts for kind, texts in kinds.items()}


def _files(folder: str, pattern: str) -> list[str]:
    paths = sorted((ROOT / folder).rglob(pattern))
    every = max(1, len(paths) // NUMBER)
    return [path.read_text("utf-8")[:_LONGEST] for path in paths[::every] if path.stat().st_size > _WORDS]


def _rows(chance: np.random.Generator, comma: str) -> str:
    head = comma.join(("id", "name", "city", "price", "amount", "date"))
    cities = ("Leeds", "Oslo", "Turin", "Gdansk", "Porto", "Ghent")
    lines = (
        comma.join(
            (str(at), f"item-{a}", cities[a % len(cities)], f"{b / 7:.2f}", str(c), f"2026-0{c % 9 + 1}-1{b % 9}")
        )
        for at, (a, b, c) in enumerate(chance.integers(1, 1000, (_LINES, 3)).tolist())
    )
    return "\n".join((head, *lines))


def _numbers(chance: np.random.Generator) -> str:
    rows = enumerate(chance.random((_LINES, 8)))
    return "\n".join("\t".join((f"station {at}", *(f"{value:.3f}" for value in row))) for at, row in rows)


def _log(chance: np.random.Generator) -> str:
    lines = (
        f"2026-03-{a % 28 + 1:02} 1{b % 10}:{c % 60:02}:07 INFO worker-{a % 8} {_MESSAGES[b % len(_MESSAGES)]} id={c}"
        for a, b, c in chance.integers(0, 1000, (_LINES, 3)).tolist()
    )
    return "\n".join(lines)


def _shuffled(chance: np.random.Generator, text: str) -> str:
    return " ".join(chance.permutation(text.split()).tolist())


def _phrases(chance: np.random.Generator, names: Sequence[str]) -> str:
    return "\n".join(names[at] for at in chance.permutation(len(names))[:_LINES])


def _bibliography(paper: str) -> str:
    _, heading, references = paper.replace("REFERENCES", "References").rpartition("References")
    return references[:_LONGEST] if heading and len(references) > _LONGEST // 2 else ""


def _declaration(mirror: Path | None) -> Iterator[tuple[str, str]]:
    folder = mirror or mirror_folder()
    place = folder / "languages/udhr.jsonl.zst" if folder else None
    if place is None or not place.is_file():
        raise MissingData("there is no languages/udhr.jsonl.zst", "name a folder that has it in KEYWRIGHT_MIRROR")
    with zstd.open(place, "rt", encoding="utf-8") as file:
        for record in map(json.loads, file):
            yield record["language"], "\n".join(record["paragraphs"])[:_LONGEST]


def declarations(mirror: Path | None = None) -> list[tuple[str, str]]:
    """Return the Universal Declaration of Human Rights by language: code and text."""
    return list(_declaration(mirror))


SPANISH: Final = TrainingPart("wicc_es/train", ("author",), Style.AUTHOR)
_MOST: Final = 400  # documents of a collection, evenly spaced, at most; arbitrary
_MOST_PAPERS: Final = 120  # the same of collections of whole papers, which take longer
_PAPERS: Final = frozenset(
    {"semeval2010", "nus", "krapivin2009", "schutz2008", "fao_agrovoc", "pubmed_mesh", "wicc_es"}
)
RARE: Final = 0.005  # share of a collection beyond the value that it gives for a bound, on either side
_SHOWN: Final = 3  # reasons in a line of the table; arbitrary

Values: TypeAlias = Mapping[str, float]  # statistics of a document


@dataclass(frozen=True, slots=True)
class Flagged(TableRow):
    """Documents of one kind.

    Attributes:
        group: training, ordinary or odd.
        kind: collection, or kind of text.
        documents: their number.
        flagged: those taken for unlike the documents of training.
        reasons: the most frequent ones with their numbers.
        left_out: those flagged by bounds that the other English collections alone decide by the rule; None for texts
            that no bound was chosen on.
    """

    group: str
    kind: str
    documents: int
    flagged: int
    reasons: str
    left_out: int | None = None


def rows(*, progress: Progress | None = None, mirror: Path | None = None) -> tuple[Flagged, ...]:
    """Flag the documents of every collection and kind.

    Raises:
        MissingData: a collection is not on this machine.
    """
    table: list[Flagged] = []
    parts = {part.data: part for part in (*TRAINING, *FRENCH, SPANISH)}
    values: dict[str, list[Values]] = {}
    for done, (name, part) in enumerate(parts.items(), 1):
        texts = _training(part, mirror)
        values[name] = [_statistics(text, language) for text, language in texts]
        table.append(_row("training", name, [reason_of(each, texts[0][1]) for each in values[name]]))
        if progress:
            progress(done, len(parts))
    english = {part.data for part in TRAINING}
    for at, row in enumerate(table):
        if row.kind in english:
            collection = row.kind.partition("/")[0]  # both splits of one collection are left out
            others = [values[name] for name in english if name.partition("/")[0] != collection]
            bounds = bounds_by_rule(others)
            left_out = sum(bool(reason_of(each, "en", bounds)) for each in values[row.kind])
            table[at] = replace(row, left_out=left_out)
    everyday = (json.loads(line)["text"] for line in OPEN.read_text("utf-8").splitlines())
    table.append(_flagged("ordinary", "everyday texts", [(text, "en") for text in everyday]))
    declared = [(text, language) for language, text in declarations(mirror) if language not in {"ja", "th", "zh"}]
    table.append(_flagged("ordinary", "a declaration in 39 languages", declared))
    for kind, made_up in odd_texts(mirror).items():
        table.append(_flagged("odd", kind, [(text, "en") for text in made_up]))
    return tuple(table)


def _training(part: TrainingPart, mirror: Path | None) -> list[tuple[str, str]]:
    language = {"papyrus_fr/train": "fr", "wicc_es/train": "es"}.get(part.data, "en")
    if language == "es":  # its documents have no overlap to leave out
        texts = [labelled.document.text for labelled in load(part.data, mirror)]
    else:
        texts = [each.labelled.document.text for each in training_documents((part,), mirror)]
    most = _MOST_PAPERS if part.data.partition("/")[0] in _PAPERS else _MOST
    return [(text, language) for text in texts[:: max(1, len(texts) // most)]]


def bounds_by_rule(collections: Sequence[Sequence[Values]]) -> Bounds:
    """Return the loosest of the values that 1 in 200 documents of each collection exceeds."""

    def loosest(name: str, share: float, choose: Callable[[list[float]], float]) -> float:
        columns = ([each[name] for each in collection if name in each] for collection in collections)
        return choose([float(np.quantile(column, share)) for column in columns if column])

    least = {name: loosest(name, RARE, min) for name in USUAL.least}
    most = {name: loosest(name, 1 - RARE, max) for name in USUAL.most}
    return Bounds({"en": loosest("function", RARE, min)}, least, most)


def _flagged(group: str, kind: str, texts: Iterable[tuple[str, str]]) -> Flagged:
    return _row(group, kind, [reason_of(_statistics(text, language), language) for text, language in texts])


def _row(group: str, kind: str, reasons: Sequence[str]) -> Flagged:
    names = Counter(_name(reason) for reason in reasons if reason)
    shown = ", ".join(f"{name} {count}" for name, count in names.most_common(_SHOWN))
    return Flagged(group, kind, len(reasons), names.total(), shown)


def _statistics(text: str, language: str) -> Values:
    analysed = _analyser(language).analyse(Document("text", text, language=language))
    return statistics_of_each(analysed, knowledge_of("en") if language == "en" else None)[0]


@cache
def _analyser(language: str) -> TextAnalyser:
    return TextAnalyser(language)


def _name(reason: str) -> str:
    """Return a reason without its numbers."""
    return reason.partition(" (")[0].lstrip("0123456789 ").replace("content words", "too short")


def sheets(rows: Sequence[Flagged]) -> Iterator[Table]:
    """Yield a table for each group."""
    captions = {
        "training": "Documents of the training collections: false alarms.",
        "ordinary": "Ordinary texts that nothing was trained on: false alarms.",
        "odd": "Odd texts: recognised.",
    }
    columns = {
        "texts": lambda row: row.kind,
        "documents": lambda row: f"{row.documents:,}",
        "flagged": lambda row: str(row.flagged),
        "%": lambda row: f"{PERCENT * row.flagged / row.documents:.1f}",
        "reasons": lambda row: row.reasons,
        "left out, %": lambda row: "" if row.left_out is None else f"{PERCENT * row.left_out / row.documents:.1f}",
    }
    for group, caption in captions.items():
        of_group = [row for row in rows if row.group == group]
        columns_of_group = dict(columns if group == "training" else list(columns.items())[:-1])
        yield lay_out_rows(caption, of_group, columns_of_group, ("texts", "reasons"))


STUDY: Final = Study("domain", rows, (Flagged,), sheets, lines=list_uniform_records)
