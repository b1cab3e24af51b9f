"""Prepare the training documents of the reader: those of the default, and the rest of the same collections.

    KEYWRIGHT_MIRROR=... python -m tools.train.reader.prepare FOLDER [--every N]

Each document is read, described and cut into windows, as the reader will do it. The default's log-odds are those of
trees that did not learn from the document: in cross-fitting for its own training documents, and the shipped ones for
the rest. The reader learns to correct the default as it is on new documents.
"""

import argparse
import itertools
import os
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from rich.progress import track
from tools.train.reader.readings import Answers, Readings, TextRead

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import Style
from keywright.corpus.knowledge import knowledge_of
from keywright.datasets.training_mix import TRAINING, TrainingPart
from keywright.learners.cross_fitting import held_out_scores
from keywright.learners.examples import Examples
from keywright.ranking.context_reader import best_candidates, read_mentions
from keywright.ranking.language_resources import shipped
from keywright.text.encoder_windows import Windows, windows_of
from keywright.text.encoders import minilm_tokenizer
from studies.training_data.author_lists import author_lists
from studies.training_data.examples import SETTINGS, TrainingData, training_views, untrained, without_lists
from studies.training_data.training_documents import TrainingDocument, training_documents

FILE: Final = "readings.npz"
_THESES: Final = "papyrus"
"""Source of theses in the mix, two thirds of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """A training document, described as the default does it.

    Attributes:
        part: index of its part of the training data.
        known: whether the default's trees have learnt from it.
    """

    part: int
    known: bool
    windows: Windows
    shortlist: Candidates
    examples: tuple[Examples, ...]


def all_documents(mirror: Path) -> Iterator[tuple[TrainingDocument, bool]]:
    """Yield all documents to learn from, and whether the default's trees have learnt from each.

    Beside the trees' documents these are the others of the collections of which the trees took some only, without
    theses, which rule the mix already.
    """
    known = set()
    for training in training_documents(TRAINING, mirror):
        known.add((training.part.data, training.labelled.id))
        yield training, True
    for training in training_documents([replace(part, every=1) for part in TRAINING if part.every > 1], mirror):
        is_thesis = training.labelled.document.meta.get("source") == _THESES
        if not is_thesis and (training.part.data, training.labelled.id) not in known:
            yield training, False


def described(mirror: Path, every: int) -> Iterator[Described]:
    """Yield every so many training documents that have candidates and something to read."""
    documents, known = zip(*itertools.islice(all_documents(mirror), 0, None, every), strict=True)
    data, weights = TrainingData.of(documents), shared_weights(documents, known)
    views = training_views(untrained(knowledge_of("en")), data, without_lists(author_lists("en", mirror)))
    tokenizer, parts = minilm_tokenizer(), [_name(part) for part in TRAINING]
    for view, learnt in zip(track(views, "describing", len(known)), known, strict=True):
        windows, name = windows_of(view.document, tokenizer), _name(view.training.part)
        if view.examples and len(windows):
            examples = tuple(
                example if example.style is Style.GENERAL else replace(example, weight=weights[name])
                for example in view.examples
            )
            yield Described(parts.index(name), learnt, windows, view.shortlist, examples)


def shared_weights(documents: Sequence[TrainingDocument], known: Sequence[bool]) -> dict[Hashable, float]:
    """Return the weight of a document of each part: the more were added, the less, so that no collection rules."""
    every = Counter(_name(training.part) for training in documents)
    of_trees = Counter(_name(training.part) for training, learnt in zip(documents, known, strict=True) if learnt)
    return {_name(part): part.weight * of_trees[_name(part)] / max(every[_name(part)], 1) for part in TRAINING}


def _name(part: TrainingPart) -> Hashable:
    return part.data, part.kinds


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
    ranker, listed = shipped(), list(documents)
    learnt = [example for document in listed if document.known for example in document.examples]
    scores = iter(held_out_scores(learnt, SETTINGS))
    return Readings.of(
        read(
            document,
            list(itertools.islice(scores, len(document.examples)))
            if document.known
            else [ranker.scores(example.rows, example.start) for example in document.examples],
        )
        for document in listed
    )


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
