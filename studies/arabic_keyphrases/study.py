"""LBAKE beside other systems on the test documents of AKEC, scored by surface forms and by lemmas.

LBAKE is trained on the training documents; the others are as they ship. The collection has its texts without points
and most signs, so that a paragraph is one sentence; its original texts are run as well. All systems use Arabic lemmas.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from keywright.catalogue import system_class
from keywright.core.documents import Document, LabelledDocument
from keywright.core.interfaces import Progress, rank_document
from keywright.core.pages import Table
from keywright.core.predictions import Prediction, Run
from keywright.datasets.collection import load
from keywright.evaluation.answers import make_gold_sets
from keywright.evaluation.measures.counts import F
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import Average
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import add_intervals
from keywright.experiments.semeval2010_task import Labelled
from keywright.experiments.study import Study, TableRow
from keywright.text.arabic.lemmas import lemmatiser
from keywright.text.arabic.spelling import NormalForms
from keywright.text.keys import PARTS
from keywright.text.languages import ByLanguage
from keywright.text.tokens import normal_form
from studies.tables import lay_out_rows, list_uniform_records

TRAIN, TEST = "akec/train", "akec/test"
CUTOFFS: Final = (5, 10, 15)  # lengths of lists, those of the shared task of 2010
TOP: Final = 40  # phrases that each system is asked for: some become equal by their lemmas; arbitrary

PUBLISHED, ORIGINAL = "as published", "original"  # texts of the collection: without signs, and as they were written

SYSTEMS: Final = ("default", "kpminer", "tfidf", "yake", "topicrank", "lbake")
TRAINED: Final = "lbake, trained"

_SURFACE: Final = NormalForms(alef=False, final_ya=False)


def surface(phrase: str) -> str:
    """Return a phrase without points and tatweel, with single blanks."""
    return " ".join(_SURFACE(phrase).split())


def lemmas(phrase: str) -> str:
    """Return the lemmas of a phrase's words, with single blanks."""
    lemma = lemmatiser()
    return " ".join(lemma(part) for part in PARTS.findall(normal_form(phrase)))


PROTOCOLS: Final = tuple(
    replace(
        KEYWRIGHT_1, name=name, normalise=normalise, average=(Average.MACRO,), measures=tuple(F @ k for k in CUTOFFS)
    )
    for name, normalise in (("surface", surface), ("lemma", lemmas))
)
"""``keywright-1`` with macro averages; phrases are equal by their surface forms, or by their lemmas."""


@dataclass(frozen=True, slots=True)
class Row(TableRow):
    """One value of one system.

    Attributes:
        text: ``as published`` or ``original``.
        protocol: ``surface`` or ``lemma``.
        system: of the catalogue; LBAKE untrained and trained.
        measure: such as ``F@10``.
        value: 0 to 1.
        interval: low and high end of 95 percent, from resampling documents.
    """

    text: str
    protocol: str
    system: str
    measure: str
    value: float
    interval: tuple[float, float]


def rows(
    systems: Iterable[str] | None = None, *, progress: Progress | None = None, mirror: Path | None = None
) -> tuple[Row, ...]:
    """Run and score every system on both texts.

    Raises:
        UnknownName: there is no system of a name.
        MissingData: AKEC is not on this machine.
        MissingExtra: simplemma is not installed.
    """
    chosen = tuple(systems or SYSTEMS)
    scored: list[Row] = []
    for done, (text, name) in enumerate((text, name) for text in (PUBLISHED, ORIGINAL) for name in chosen):
        scored.extend(_rows_of(text, name, mirror))
        if progress is not None:
            progress(done + 1, 2 * len(chosen))
    return tuple(scored)


def _rows_of(text: str, name: str, mirror: Path | None) -> Iterator[Row]:
    """Yield the values of a system as it comes, then those after training where that is LBAKE."""
    system = system_class(name)()
    tagged = "tags" in system.needs
    documents = analysed(TEST, text, mirror, tagged=tagged)
    yield from _scored(text, name, system, documents)
    if name == "lbake":
        yield from _scored(text, TRAINED, system.fit(analysed(TRAIN, text, mirror, tagged=tagged)), documents)


@lru_cache(maxsize=3)
def analysed(data: str, text: str, mirror: Path | None = None, *, tagged: bool = False) -> Labelled:
    """Return analysed documents of a split, with the text as published or the original one."""
    analyser = ByLanguage("ar", tagged=tagged)
    return tuple(
        LabelledDocument(analyser.analyse(_with(text, labelled.document)), labelled.gold)
        for labelled in load(data, mirror)
    )


def _with(text: str, document: Document) -> Document:
    return document if text == PUBLISHED else replace(document, text=str(document.meta["text_raw"]), sections=())


def _scored(text: str, name: str, system: Any, documents: Labelled) -> Iterator[Row]:
    predictions = tuple(rank_document(system, labelled.document, TOP).prediction(TOP) for labelled in documents)
    for protocol in PROTOCOLS:
        report = _report(predictions, documents, protocol)
        for value_name, value in report.values.items():
            measure = value_name.rpartition("/")[2].removeprefix("macro-")
            yield Row(text, protocol.name, name, measure, value, report.intervals[value_name])


def _report(predictions: tuple[Prediction, ...], documents: Labelled, protocol: Protocol) -> Any:
    papers = [LabelledDocument(labelled.document.source, labelled.gold) for labelled in documents]
    report = score(Run("", "", "", predictions), make_gold_sets(papers), protocol, None)
    return add_intervals(report, protocol, Resampling(), {})


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield a table for each text and protocol, systems as lines."""
    for text, protocol in dict.fromkeys((row.text, row.protocol) for row in rows):
        values = {(row.system, row.measure): row for row in rows if (row.text, row.protocol) == (text, protocol)}
        columns: dict[str, Callable[[str], str]] = {"system": str}
        for cutoff in CUTOFFS:
            columns[f"F@{cutoff}"] = partial(_value, values, f"F@{cutoff}")
            columns[f"interval@{cutoff}"] = partial(_interval, values, f"F@{cutoff}")
        names = dict.fromkeys(name for name, _ in values)
        yield lay_out_rows(f"Text {text}, phrases equal by {protocol}", names, columns, ("system",))


def _value(values: Mapping[tuple[str, str], Row], measure: str, name: str) -> str:
    return f"{values[name, measure].value:.4f}"


def _interval(values: Mapping[tuple[str, str], Row], measure: str, name: str) -> str:
    low, high = values[name, measure].interval
    return f"{low:.4f} to {high:.4f}"


STUDY: Final = Study("arabic-keyphrases", rows, (Row,), sheets, lines=list_uniform_records)
