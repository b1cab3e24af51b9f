"""Measure what readers gain on documents that they did not learn from.

    python -m tools.train.reader.gains FOLDER [--left-out FOLDER ...] -o FILE [--seed N]

FOLDER has the log-odds that ``train`` wrote of a half or both, and each of the others those of collections that were
left out. FILE gets a row for each collection, style and measure, of the halves with this seed, and their means over
collections; and the mean of each seed, and of all seeds together, for ``python -m studies reader``. Mean gains are
printed for several shares of the corrections as well: the one that ships is chosen on collections that were left out.
With ``--languages``, FOLDER is that of ``prepare_others``, with log-odds of languages that were left out.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from tools.train.reader.readings import Readings

from keywright.core.arrays import Floats
from studies.reader.gains import f1_at, gains_of, mean_gains
from studies.reader.rows import CUTOFFS, Gain, SeedGain

HALF: Final = "half"
"""Beginning of the names of files with a half of all documents."""
SHARES: Final = (0.25, 0.5, 0.75, 1.0)
"""Shares of the corrections that are compared; arbitrary."""
SHIPPED: Final = 0.75
"""Share that ships: on collections that were left out of trees and reader it gains as much as the whole, and none of
them loses clearly."""
SHIPPED_OF_OTHERS: Final = 0.5
"""The same of other languages, on those that were left out."""


def gains(documents: str, f1: Mapping[tuple[str, str], Floats]) -> list[Gain]:
    """Return what the reader gains, by collection and style, and in the mean over collections.

    Args:
        documents: why they were held out, in the rows.
        f1: of ``f1_by_collection``.
    """
    by_collection = [gain for name in sorted(f1) for gain in gains_of(documents, *name, f1[name])]
    return [*by_collection, *mean_gains(documents, f1)]


def f1_by_collection(readings: Readings, scores: Mapping[int, Floats]) -> dict[tuple[str, str], Floats]:
    """Return F1 before, by the corrections alone, and after, by collection and style, (documents, 3, cutoffs) each."""
    values: dict[tuple[str, str], list[Floats]] = {}
    for document, corrected in scores.items():
        gold = int(readings.gold[document])
        for example, after in readings.answered(document, corrected):
            if gold or example.answers.any():
                ranked_by = (example.log_odds, after - example.log_odds, after)
                f1 = np.array([f1_at(log_odds, example.answers, gold) for log_odds in ranked_by])
                values.setdefault((readings.data_of(document), example.style.value), []).append(f1)
    return {name: np.stack(listed) for name, listed in values.items()}


def gains_by_style(readings: Readings, scores: Mapping[int, Floats]) -> dict[str, Floats]:
    """Return the gains of each collection at each cutoff, by style, (collections, cutoffs) each."""
    by_style: dict[str, list[Floats]] = {}
    for (_, style), f1 in f1_by_collection(readings, scores).items():
        by_style.setdefault(style, []).append((f1[:, 2] - f1[:, 0]).mean(axis=0))
    return {style: np.stack(listed) for style, listed in by_style.items()}


def show(rows: Iterable[Gain]) -> None:
    """Print a line for each row."""
    for row in rows:
        low, high = row.interval
        where = f"{row.dataset}, {row.gold}, {row.measure}, {row.number} documents"
        print(f"{where:60} {row.standard:.3f} {row.encoder:.3f} {row.best:.3f} ({low:+.3f} to {high:+.3f})")


def scores_in(file: Path, readings: Readings) -> dict[int, Floats]:
    """Return the corrected log-odds of the answers of each document in a file of ``train``."""
    with np.load(file, allow_pickle=False) as columns:
        documents, log_odds = columns["documents"].tolist(), columns["log_odds"]
    scores, begin = {}, 0
    for document in documents:
        answers = readings.answers_of(document)
        end = begin + answers.stop - answers.start
        scores[document], begin = log_odds[begin:end], end
    return scores


def shared(readings: Readings, scores: Mapping[int, Floats], share: float) -> dict[int, Floats]:
    """Return log-odds with a share of their corrections."""
    before = {document: readings.log_odds[readings.answers_of(document)] for document in scores}
    return {document: before[document] + share * (after - before[document]) for document, after in scores.items()}


def by_seed(readings: Readings, files: Iterable[Path]) -> dict[str, dict[int, Floats]]:
    """Return the corrected log-odds in files of ``train``, by seed and document."""
    found: dict[str, dict[int, Floats]] = {}
    for file in sorted(files):
        found.setdefault(file.stem.partition("-seed")[2], {}).update(scores_in(file, readings))
    return found


def of_seeds(readings: Readings, halves: Mapping[str, Mapping[int, Floats]]) -> Iterator[SeedGain]:
    """Yield the mean gain over collections of the halves of each seed, and of the mean of their corrections.

    All are of the documents that all seeds held out.
    """
    common = set.intersection(*map(set, halves.values())) if halves else set()
    every = {seed: {document: scores[document] for document in common} for seed, scores in halves.items()}
    if len(halves) > 1:
        every[" + ".join(halves)] = {
            document: np.mean([scores[document] for scores in halves.values()], axis=0) for document in common
        }
    for seed, scores in every.items():
        for style, gained in gains_by_style(readings, shared(readings, scores, SHIPPED)).items():
            for cutoff, gain in zip(CUTOFFS, gained.mean(axis=0).tolist(), strict=True):
                yield SeedGain(seed, style, f"F@{cutoff}", len(gained), gain)


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """Corrected log-odds of documents that an encoder did not learn from.

    Attributes:
        origin: why they were held out.
        readings: all documents.
        scores: of the answers of each document.
    """

    origin: str
    readings: Readings
    scores: Mapping[int, Floats]

    def f1(self, share: float) -> dict[tuple[str, str], Floats]:
        """Return F1 by collection and style with a share of the corrections, as ``f1_by_collection`` does."""
        return f1_by_collection(self.readings, shared(self.readings, self.scores, share))


def left_out_in(folders: Iterable[Path]) -> Iterator[HeldOut]:
    """Yield what the trainings in folders of collections left out were measured on."""
    for folder in folders:
        readings = Readings.load(folder)
        for file in sorted(folder.glob("*-seed*.npz")):
            yield HeldOut("left out", readings, scores_in(file, readings))


def by_origin(parts: Iterable[HeldOut], share: float) -> dict[str, dict[tuple[str, str], Floats]]:
    """Return F1 by collection and style, by origin, as ``f1_by_collection`` does."""
    origins: dict[str, dict[tuple[str, str], Floats]] = {}
    for part in parts:
        origins.setdefault(part.origin, {}).update(part.f1(share))
    return origins


def main() -> None:
    """Measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--left-out", nargs="+", type=Path, default=[], metavar="FOLDER", help="of collections left out"
    )
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1, help="of the halves")
    parser.add_argument("--languages", action="store_true", help="of languages left out")
    options = parser.parse_args()
    readings = Readings.load(options.folder)
    halves = by_seed(readings, options.folder.glob(f"{HALF}*-seed*.npz"))
    parts = [HeldOut("held out", readings, halves.get(str(options.seed), {})), *left_out_in(options.left_out)]
    shipped = SHIPPED
    if options.languages:
        left_out = by_seed(readings, options.folder.glob("*-seed*.npz"))
        parts, shipped = [HeldOut("language", readings, left_out[str(options.seed)])], SHIPPED_OF_OTHERS
    for share in SHARES:
        for origin, values in by_origin(parts, share).items():
            print(f"share {share}, {origin}:")
            show(mean_gains(origin, values))
    rows = [row for origin, values in by_origin(parts, shipped).items() for row in gains(origin, values)]
    show(rows)
    seeds = list(of_seeds(readings, halves))
    for seed in seeds:
        print(f"seed {seed.seeds}, {seed.style}, {seed.measure}: {seed.gain:+.4f}, {seed.number} data sets")
    options.output.write_text(json.dumps([row.record() for row in (*rows, *seeds)], indent=1) + "\n")


if __name__ == "__main__":
    main()
