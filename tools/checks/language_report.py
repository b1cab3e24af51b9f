"""Report how often a few words of a text give the language that all of them give, and the time of both.

    KEYWRIGHT_MIRROR=../shared/data python -m tools.checks.language_report

Texts are those of the everyday collections, of other domains, and of the Universal Declaration, cut to several lengths.
"""

import io
import json
import os
import time
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

from keywright.core.zstandard import zstd
from keywright.reading.language_identification import detect_language

MOST = 60
"""Texts of a file, the first ones; arbitrary, bounds the time."""
LENGTHS = (100_000, 2_000, 1_200, 800, 400, 200, 60)


def read_texts(mirror: Path) -> list[str]:
    """Return the texts of all files that are documents."""
    texts = []
    for path in sorted(mirror.glob("*/*.jsonl.zst")):
        if path.parent.name in {"everyday", "other_domains", "languages"}:
            with io.TextIOWrapper(zstd.open(path.open("rb")), "utf-8") as lines:
                records = map(json.loads, islice(lines, MOST))
                texts += [record.get("text") or record.get("abstract") or "" for record in records]
    return texts


def detect_all(texts: list[str], *few: int) -> tuple[list[str | None], float]:
    """Return the languages of texts, and the microseconds of each text."""
    begin = time.process_time()
    languages = [detect_language(text, *few) for text in texts]
    return languages, (time.process_time() - begin) / len(texts) * 1e6


def main() -> None:
    """Print a line for each length."""
    texts = read_texts(Path(os.environ["KEYWRIGHT_MIRROR"]))
    table = Table("characters", "texts", "other language", "few words, µs", "all words, µs")
    for length in LENGTHS:
        cut = [text[:length] for text in texts]
        (languages, fast), (expected, slow) = detect_all(cut), detect_all(cut, 0)
        other = sum(a != b for a, b in zip(languages, expected, strict=True))
        table.add_row(f"{length:,}", f"{len(cut):,}", f"{other}", f"{fast:.0f}", f"{slow:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
