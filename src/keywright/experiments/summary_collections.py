"""Collections of summaries, read from the data folder, and worse versions of summaries, by stated rules."""

import hashlib
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.errors import MissingData
from keywright.datasets.files import mirror_folder
from keywright.reading.limits import Limits
from keywright.reading.record_lines import lines_of
from keywright.summaries.kpeval import KPEval
from keywright.summaries.pairs import Pair, SummaryText
from keywright.text.analyser import split_sentences

_LIMITS: Final = Limits()
HUMAN: Final = {"realsumm": "litepyramid_recall", "rose": "acu"}
"""The judgement of each collection that its paper compares evaluators by."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Summaries of one topic or article: by people, by author, and by systems, by name."""

    id: str
    people: Mapping[str, str]
    systems: Mapping[str, str]


def read_multiling2011(mirror: Path | None = None) -> tuple[Topic, ...]:
    """Return the ten Arabic topics: three summaries by people each, and one by a system that came later (GOA)."""
    people: dict[str, dict[str, str]] = {}
    systems: dict[str, dict[str, str]] = {}
    for record in _read_records("arabic/multiling2011/multiling2011_ar.jsonl", mirror):
        topic = systems if record["kind"] == "system" else people
        name = "goa" if record["kind"] == "system" else str(record["n"])
        topic.setdefault(record["topic"], {})[name] = record["text"].strip()
    return tuple(Topic(topic, summaries, systems[topic]) for topic, summaries in people.items())


def read_easc(mirror: Path | None = None) -> tuple[Topic, ...]:
    """Return the 153 Arabic articles, with five extracts by people each."""
    records = _read_records("arabic/easc.jsonl.zst", mirror)
    return tuple(Topic(record["id"], record["summaries"], {}) for record in records)


def read_judged(name: str, mirror: Path | None = None) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the judged summaries of ``realsumm`` or ``rose`` in two halves, by a bit of the hash of the id."""
    halves: tuple[list[Pair], list[Pair]] = ([], [])
    for record in _read_records(f"summary_eval/{name}.jsonl.zst", mirror):
        sentences = record.get("reference_sentences")  # REALSumm has one reference
        pair = Pair(
            record["doc_id"],
            record["system"],
            _make_text(record.get("summary_sentences") or record["summary"]),
            tuple(map(_make_text, [sentences] if sentences else record["references"])),
            source=_make_text(record["source"]),
            human={HUMAN[name]: record["human"][HUMAN[name]]},
        )
        halves[hashlib.sha256(pair.id.encode()).digest()[0] & 1].append(pair)
    return tuple(halves[0]), tuple(halves[1])


def _make_text(value: str | list[str]) -> SummaryText:
    return SummaryText.from_json(value, "a text", "en")


def _read_records(path: str, mirror: Path | None) -> Iterator[dict[str, Any]]:
    folder = mirror or mirror_folder()
    place = folder / path if folder else None
    if place is None or not place.is_file():
        raise MissingData(f"there is no {path} in the data folder", "name a folder that has it in KEYWRIGHT_MIRROR")
    for line in lines_of(place.read_bytes(), path, _LIMITS):
        yield dict(line.record())


_REMOVED: Final = 10  # keyphrases that ``remove_keyphrases`` takes out of a summary; arbitrary


@dataclass(frozen=True, slots=True)
class Material:
    """A summary, that of another topic, places of its keyphrases, most probable first, and forms of one lemma."""

    text: str
    other: str
    keyphrases: Sequence[Sequence[tuple[int, int]]]
    other_forms: Mapping[str, str]
    random: np.random.Generator


def shuffle_words(material: Material) -> str:
    """Return all words in random order, on one line."""
    words = material.text.split()
    return " ".join(words[at] for at in material.random.permutation(len(words)))


def shuffle_sentences(material: Material) -> str:
    """Return the sentences, which are lines if there are several, in random order."""
    lines = [line.strip() for line in material.text.splitlines() if line.strip()]
    sentences = lines if len(lines) > 1 else split_sentences(material.text)
    return "\n".join(sentences[at] for at in material.random.permutation(len(sentences)))


def truncate_summary(material: Material, share: float) -> str:
    """Return a summary that is cut after a share of its words."""
    words = material.text.split()
    return " ".join(words[: max(1, round(share * len(words)))])


def replace_end(material: Material, share: float) -> str:
    """Return a summary whose last words, a share of all, are replaced by the beginning of the other topic's summary."""
    words, others = material.text.split(), material.other.split()
    length = round(share * len(words))
    return " ".join([*words[: len(words) - length], *others[:length]])


