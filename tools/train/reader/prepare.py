"""Prepare the training documents of the default for the reader.

    KEYWRIGHT_MIRROR=... python -m tools.train.reader.prepare FOLDER [--every N] [--leave-out DATA ...]

Each document is read, described and cut into windows, as the reader will do it. The default's log-odds are those of
trees that learnt from other documents (cross-fitting): the reader learns to correct the default as it is on new ones.
With collections left out, no trees learn from these, nor from documents that overlap them; ``train`` with the same ones
leaves them out of the reader as well.
"""

import argparse
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.progress import track
from tools.train.reader.readings import Answers, Readings, TextRead

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.datasets.collection import load
from keywright.datasets.training_mix import TRAINING
from keywright.extraction.corpus.knowledge import knowledge_of
from keywright.extraction.learners.examples import Examples
from keywright.extraction.learners.growing import held_out_scores, trees_of
from keywright.extraction.ranking.context_reader import best_candidates, read_mentions
from keywright.text.encoders import MINILM, Pieces, Windows, cut_windows
from studies.training_data.author_lists import author_lists
from studies.training_data.decontamination import Traces, overlapping_ids
from studies.training_data.examples import SETTINGS, TrainingData, training_views, untrained, without_lists
from studies.training_data.training_documents import training_documents


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """A training document, described as the default does it."""

    part: int
    windows: Windows
    shortlist: Candidates
    examples: tuple[Examples, ...]


def described(mirror: Path, every: int, left_out: Sequence[str] = ()) -> Iterator[Described]:
    """Yield every so many training documents that have candidates and something to read.

    Those that overlap a data set that is left out are skipped, but not its own.
    """
    overlapping = overlapping_documents(left_out, mirror)
    documents = (
        training
        for training in training_documents(TRAINING, mirror)
        if training.labelled.id not in overlapping.get(training.part.data, ())
    )
    data = TrainingData.of(itertools.islice(documents, 0, None, every))
    views = training_views(untrained(knowledge_of("en")), data, without_lists(author_lists("en", mirror)))
    tokenizer = MINILM.load_tokenizer()
    for view in track(views, "describing", len(data.documents)):
        windows = cut_windows(view.document, tokenizer)
        if view.examples and len(windows):
            yield Described(TRAINING.index(view.training.part), windows, view.shortlist, view.examples)


def read(document: Described, log_odds: Sequence[Floats], pieces: Pieces = MINILM, gold: int = 0) -> TextRead:
    """Return what the reader learns from a document: the windows, candidates and mentions that it would read.

    Keyphrases that it would not read are left out: it would learn that hardly probable candidates are keyphrases.

    ``log_odds``: of the default for each of its examples, (shortlist,) each; candidates are read by their highest one;
    ``pieces``: of the encoder; ``gold``: as in ``TextRead``.
    """
    highest = np.max(log_odds, axis=0)
    learnt = best_candidates(highest)
    mentions = read_mentions(document.windows, document.shortlist, highest)
    return TextRead(
        id=int(document.examples[0].document, 16),
        part=document.part,
        windows=[pieces.add_marks(document.windows.window(number)) for number in mentions.windows],
        candidate=(np.cumsum(learnt) - 1)[mentions.owner],
        window=np.searchsorted(mentions.windows, mentions.window),
        first=mentions.first + 1,  # the mark is before the first piece
        last=mentions.last + 1,
        answers=[
            Answers(example.style, example.weight, example.answers[learnt], scores[learnt])
            for example, scores in zip(document.examples, log_odds, strict=True)
        ],
        gold=gold,
    )


def overlapping_documents(left_out: Sequence[str], mirror: Path) -> Mapping[str, frozenset[str]]:
    """Return the ids of training documents that overlap one of the data sets that are left out, by data set."""
    if not left_out:
        return {}
    others = {part.data for part in TRAINING} - {*left_out}
    sample = Traces.of(labelled for data in left_out for labelled in load(data, mirror))
    return {data: overlapping_ids(Traces.of(load(data, mirror)), sample) for data in sorted(others)}


def readings(documents: Iterable[Described], left_out: Sequence[str] = ()) -> Readings:
    """Return what the reader learns from documents; of data sets that are left out, what it is measured on."""
    listed = list(documents)
    learnt = [document for document in listed if TRAINING[document.part].data not in left_out]
    examples = [example for document in learnt for example in document.examples]
    scores = iter(held_out_scores(examples, SETTINGS))
    trees = trees_of(examples, SETTINGS) if len(learnt) < len(listed) else None

    def log_odds(document: Described) -> list[Floats]:
        if trees is not None and TRAINING[document.part].data in left_out:
            return [trees.scores(example.rows) + example.start for example in document.examples]
        return list(itertools.islice(scores, len(document.examples)))

    return Readings.of((read(document, log_odds(document)) for document in listed), [part.data for part in TRAINING])


def main() -> None:
    """Describe, cross-fit, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take the first of every so many documents")
    names = sorted({part.data for part in TRAINING})
    parser.add_argument("--leave-out", nargs="+", default=[], choices=names, help="data sets that no trees learn from")
    options = parser.parse_args()
    mirror = Path(os.environ["KEYWRIGHT_MIRROR"])
    prepared = readings(described(mirror, options.every, options.leave_out), options.leave_out)
    prepared.save(options.folder)
    print(f"{len(prepared):,} documents, {len(prepared.pieces):,} pieces, {len(prepared.answers):,} answers")


if __name__ == "__main__":
    main()
