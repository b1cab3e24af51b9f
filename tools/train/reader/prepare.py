"""Prepare the training documents of the default for the reader.

    KEYWRIGHT_MIRROR=... python -m tools.train.reader.prepare FOLDER [--every N]

Each document is read, described and cut into windows, as the reader will do it. The default's log-odds are those of
trees that learnt from other documents (cross-fitting): the reader learns to correct the default as it is on new ones.
"""

import argparse
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from rich.progress import track
from tools.train.reader.readings import Answers, Readings, TextRead

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.corpus.knowledge import knowledge_of
from keywright.datasets.training_mix import TRAINING
from keywright.learners.cross_fitting import held_out_scores
from keywright.learners.examples import Examples
from keywright.learners.probability import sigmoid
from keywright.ranking.context_reader import chosen_windows
from keywright.text.encoder_windows import Windows, windows_of
from keywright.text.encoders import minilm_tokenizer
from studies.training_data.author_lists import author_lists
from studies.training_data.examples import SETTINGS, TrainingData, training_views, untrained, without_lists
from studies.training_data.training_documents import training_documents

FILE: Final = "readings.npz"
CANDIDATES: Final = 60
"""Candidates of a document with the highest log-odds to learn from, besides all keyphrases; arbitrary."""
MENTIONS: Final = 6
"""Mentions of a candidate to learn from at most, the first ones; arbitrary."""
WINDOWS: Final = 4
"""Windows of a document to learn from at most; arbitrary: papers would rule otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """A training document, described as the default does it."""

    part: int
    windows: Windows
    shortlist: Candidates
    examples: tuple[Examples, ...]


def described(mirror: Path, every: int) -> Iterator[Described]:
    """Yield every so many training documents that have candidates and something to read."""
    data = TrainingData.of(itertools.islice(training_documents(TRAINING, mirror), 0, None, every))
    views = training_views(untrained(knowledge_of("en")), data, without_lists(author_lists("en", mirror)))
    tokenizer = minilm_tokenizer()
    for view in track(views, "describing", len(data.documents)):
        windows = windows_of(view.document, tokenizer)
        if view.examples and len(windows):
            yield Described(TRAINING.index(view.training.part), windows, view.shortlist, view.examples)


def read(document: Described, log_odds: Sequence[Floats]) -> TextRead:
    """Return what the reader learns from a document: some windows, candidates and mentions.

    ``log_odds``: of the default for each of its examples, (shortlist,) each.
    """
    best = np.max(log_odds, axis=0)
    rank = np.argsort(np.argsort(-best, kind="stable"))
    learnt = (rank < CANDIDATES) | np.any([example.answers for example in document.examples], axis=0)
    window, first, last = document.windows.mentions(document.shortlist)
    owner = document.shortlist.owner
    chosen = np.array(chosen_windows(owner, window, sigmoid(best), len(document.windows), WINDOWS))
    in_order = np.arange(len(owner)) - document.shortlist.offsets[owner]
    mine = learnt[owner] & (in_order < MENTIONS) & np.isin(window, chosen)
    return TextRead(
        id=int(document.examples[0].document, 16),
        part=document.part,
        windows=[document.windows.window(number) for number in chosen.tolist()],
        candidate=(np.cumsum(learnt) - 1)[owner[mine]],
        window=chosen.searchsorted(window[mine]),
        first=first[mine],
        last=last[mine],
        answers=[
            Answers(example.style, example.weight, example.answers[learnt], scores[learnt])
            for example, scores in zip(document.examples, log_odds, strict=True)
        ],
    )


def readings(documents: Iterable[Described]) -> Readings:
    """Return what the reader learns from documents."""
    listed = list(documents)
    scores = iter(held_out_scores([example for document in listed for example in document.examples], SETTINGS))
    return Readings.of(read(document, list(itertools.islice(scores, len(document.examples)))) for document in listed)


def main() -> None:
    """Describe, cross-fit, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take the first of every so many documents")
    options = parser.parse_args()
    prepared = readings(described(Path(os.environ["KEYWRIGHT_MIRROR"]), options.every))
    options.folder.mkdir(parents=True, exist_ok=True)
    prepared.save(options.folder / FILE)
    print(f"{len(prepared):,} documents, {len(prepared.pieces):,} pieces, {len(prepared.answers):,} answers")


if __name__ == "__main__":
    main()
