"""Timing a piece of work: beside a calibration loop, with the peak memory of its process.

Seconds are CPU seconds of this one process (``time.process_time``), so that a busy machine disturbs them little; wall
seconds stand beside them. A speed is also given as items per calibration unit: what the machine does in the time that
it needs for one fixed loop. Such ratios can be compared between machines, and budgets are written in them.

Imports nothing of keywright, for the peers' environments have none.
"""

import gc
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_ROUNDS = 5
_NUMBERS = 200_000
_WORDS = 60_000


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement.

    Attributes:
        name: what was timed.
        unit: what is counted: papers, pages, tokens, tables ...
        items: how many of them.
        seconds: CPU seconds for all of them.
        wall: wall seconds for all of them.
        calibration: CPU seconds of the calibration loop, just before, in the same process.
        tokens: tokens in them; 0 where tokens are not what counts.
        note: settings, sizes.
        parts: milliseconds an item, by part of the work.
        beside: names of rows that do the same work, for ratios; of another tool's rows alone.
        peak: MiB that the process took at most, with all it has loaded; filled in at its end.
    """

    name: str
    unit: str
    items: float
    seconds: float
    wall: float
    calibration: float
    tokens: int = 0
    note: str = ""
    parts: dict[str, float] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    peak: float = 0.0

    @property
    def each(self) -> float:
        """Milliseconds an item."""
        return 1_000 * self.seconds / self.items

    @property
    def rate(self) -> float:
        """Items a second."""
        return self.items / self.seconds

    @property
    def ratio(self) -> float:
        """Items a calibration unit."""
        return self.rate * self.calibration


@dataclass(frozen=True, slots=True)
class Clock:
    """CPU and wall time since a start."""

    cpu: float = field(default_factory=time.process_time)
    wall: float = field(default_factory=time.perf_counter)

    def read(self) -> tuple[float, float]:
        """Seconds since then: CPU, wall."""
        return time.process_time() - self.cpu, time.perf_counter() - self.wall


def calibrate() -> float:
    """CPU seconds of the calibration loop, median of five: half string and dictionary work, half numpy."""
    words = [f"word{number * number % 9_973}" for number in range(_WORDS)]
    numbers = np.arange(_NUMBERS, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return statistics.median(_loop(words, numbers) for _ in range(_ROUNDS))


def _loop(words: list[str], numbers: "np.typing.NDArray[np.uint64]") -> float:
    start = time.process_time()
    counts: dict[str, int] = {}
    for word in words:
        if word[-1].isdigit():
            counts[word.upper()] = counts.get(word, 0) + len(word)
    order = np.argsort(numbers, kind="stable")
    np.cumsum(np.searchsorted(numbers[order], numbers))
    return time.process_time() - start


def timed(what: tuple[str, str], items: float, work: Callable[[], object], *, rounds: int = 3, **more: Any) -> Row:
    """Time a piece of work: the calibration loop first, then ``rounds`` of the work, of which the median counts.

    Args:
        what: name of the row, and the unit in which items are counted.
        items: how many a round of the work does.
        work: what is timed.
        rounds: how often.
        more: other fields of the row.
    """
    calibration = calibrate()
    gc.collect()
    spans = []
    for _ in range(rounds):
        clock = Clock()
        work()
        spans.append(clock.read())
    seconds, wall = sorted(spans)[len(spans) // 2]
    return Row(*what, items, max(seconds, 1e-9), wall, calibration, **more)


def peak_memory() -> float:
    """MiB that this process took at most."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
