"""Collections of summaries, read from the data folder.

MultiLing 2011's Arabic summaries by people, EASC (El-Haj, Kruschwitz and Fox 2010), REALSumm (Bhandari et al. 2020) and
ROSE (Liu et al. 2023).
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import MissingData
from keywright.datasets.data_folders import mirror_folder
from keywright.reading.formats import Limits
from keywright.reading.record_lines import lines_of
from keywright.summaries.pairs import Pair
from keywright.summaries.texts import SummaryText

_LIMITS: Final = Limits()
HUMAN: Final = {"realsumm": "litepyramid_recall", "rose": "acu"}
"""The judgement of each collection that its paper compares evaluators by."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Summaries of one topic.

    Attributes:
        id: name of the topic, or of the article.
        people: summaries by people, by author.
        systems: summaries by systems, by name.
    """

    id: str
    people: Mapping[str, str]
    systems: Mapping[str, str]


def multiling2011(mirror: Path | None = None) -> tuple[Topic, ...]:
    """Return the ten Arabic topics: three summaries by people each, and one by a system that came later (GOA)."""
    people: dict[str, dict[str, str]] = {}
    systems: dict[str, dict[str, str]] = {}
    for record in _records("arabic/multiling2011/multiling2011_ar.jsonl", mirror):
        topic = systems if record["kind"] == "system" else people
        name = "goa" if record["kind"] == "system" else str(record["n"])
        topic.setdefault(record["topic"], {})[name] = record["text"].strip()
    return tuple(Topic(topic, summaries, systems[topic]) for topic, summaries in people.items())


def easc(mirror: Path | None = None) -> tuple[Topic, ...]:
    """Return the 153 Arabic articles, with five extracts by people each."""
    records = _records("arabic/easc.jsonl.zst", mirror)
    return tuple(Topic(record["id"], record["summaries"], {}) for record in records)


def judged(name: str, mirror: Path | None = None) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the summaries of REALSumm (``realsumm``) or ROSE (``rose``) with people's judgements, in two halves.

    A document is in the first half, for choices, or in the second, for results, by the last bit of the first byte of
    its id's SHA-256.
    """
    halves: tuple[list[Pair], list[Pair]] = ([], [])
    for record in _records(f"summary_eval/{name}.jsonl.zst", mirror):
        pair = Pair(
            record["doc_id"],
            record["system"],
            _text(record.get("summary_sentences") or record["summary"]),
            _references(record),
            source=_text(record["source"]),
            human={HUMAN[name]: record["human"][HUMAN[name]]},
        )
        halves[hashlib.sha256(pair.id.encode()).digest()[0] & 1].append(pair)
    return tuple(halves[0]), tuple(halves[1])


def _references(record: Mapping[str, Any]) -> tuple[SummaryText, ...]:
    """Return the references; REALSumm has one, with its sentences beside it."""
    if sentences := record.get("reference_sentences"):
        return (_text(sentences),)
    return tuple(map(_text, record["references"]))


def _text(value: str | list[str]) -> SummaryText:
    return SummaryText.from_json(value, "a text", "en")


def _records(path: str, mirror: Path | None) -> Iterator[dict[str, Any]]:
    folder = mirror or mirror_folder()
    place = folder / path if folder else None
    if place is None or not place.is_file():
        raise MissingData(f"there is no {path} in the data folder", "name a folder that has it in KEYWRIGHT_MIRROR")
    for line in lines_of(place.read_bytes(), path, _LIMITS):
        yield dict(line.record())
