"""A summary with the texts that it is compared with, and files of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from keywright.core.errors import BadRecord
from keywright.core.json_values import an_object, number, text, texts
from keywright.summaries.texts import SummaryText

_FORM: Final = 'expected {"id": topic, "system": name, "summary": TEXT, "references": [TEXT, …]}'


@dataclass(frozen=True)
class Pair:
    """One summary of one topic, and what it is judged by.

    Attributes:
        id: the topic, or source document; summaries of several systems share it.
        system: name of the summariser.
        summary: its summary.
        references: summaries by people, without one that the summariser itself wrote. May be empty where evaluators
            compare with the source.
        own_reference: True if one of the references given was the summariser's own, which is left out.
        source: the text that was summarised; None if unknown.
        human: scores that people gave, by protocol.
        notes: oddities of the texts, for people.
    """

    id: str
    system: str
    summary: SummaryText
    references: tuple[SummaryText, ...] = ()
    own_reference: bool = False
    source: SummaryText | None = None
    human: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def reference_sets(self, *, jackknife: bool) -> tuple[tuple[SummaryText, ...], ...]:
        """Return the sets of references whose scores are averaged.

        Args:
            jackknife: each reference left out in turn, so that people, who have one reference fewer than systems, can
                be compared with them. People's own summaries and topics with one reference have one set in any case.
        """
        if not jackknife or self.own_reference or len(self.references) < 2:  # noqa: PLR2004 - none left otherwise
            return (self.references,)
        return tuple(self.references[:at] + self.references[at + 1 :] for at in range(len(self.references)))


def pair_of_record(record: Mapping[str, Any]) -> Pair:
    """Return the pair of one JSON object: one line of a file of pairs.

    Raises:
        BadRecord: a key is missing or has the wrong type.
    """
    try:
        topic, system = (_name(record, key) for key in ("id", "system"))
        language = text(record["language"], "language") if record.get("language") is not None else None
        written = record.get("references")
        if written is None and record.get("source") is None:
            raise BadRecord('neither "references" nor "source"', _FORM)
        if not isinstance(written, list | None):
            raise BadRecord(f'"references" is {written!r:.60}', "expected a list of texts")
        references = [SummaryText.from_json(value, "a reference", language) for value in written or ()]
        authors = texts(record["reference_authors"], "reference_authors") if record.get("reference_authors") else ()
        if authors and len(authors) != len(references):
            raise BadRecord(f"{len(authors)} authors of {len(references)} references", "name one author for each")
        human = an_object(record.get("human") or {})
        return Pair(
            topic,
            system,
            SummaryText.from_json(record.get("summary"), '"summary"', language),
            tuple(item for at, item in enumerate(references) if not authors or authors[at] != system),
            system in authors,
            None if record.get("source") is None else SummaryText.from_json(record["source"], '"source"', language),
            {name: number(value, f"human score {name}") for name, value in human.items()},
        )
    except TypeError as error:
        raise BadRecord(str(error), _FORM) from error


def _name(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, (str, int)) or isinstance(value, bool) or value == "":
        raise BadRecord(f'"{key}" is {value!r:.60}', _FORM)
    return str(value)


def distinct_pairs(pairs: Iterable[Pair]) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """Return the first pair of each topic and system, and notes for people on repeats and gaps."""
    first: dict[tuple[str, str], Pair] = {}
    repeats = []
    for pair in pairs:
        if (pair.id, pair.system) in first:
            repeats.append(f"{pair.system} on {pair.id}")
        first.setdefault((pair.id, pair.system), pair)
    return tuple(first.values()), (*_repeat_notes(repeats), *_gap_notes(first))


def _repeat_notes(repeats: Sequence[str]) -> Iterator[str]:
    if repeats:
        yield f"{len(repeats)} repeated lines left out, the first of each kept: {_some(repeats)}"


def _gap_notes(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    topics_of: dict[str, set[str]] = {}
    for topic, system in pairs:
        topics_of.setdefault(system, set()).add(topic)
    topics = set().union(*topics_of.values())
    for system, summarised in topics_of.items():
        if missing := sorted(topics - summarised):
            yield f"{system} has no summary of {len(missing)} of {len(topics)} topics: {_some(missing)}"


def _some(names: Sequence[str], most: int = 3) -> str:
    """Return the first names as a list for people; ``most`` is arbitrary."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
