"""How often documents are taken for unlike those of training: collections, ordinary texts, and made odd ones."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from keywright.core.documents import Document, Style
from keywright.core.interfaces import Progress
from keywright.corpus.knowledge import ANY, LANGUAGES, knowledge_of
from keywright.datasets.collection import load
from keywright.datasets.training_mix import TRAINING, TrainingPart
from keywright.experiments.layouts import PERCENT, listing, uniform_lines
from keywright.experiments.study import Study, TableRow
from keywright.presentation.page import Table
from keywright.ranking.domain import unlike_training
from keywright.text.analyser import TextAnalyser
from studies.domain.texts import declarations, odd_texts
from studies.everyday.study import OPEN
from studies.training_data.training_documents import FRENCH, training_documents

SPANISH: Final = TrainingPart("wicc_es/train", ("author",), Style.AUTHOR)
_MOST: Final = 400
"""Documents of a collection, evenly spaced, at most; arbitrary."""
_MOST_PAPERS: Final = 120
"""The same of collections of whole papers, which take longer."""
_PAPERS: Final = frozenset(
    {"semeval2010", "nus", "krapivin2009", "schutz2008", "fao_agrovoc", "pubmed_mesh", "wicc_es"}
)
_SHOWN: Final = 3
"""Reasons in a line of the table; arbitrary."""


@dataclass(frozen=True, slots=True)
class Flagged(TableRow):
    """Documents of one kind.

    Attributes:
        group: training, ordinary or odd.
        kind: collection, or kind of text.
        documents: their number.
        flagged: those taken for unlike the documents of training.
        reasons: the most frequent ones with their numbers.
    """

    group: str
    kind: str
    documents: int
    flagged: int
    reasons: str


def rows(*, progress: Progress | None = None, mirror: Path | None = None) -> tuple[Flagged, ...]:
    """Flag the documents of every collection and kind.

    Raises:
        MissingData: a collection is not on this machine.
    """
    table: list[Flagged] = []
    parts = {part.data: part for part in (*TRAINING, *FRENCH, SPANISH)}
    for done, (name, part) in enumerate(parts.items(), 1):
        table.append(_flagged("training", name, _training(part, mirror)))
        if progress:
            progress(done, len(parts))
    everyday = (json.loads(line)["text"] for line in OPEN.read_text("utf-8").splitlines())
    table.append(_flagged("ordinary", "everyday texts", [(text, "en") for text in everyday]))
    own = [(text, language) for language, text in declarations(mirror) if language not in {"ja", "th", "zh"}]
    table.append(_flagged("ordinary", "a declaration in 39 languages", own))
    for kind, texts in odd_texts(mirror).items():
        table.append(_flagged("odd", kind, [(text, "en") for text in texts]))
    return tuple(table)


def _training(part: TrainingPart, mirror: Path | None) -> list[tuple[str, str]]:
    language = {"papyrus_fr/train": "fr", "wicc_es/train": "es"}.get(part.data, "en")
    if language == "es":  # its documents have no overlap to leave out
        texts = [labelled.document.text for labelled in load(part.data, mirror)]
    else:
        texts = [each.labelled.document.text for each in training_documents((part,), mirror)]
    most = _MOST_PAPERS if part.data.partition("/")[0] in _PAPERS else _MOST
    return [(text, language) for text in texts[:: max(1, len(texts) // most)]]


def _flagged(group: str, kind: str, texts: Iterable[tuple[str, str]]) -> Flagged:
    analysers: dict[str, TextAnalyser] = {}
    reasons: list[str] = []
    for text, language in texts:
        analyser = analysers.setdefault(language, TextAnalyser(language))
        knowledge = knowledge_of(language if language in LANGUAGES else ANY)
        reasons.append(unlike_training(analyser.analyse(Document("text", text, language=language)), knowledge))
    number = len(reasons)
    names = Counter(_name(reason) for reason in reasons if reason)
    shown = ", ".join(f"{name} {count}" for name, count in names.most_common(_SHOWN))
    return Flagged(group, kind, number, names.total(), shown)


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
    }
    for group, caption in captions.items():
        yield listing(caption, [row for row in rows if row.group == group], columns, ("texts", "reasons"))


STUDY: Final = Study("domain", rows, (Flagged,), sheets, lines=uniform_lines)
