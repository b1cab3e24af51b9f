"""Odd texts, made from what the repository and the training collections have."""

import base64
import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import zstandard

from keywright.core.errors import MissingData
from keywright.datasets.collection import load
from keywright.datasets.files import mirror_folder

ROOT: Final = Path(__file__).parents[2]
NUMBER: Final = 20
"""Texts of each kind, at most; arbitrary."""
_LONGEST: Final = 5000
"""Characters of a text; arbitrary, some pages."""
_SEED: Final = 20261122
"""Arbitrary."""
_WORDS: Final = 200
"""Words of a made list; arbitrary, as many as an abstract has."""
_LINES: Final = 60
"""Lines of a made table; arbitrary."""
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
    with zstandard.open(place, "rt", encoding="utf-8") as file:
        for record in map(json.loads, file):
            yield record["language"], "\n".join(record["paragraphs"])[:_LONGEST]


def declarations(mirror: Path | None = None) -> list[tuple[str, str]]:
    """Return the Universal Declaration of Human Rights by language: code and text."""
    return list(_declaration(mirror))
