"""Systems on everyday texts that nothing here was trained on, each text through the public reader."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from keywright import api
from keywright.core.documents import GoldKeyphrase
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.evaluation.measures.counts import F
from keywright.experiments.study import Study, TableRow
from keywright.text.keys import gold_keys
from studies.tables import lay_out_rows, list_uniform_records

OPEN: Final = Path(__file__).parent / "open.jsonl"
HELD_OUT: Final = Path(__file__).parent / "held_out.jsonl"
JUDGED: Final = Path(__file__).parent / "judged_held_out.jsonl"
LANGUAGES: Final = Path(__file__).parent / "judged_languages.jsonl"
"""Texts in seventeen languages, judged by a reader before any list was looked at."""
PROTOCOL: Final = "keywright-1"
CUTOFFS: Final = (5, 10)  # lengths of lists: half, and all, of what people accept of such a text
_FIRST: Final = 3  # places in which a topic is looked for; as issues and readers count

SYSTEMS: Final = ("default", "counting", "kpminer", "tfidf", "topicrank", "singlerank", "yake")


@dataclass(frozen=True, slots=True)
class Row(TableRow):
    """One value of one system.

    Attributes:
        system: of the catalogue.
        texts: file of the texts, without its ending.
        measure: ``F@5``; ``good``, the share of the ten phrases that a reader accepts; ``topic``, the share of texts
            with what they are about among the first three; ``probability``, the mean of the ten.
        value: mean over texts, 0 to 1.
    """

    system: str
    texts: str
    measure: str
    value: float


def rows(
    systems: Iterable[str] | None = None,
    *,
    progress: Progress | None = None,
    data: Sequence[Path] = (HELD_OUT, JUDGED, LANGUAGES),
) -> tuple[Row, ...]:
    """Run and score every system on the texts.

    Raises:
        UnknownName: there is no system of a name.
    """
    chosen = [(name, file) for name in systems or SYSTEMS for file in data]
    table: list[Row] = []
    for done, (name, file) in enumerate(chosen, 1):
        table += [Row(name, file.stem, measure, value) for measure, value in measure_lists(name, file).items()]
        if progress:
            progress(done, len(chosen))
    return tuple(table)


def measure_lists(system: Any, data: Path) -> dict[str, float]:
    """Return the measures of ``Row`` for a system, or its name, on a file of texts, but for what these lack."""
    run = api.run(system, data, top=max(CUTOFFS))
    report = api.score(run, PROTOCOL, data, [str(F @ cutoff) for cutoff in CUTOFFS] + ["P@10"], intervals=False)
    values = {str(F @ cutoff): report.values[f"author/macro-{F @ cutoff}"] for cutoff in CUTOFFS}
    values["good"] = report.values["author/macro-P@10"]
    records = {record["id"]: record for record in map(json.loads, data.read_text("utf-8").splitlines())}
    firsts = [(records[each.document_id], each.texts[:_FIRST]) for each in run.predictions]
    topics = [
        bool({*_find_keys(record["topic"], record)} & {*_find_keys(first, record)})
        for record, first in firsts
        if record.get("topic")
    ]
    values |= {"topic": fmean(topics)} if topics else {}
    phrases = [phrase.probability for each in run.predictions for phrase in each.keyphrases]
    probabilities = [probability for probability in phrases if probability is not None]
    return values | ({"probability": fmean(probabilities)} if probabilities else {})


def _find_keys(phrases: Iterable[str], record: Mapping[str, Any]) -> list[int]:
    """Return the keys of phrases in the language of a record."""
    golds = [GoldKeyphrase((phrase,), "") for phrase in phrases]
    keys: list[int] = gold_keys(golds, record.get("language", "en")).tolist()
    return keys


def sheets(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield a table for each file of texts: a line for each system, a column for each measure."""
    for texts in dict.fromkeys(row.texts for row in rows):
        columns = {}
        for measure in dict.fromkeys(row.measure for row in rows):
            values = {row.system: row.value for row in rows if (row.texts, row.measure) == (texts, measure)}
            columns[measure] = lambda name, values=values: f"{100 * values[name]:.1f}" if name in values else ""
        names = tuple(dict.fromkeys(row.system for row in rows))
        yield lay_out_rows(f"Everyday texts of {texts}, percent.", names, {"system": str, **columns}, ("system",))


STUDY: Final = Study("everyday", rows, (Row,), sheets, lines=list_uniform_records)
