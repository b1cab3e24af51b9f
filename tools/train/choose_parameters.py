"""Compare values of a system's parameters by cross-validation on the SemEval-2010 training papers.

    KEYWRIGHT_MIRROR=... python tools/train/choose_parameters.py kpminer cutoff=400,850 least_seen=2,3

Each combination of the values given is fitted on four fifths of the 144 papers and predicts the rest, five times; the
official scores are over all papers. No test paper is read. Papers are tagged once; the analyses stay in the folder of
caches.
"""

import argparse
import itertools
import sys
import time
from collections.abc import Iterator
from typing import Any

from keywright import api
from keywright.core.signatures import change_part, parse_parameters
from keywright.experiments.semeval2010_records import CUTOFFS
from keywright.experiments.semeval2010_task import FOLDS, SEED, TRAIN, analyse_split, report_held_out

COLUMNS = (*(f"combined/F@{cutoff}" for cutoff in CUTOFFS), "reader/F@15", "author/F@15")


def main() -> None:
    """Try, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", help="a name of the catalogue, or the folder of a saved system")
    parser.add_argument("values", nargs="*", metavar="PARAMETER=VALUE,VALUE", help="; stands for , inside a value")
    parser.add_argument("--folds", type=int, default=FOLDS)
    parser.add_argument("--seed", type=int, default=SEED, help="of the folds")
    options = parser.parse_args()
    system: Any = api.system(options.system)
    papers = analyse_split(TRAIN, tagged="tags" in system.needs, progress=report_progress)
    print(f"{options.folds} folds of {len(papers)} papers", *COLUMNS, "seconds", sep="\t")
    for texts in combinations(options.values):
        begin = time.perf_counter()
        tried = change_part(system, parse_parameters(type(system), texts, options.system), options.system)
        values = report_held_out(tried, papers, options.folds, options.seed).values
        name = " ".join(f"{option}={text}" for option, text in texts.items()) or "as it comes"
        row = [f"{100 * values[column]:.2f}" for column in COLUMNS]
        print(name, *row, f"{time.perf_counter() - begin:.0f}", sep="\t", flush=True)


def report_progress(number: int, total: int) -> None:
    """Report the progress of the analysis."""
    print(f"\ranalysed {number} of {total}", end="" if number < total else "\n", file=sys.stderr)


def combinations(values: list[str]) -> Iterator[dict[str, str]]:
    """Yield every choice of a value for each parameter."""
    split = [assignment.partition("=") for assignment in values]
    lists = [[text.replace(";", ",") for text in texts.split(",")] for _, _, texts in split]
    for choice in itertools.product(*lists):
        yield dict(zip((name for name, _, _ in split), choice, strict=True))


if __name__ == "__main__":
    main()
