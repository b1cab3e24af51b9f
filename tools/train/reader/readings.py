"""What the reader learns from: windows of documents, mentions of candidates, answers, and the default's log-odds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import Style
from keywright.extraction.features.description.described_candidates import STYLES

_FILE: Final = "readings.npz"


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Which candidates of a document people chose, in one style.

    Attributes:
        weight: of each candidate, 0 or above.
        answers: whether each is a keyphrase, (candidates,).
        log_odds: of the default, whose trees have not learnt from the document, (candidates,).
    """

    style: Style
    weight: float
    answers: Bools
    log_odds: Floats


@dataclass(frozen=True, slots=True, eq=False)
class TextRead:
    """A document as the reader learns from it.

    Attributes:
        id: hash of its text.
        part: index of its part of the training data.
        gold: number of its keyphrases, wherever they are; 0 if only those among the candidates count.
        windows: pieces of each, with marks.
        candidate: of each mention, ascending, (mentions,).
        window: of each mention, (mentions,).
        first: first piece of each mention in its window, whose mark is before it, (mentions,).
        last: last piece, (mentions,).
        answers: in each style that it teaches.
    """

    id: int
    part: int
    windows: Sequence[Ints]
    candidate: Ints
    window: Ints
    first: Ints
    last: Ints
    answers: Sequence[Answers]
    gold: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """All documents as columns, from which batches are cut.

    What belongs to document ``i`` lies from ``bounds[i]`` to before ``bounds[i + 1]`` of the column of bounds,
    (documents + 1,); an example is a document in one style.

    Attributes:
        id, part, gold: as in ``TextRead``, (documents,).
        names: of the parts, (parts,).
        pieces: of all windows, (pieces,).
        windows: where windows begin and the last one ends, (windows + 1,).
        window_bounds: windows of documents.
        candidate, window, first, last: as in ``TextRead``, (mentions,).
        mention_bounds: mentions of documents.
        example_bounds: examples of documents.
        style: index of the style, (examples,).
        weight: of each candidate, (examples,).
        answer_bounds: answers of examples, (examples + 1,).
        answers, log_odds: as in ``Answers``, one example behind the other.
    """

    id: Ints
    part: Ints
    gold: Ints
    names: NDArray[np.str_]
    pieces: Ints
    windows: Ints
    window_bounds: Ints
    candidate: Ints
    window: Ints
    first: Ints
    last: Ints
    mention_bounds: Ints
    example_bounds: Ints
    style: Ints
    weight: Floats
    answer_bounds: Ints
    answers: Bools
    log_odds: Floats

    @classmethod
    def of(cls, documents: Iterable[TextRead], names: Sequence[str]) -> Self:
        """Return the columns of documents, at least one; ``names``: of the parts."""
        listed = list(documents)
        windows = [window for document in listed for window in document.windows]
        examples = [answers for document in listed for answers in document.answers]
        mentions = {
            name: np.concatenate([getattr(document, name) for document in listed])
            for name in ("candidate", "window", "first", "last")
        }
        return cls(
            id=np.array([document.id for document in listed], np.uint64),
            part=np.array([document.part for document in listed]),
            gold=np.array([document.gold for document in listed]),
            names=np.array(names),
            pieces=np.concatenate(windows).astype(np.uint32),
            windows=_bounds(map(len, windows)),
            window_bounds=_bounds(len(document.windows) for document in listed),
            **mentions,
            mention_bounds=_bounds(len(document.candidate) for document in listed),
            example_bounds=_bounds(len(document.answers) for document in listed),
            style=np.array([STYLES.index(example.style) for example in examples]),
            weight=np.array([example.weight for example in examples]),
            answer_bounds=_bounds(len(example.answers) for example in examples),
            answers=np.concatenate([example.answers for example in examples]),
            log_odds=np.concatenate([example.log_odds for example in examples]).astype(np.float32),
        )

    def save(self, folder: Path) -> None:
        """Write as a file of numpy in a folder, which is made."""
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(folder / _FILE, **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what ``save`` wrote in a folder.

        Raises:
            SystemExit: nothing was written there.
        """
        if not (folder / _FILE).is_file():
            raise SystemExit(f"{folder} has no {_FILE}: python -m tools.train.reader.prepare {folder} writes it")
        with np.load(folder / _FILE, allow_pickle=False) as columns:
            return cls(**{field.name: columns[field.name] for field in fields(cls)})

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.id)

    def data_of(self, document: int) -> str:
        """Return the name of a document's part."""
        return str(self.names[self.part[document]])

    def of_data(self, names: Iterable[str]) -> Bools:
        """Return which documents are of parts with some names, (documents,)."""
        return np.asarray(np.isin(self.names, list(names))[self.part])

    @property
    def longest(self) -> Ints:
        """Pieces of the longest window of each document, (documents,)."""
        return np.maximum.reduceat(np.diff(self.windows), self.window_bounds[:-1])

    def answers_of(self, document: int) -> slice:
        """Return where the answers of a document are, those of all its examples."""
        return slice(*self.answer_bounds[self.example_bounds[document : document + 2]].tolist())

    def answered(self, document: int, values: Floats) -> Iterator[tuple[Answers, Floats]]:
        """Yield the examples of a document with their part of ``values``, which are of all its answers, or more."""
        begin = 0
        for example in self.range(self.example_bounds, document):
            its = self.within(self.answer_bounds, example)
            style, end = STYLES[self.style[example]], begin + its.stop - its.start
            answers = Answers(style, float(self.weight[example]), self.answers[its], self.log_odds[its])
            yield answers, values[begin:end]
            begin = end

    def within(self, bounds: Ints, number: int) -> slice:
        """Return what belongs to a document or an example."""
        return slice(*bounds[number : number + 2].tolist())

    def range(self, bounds: Ints, number: int) -> range:
        """Return the numbers of what belongs to a document."""
        return range(*bounds[number : number + 2].tolist())


def _bounds(sizes: Iterable[int]) -> Ints:
    """Return where each segment begins, and where the last one ends, (segments + 1,)."""
    return np.concatenate(([0], np.cumsum(list(sizes), dtype=np.int64)))
