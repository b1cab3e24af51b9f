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
from keywright.ranking.context_reader import best_candidates, read_mentions
from keywright.text.encoder_windows import Windows, windows_of
from keywright.text.encoders import minilm_tokenizer
from studies.training_data.author_lists import author_lists
from studies.training_data.examples import SETTINGS, TrainingData, training_views, untrained, without_lists
from studies.training_data.training_documents import training_documents

FILE: Final = "readings.npz"


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
    """Return what the reader learns from a document: the windows, candidates and mentions that it would read.

    Keyphrases that it would not read are left out: it would learn that hardly probable candidates are keyphrases.

    ``log_odds``: of the default for each of its examples, (shortlist,) each; candidates are read by their highest one.
    """
    highest = np.max(log_odds, axis=0)
    learnt = best_candidates(highest)
    mentions = read_mentions(document.windows, document.shortlist, highest)
    return TextRead(
        id=int(document.examples[0].document, 16),
        part=document.part,
        windows=[document.windows.window(number) for number in mentions.windows],
        candidate=(np.cumsum(learnt) - 1)[mentions.owner],
        window=np.searchsorted(mentions.windows, mentions.window),
        first=mentions.first,
        last=mentions.last,
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
