"""Candidates: the phrases of one document that may become keyphrases, as columns; and rankings of them."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys, Numbers
from keywright.core.documents import Document
from keywright.core.errors import BrokenPromise
from keywright.core.keyphrases import Concept, Generation, Keyphrase
from keywright.core.predictions import Assumption, Prediction


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Phrases with equal stems, grouped; in the order of their first occurrence.

    ``key``: 64-bit hash of the stems, corpus tables are sorted arrays of such keys; ``length``: tokens of the first
    occurrence; ``frequency``: number of occurrences; ``first``, ``last``: token positions of occurrences; all
    (candidates,). Occurrences of candidate ``i`` are ``offsets[i]:offsets[i + 1]``, (candidates + 1,), of
    ``positions``, tokens where they begin, ascending within a candidate, and ``widths``, their tokens, (occurrences,)
    both: forms of one phrase can differ in these (*peer-to-peer*, *peer to peer*).
    """

    key: Keys
    length: Ints
    frequency: Ints
    first: Ints
    last: Ints
    offsets: Ints
    positions: Ints
    widths: Ints

    def __len__(self) -> int:
        return len(self.key)

    @property
    def owner(self) -> Ints:
        """Index of the candidate that each occurrence belongs to, (occurrences,)."""
        return np.repeat(np.arange(len(self)), self.frequency)

    def where(self, mask: Bools) -> "Candidates":
        """Return the candidates at which a mask, (candidates,), is true, in the same order."""
        occurrences = np.repeat(mask, self.frequency)
        columns = (self.length, self.frequency, self.first, self.last)
        length, frequency, first, last = (column[mask] for column in columns)
        offsets = np.concatenate(([0], np.cumsum(frequency)))
        positions, widths = self.positions[occurrences], self.widths[occurrences]
        return Candidates(self.key[mask], length, frequency, first, last, offsets, positions, widths)

    def occurrences(self, index: int) -> tuple[Ints, Ints]:
        """Return positions and widths, both (occurrences of this candidate,)."""
        mine = slice(int(self.offsets[index]), int(self.offsets[index + 1]))
        return self.positions[mine], self.widths[mine]