def remove_keyphrases(material: Material) -> str:
    """Return the summary without the mentions of its ten most probable keyphrases."""
    gone = np.zeros(len(material.text), bool)
    for spans in material.keyphrases[:_REMOVED]:
        for start, end in spans:
            gone[start:end] = True
    return " ".join("".join(np.array(list(material.text))[~gone]).split())


RULES: Final[Mapping[str, Callable[[Material], str]]] = {
    "shuffled-words": shuffle_words,
    "shuffled-sentences": shuffle_sentences,
    "truncated-75": partial(truncate_summary, share=0.75),
    "truncated-50": partial(truncate_summary, share=0.5),
    "truncated-25": partial(truncate_summary, share=0.25),
    "mixed-25": partial(replace_end, share=0.25),
    "mixed-50": partial(replace_end, share=0.5),
    "mixed-75": partial(replace_end, share=0.75),
    "without-keyphrases": remove_keyphrases,
    # Each word in another form of the same lemma, where the collection has one.
    "other-forms": lambda material: " ".join(
        material.other_forms.get(word.lower(), word) for word in material.text.split()
    ),
}
"""Degraded versions by name; numbers are percentages of words: that stay, or that come from another topic."""


def find_other_forms(texts: Iterable[str], lemma: Callable[[str], str]) -> dict[str, str]:
    """Return, for each word of the texts, the next form with the same lemma in alphabetical order, if there is one."""
    forms: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        for word in text.lower().split():
            forms[lemma(word)].add(word)
    successors: dict[str, str] = {}
    for group in forms.values():
        ring = sorted(group)
        if len(ring) > 1:
            successors.update(zip(ring, [*ring[1:], ring[0]], strict=True))
    return successors


PERSON: Final = "person"  # summaries by people, as they are

OTHER_TOPIC: Final = "other-topic"  # summaries by the same people of the next topic


def make_versions(
    topics: Sequence[Topic], language: str, evaluator: KPEval, lemma: Callable[[str], str]
) -> tuple[Pair, ...]:
    """Return all versions of each person's summary as summaries of several systems, for at least two topics.

    Every version of a person's summary, and each system's own, is compared with the other people's summaries of the
    topic. Random rules have a fixed seed for each summary.
    """
    forms = find_other_forms([text for topic in topics for text in topic.people.values()], lemma)
    pairs: list[Pair] = []
    for at, topic in enumerate(topics):
        following = topics[(at + 1) % len(topics)]
        people = {author: SummaryText(text, language=language) for author, text in topic.people.items()}
        for author, text in topic.people.items():
            other = following.people.get(author) or next(iter(following.people.values()))
            keyphrases = evaluator.keyphrases(people[author]).keyphrases.values()
            places = [each.spans for each in sorted(keyphrases, key=lambda each: -(each.probability or 0.0))]
            random = np.random.default_rng(zlib.crc32(f"{topic.id} {author}".encode()))
            written = {PERSON: text, OTHER_TOPIC: other, **topic.systems}
            written |= {name: rule(Material(text, other, places, forms, random)) for name, rule in RULES.items()}
            references = tuple(reference for name, reference in people.items() if name != author)
            pairs += [
                Pair(f"{topic.id}/{author}", name, SummaryText(version, language=language), references)
                for name, version in written.items()
            ]
    return tuple(pairs)
