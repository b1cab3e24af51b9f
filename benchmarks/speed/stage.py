"""Run one stage in this process and print its rows: ``python benchmarks/speed/stage.py NAME [--papers N]``.

``run.py`` starts it once for each stage, so that the peak memory of one is not that of another.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial

import stage_calibration
import stage_default
import stage_evaluation
import stage_hulth
import stage_reading
import stage_systems
import stage_text
from measuring import Row, peak_memory

from keywright.catalogue import EXTRACTORS

Stage = Callable[[int | None], Iterator[Row]]


def _generators(most: int | None) -> Iterator[Row]:
    """Time generators; only this stage loads PyTorch, which takes seconds and a quarter of a gigabyte."""
    import stage_generators  # noqa: PLC0415 - see above

    yield from stage_generators.generators(most)


STAGES: dict[str, Stage] = {
    "headline-cold": stage_systems.headline_cold,
    "headline-warm": stage_systems.headline_warm,
    "default-papers": stage_default.of_papers,
    "default-abstracts": stage_default.of_abstracts,
    "default-together": stage_default.together,
    "plain": stage_reading.plain,
    "formats": stage_reading.formats,
    "sections": stage_reading.sections,
    "analysis": stage_text.analysis,
    "candidates": stage_text.candidates,
    "lookup": stage_text.lookup,
    "pickling": stage_text.pickling,
    **{f"system-{name}": partial(stage_systems.system, name=name) for name in EXTRACTORS},
    "scorer": stage_systems.scorer,
    "hulth": stage_hulth.hulth,
    "kpg": stage_evaluation.kpg,
    "significance": stage_evaluation.significance,
    "calibration": stage_calibration.calibration,
    "generators": _generators,
}


def main() -> None:
    """One JSON line for each row; ``--list`` prints the names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", choices=sorted(STAGES), metavar="NAME")
    parser.add_argument("--papers", type=int, help="use this many papers instead of all")
    parser.add_argument("--list", action="store_true", help="print the names of all stages")
    given = parser.parse_args()
    if given.list or given.name is None:
        print("\n".join(STAGES))
        sys.exit()
    for row in STAGES[given.name](given.papers):
        print(json.dumps(asdict(replace(row, peak=row.peak or peak_memory()))), flush=True)


if __name__ == "__main__":
    main()