Spans: TypeAlias = tuple[tuple[int, int], ...]  # places in a document's text, half-open, in characters, in order
Column: TypeAlias = Callable[[Ints], Floats]  # values at some positions of a ranking, (positions,)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The phrases of one document, best first and uncut.

    Cheap values are columns; values that cost time per phrase are functions of positions, called for the phrases that
    are shown. A position counts from 0, the best phrase of the *system's* ranking, and keeps that meaning when phrases
    are filtered out. Fields that a system has nothing for are None.

    ``scores``: higher is better, never rising, (ranked,); ``phrases``: text and spans; ``probabilities``: that a person
    would choose each, 0 to 1, nan where not known; ``evidence``: named columns that the scores were made of;
    ``chosen``, ``profile``, ``assumes``: see ``Prediction``; ``complete``: whether all phrases are ranked, and not the
    first of a depth; ``positions``: of the phrases in the system's ranking, ascending, (ranked,), None for all;
    ``lemmas``: the form in which phrases are compared; ``generations``: tokens and their probabilities; ``mentions``:
    position in the ranking, first token and number of tokens of each mention, (mentions,) each; ``concepts``: the
    concept of each phrase and the URIs of all that it can mean; ``withheld``: why probabilities that the system has are
    not given, else empty; ``generates``: whether phrases that are not in the document were written by the system.
    """

    source: Document
    scores: Floats
    phrases: Callable[[Ints], Sequence[tuple[str, Spans]]]
    probabilities: Column | None = None
    evidence: Callable[[Ints], Mapping[str, Numbers]] = lambda _positions: {}  # for systems that give none
    chosen: int | None = None
    warnings: tuple[str, ...] = ()
    profile: tuple[int, ...] = ()
    complete: bool = True
    positions: Ints | None = None
    lemmas: Callable[[Ints], Sequence[str]] | None = None
    generations: Callable[[Ints], Sequence[Generation | None]] | None = None
    assumes: Assumption | None = None
    mentions: Callable[[], tuple[Ints, Ints, Ints]] | None = None
    concepts: Callable[[Ints], Sequence[tuple[Concept, tuple[str, ...]]]] | None = None
    withheld: str = ""
    generates: bool = False

    @classmethod
    def from_keyphrases(
        cls,
        source: Document,
        keyphrases: Iterable[Keyphrase],
        *,
        chosen: int | None = None,
        warnings: tuple[str, ...] = (),
        generates: bool = False,
    ) -> Self:
        """Return the ranking of keyphrases that exist already, best first, such as those of a vote."""
        listed = tuple(keyphrases)
        names = dict.fromkeys(name for keyphrase in listed for name in keyphrase.evidence)
        sure = [np.nan if keyphrase.probability is None else keyphrase.probability for keyphrase in listed]
        probabilities = np.array(sure, np.float64)

        def evidence(positions: Ints) -> Mapping[str, Numbers]:
            rows = [listed[position].evidence for position in positions.tolist()]
            return {name: np.array([row.get(name, np.nan) for row in rows]) for name in names}

        return cls(
            source=source,
            scores=np.array([keyphrase.score for keyphrase in listed], np.float64),
            phrases=lambda positions: [(listed[at].text, listed[at].spans) for at in positions.tolist()],
            probabilities=None if np.isnan(probabilities).all() else probabilities.__getitem__,
            evidence=evidence,
            chosen=chosen,
            warnings=warnings,
            generations=lambda positions: [listed[at].generation for at in positions.tolist()],
            generates=generates,
        )

    def __len__(self) -> int:
        return len(self.scores)

    def positions_to(self, depth: int | None = None) -> Ints:
        """Return the positions of the first ``depth`` phrases, of all when None, (at most depth,)."""
        positions = np.arange(len(self)) if self.positions is None else self.positions
        return positions[:depth]

    def all_warnings(self) -> tuple[str, ...]:
        """Return the warnings of reading and of ranking, and why probabilities are withheld, each once."""
        return tuple(dict.fromkeys((*self.source.warnings, *self.warnings, *filter(None, [self.withheld]))))

    def without_probabilities(self, reason: str) -> Self:
        """Return the ranking with its probabilities withheld for a reason, and all that follows from them."""
        return replace(self, probabilities=None, chosen=None, assumes=None, withheld=reason)

    def where(self, selected: Bools | Ints) -> Self:
        """Return some of the phrases, by a mask (ranked,) or by ascending indices; ``chosen`` stays."""
        return replace(self, scores=self.scores[selected], positions=self.positions_to()[selected])

    def keyphrases(self, top: int | None = None, *, explain: bool = False, begin: int = 0) -> tuple[Keyphrase, ...]:
        """Return the phrases up to ``top``, all when None, from ``begin`` on; with their evidence if ``explain``."""
        positions = self.positions_to(top)[begin:]
        if not len(positions):
            return ()
        scores = self.scores[begin:top].tolist()
        if not all(map(math.isfinite, scores)):
            hint = "the weights of a trained system may be damaged: train it again; else report it to its author"
            raise BrokenPromise(f"a score of {self.source.id} is not a finite number", hint)
        values: list[float | None] = [None] * len(positions)
        if self.probabilities is not None:
            values = [None if math.isnan(value) else value for value in self.probabilities(positions).tolist()]
        columns = {name: column.tolist() for name, column in self.evidence(positions).items()} if explain else {}
        nothing = [None] * len(positions)
        lemmas = nothing if self.lemmas is None else self.lemmas(positions)
        generations = nothing if self.generations is None else self.generations(positions)
        concepts = [(None, ())] * len(positions) if self.concepts is None else self.concepts(positions)
        phrases = self.phrases(positions)
        return tuple(
            Keyphrase(
                *(text, score, probability, spans),
                evidence={name: column[row] for name, column in columns.items()},
                lemma=lemmas[row],
                generation=generations[row],
                concept=concepts[row][0],
                ambiguous=concepts[row][1],
                generated=self.generates and not spans,
            )
            for row, ((text, spans), score, probability) in enumerate(zip(phrases, scores, values, strict=True))
        )

    def prediction(self, top: int | None = None, *, explain: bool = False) -> Prediction:
        """Return the prediction of the first ``top`` phrases, of all when None; ``chosen`` is not looked at."""
        source, keyphrases, warnings = self.source, self.keyphrases(top, explain=explain), self.all_warnings()
        prediction = Prediction(source.id, keyphrases, self.chosen, source.coverage, warnings)
        return replace(prediction, profile=self.profile, assumes=self.assumes)
