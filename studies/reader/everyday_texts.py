"""Thirty everyday texts by both qualities, each through the public reader, with what a person would accept."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from keywright import api
from keywright.evaluation.measures.counts import F
from studies.everyday.study import CUTOFFS, HELD_OUT, OPEN, PROTOCOL
from studies.reader.rows import Gain

_BEST, _STANDARD = "best", "standard"
_GOLD: Final = "author"  # kind of the texts' gold, as the reader of files calls it


def rows_of() -> Iterator[Gain]:
    """Yield the gains on all texts together."""
    with TemporaryDirectory() as folder:
        texts = Path(folder) / "everyday.jsonl"
        texts.write_text("".join(file.read_text("utf-8") for file in (OPEN, HELD_OUT)), "utf-8")
        runs = {quality: api.run("default", texts, max(CUTOFFS), quality=quality) for quality in (_BEST, _STANDARD)}
        compared = api.compare(runs, PROTOCOL, texts, measures=[f"F@{cutoff}" for cutoff in CUTOFFS])
    for cutoff in CUTOFFS:
        name = f"{_GOLD}/macro-{F @ cutoff}"
        (difference,) = (each for each in compared.differences if each.value == name)
        standard, best = (compared.reports[quality].values[name] for quality in (_STANDARD, _BEST))
        number = compared.reports[_BEST].scored
        ends = (difference.low, difference.high)
        yield Gain("everyday", "everyday texts", "general", f"F@{cutoff}", number, standard, best, ends)
