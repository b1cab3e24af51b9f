"""A meta-ranker: what several runs say of a phrase, and a little of the phrase itself, to the chance that it is right.

Boosted trees learn from documents with gold which runs to believe, and when (``calibrated_trees``). It then ranks
runs of the same systems over other documents. Where the same documents are to be learned from and to be ranked, there
is ``meta_crossfitting``.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from re import compile as pattern
from typing import Final, Self

import numpy as np

from keywright.calibration.calibrators.calibrating import ADVISED, FEWEST
from keywright.calibration.calibrators.same_system import same_system
from keywright.calibration.judgements.confidence import Confidence
from keywright.core.arrays import Floats
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.fingerprints import of_texts
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase
from keywright.core.runs import Run
from keywright.core.signatures import signature
from keywright.core.version import VERSION
from keywright.ensembles.aligned_runs import Together, called, together
from keywright.ensembles.calibrated_trees import CalibratedTrees
from keywright.ensembles.combining import combined, systems_of, with_gold
from keywright.ensembles.meta_features import Answered, Described, all_described, answered
from keywright.ensembles.voting import Method, listed

NAME: Final = "meta-ranker"

_FILE: Final = pattern(r"\|sha256:[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Card:
    """What a meta-ranker is for, and what it learned from.

    Attributes:
        systems: those of the runs, in their order, as signatures; of files of other tools without the file's hash.
        confidences: what is taken of each run's phrases, one of ``Confidence``; empty where it has none that could be
            compared with that of others.
        data: name or signature of the labelled documents; empty when not known.
        learned: fingerprint of each of them (``fingerprints.of_texts``), so that it is seen when they come again.
        phrases, correct: how many there were.
        date: of the fit, as in ISO 8601.
        keywright: version that fitted it.
    """

    systems: tuple[str, ...]
    confidences: tuple[str, ...]
    data: str
    learned: tuple[str, ...]
    phrases: int
    correct: int
    date: str
    keywright: str


@dataclass(frozen=True, eq=False)
class MetaRanker:
    """Trees over what runs of certain systems say, in a certain order.

    Attributes:
        card: what it is.
        trees: what it does.
    """

    card: Card
    trees: CalibratedTrees

    @classmethod
    def fit(
        cls,
        runs: Sequence[Run],
        labelled: Iterable[LabelledDocument[Document]],
        documents: Iterable[Document] = (),
        data: str = "",
    ) -> Self:
        """Learn from runs over labelled documents, all of whose gold counts; those without any are left out.

        Args:
            runs: two or more, over the same documents.
            labelled: all or some of these.
            documents: other texts of these, where phrases are looked up in place of those that came with the gold.
            data: what they are called.

        Raises:
            BadRecord: the runs are of different documents, or have none with gold.
            BadParameter: fewer than two runs or 20 documents; or all phrases are right, or none.
            MissingExtra: LightGBM is not installed.
        """
        gold = with_gold(labelled)
        given = together(runs, (*(one.document for one in gold.values()), *documents)).only(gold)
        kinds = given.kinds(Method.VOTES)
        seen = answered(given, all_described(given, kinds), gold)
        check_number(seen)
        learned = tuple(of_texts((given.texts[name],)) for name in seen.ids)
        return cls(_card(runs, kinds, seen, learned, data), CalibratedTrees.fit(seen))

    def rank(self, runs: Sequence[Run], documents: Iterable[Document]) -> Run:
        """One run from as many as it was fitted on, in their order; score and probability are the chance.

        Args:
            runs: over the same documents.
            documents: their texts, of each document that a run answers.

        Raises:
            BadParameter: other systems, or another number of them.
            BadRecord: the runs are of different documents, a document has no text, or a phrase lacks its confidence.
        """
        self._check(runs)
        given = together(runs, documents)
        kinds = tuple(Confidence(one) if one else None for one in self.card.confidences)
        seen = all_described(given, kinds)
        chances = {name: self.trees.of(one) for name, one in seen.items()}
        named = Ranked((self.trees.fingerprint,), "none", systems_of(runs))
        return combined(given, signature(named), by_chance(seen, chances))

    def known(self, documents: Iterable[Document]) -> int:
        """How many of the documents it learned from: ranked by it, these score too well."""
        learned = set(self.card.learned)
        return sum(of_texts((one,)) in learned for one in documents)

    def _check(self, runs: Sequence[Run]) -> None:
        """That runs are of the systems that it knows."""
        if len(runs) != len(self.card.systems):
            raise BadParameter(f"{len(runs)} runs", f"the meta-ranker was fitted on {len(self.card.systems)}")
        for at, (run, expected) in enumerate(zip(runs, self.card.systems, strict=True), start=1):
            if not same_system(expected, found := _system(run)):
                message = f"run {at} is of {found}, where the meta-ranker was fitted on {expected}"
                raise BadParameter(message, "name runs of the same systems in the same order, or fit it again")


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a meta-ranked run is called: its signature names the trees and the runs.

    Attributes:
        trees: fingerprints.
        cross_fitted: into how many folds the labelled documents were divided, so that none was ranked by trees that
            saw its gold; ``none`` for trees that learned elsewhere.
        runs: signatures.
    """

    trees: tuple[str, ...]
    cross_fitted: str
    runs: tuple[str, ...]
    name: str = NAME


def check_number(seen: Answered) -> None:
    """That there are documents enough to learn from.

    Raises:
        BadParameter: there are not.
    """
    if len(seen.ids) < FEWEST:
        message = f"{len(seen.ids)} documents of the runs have gold"
        raise BadParameter(message, f"expected at least {FEWEST}, better {ADVISED} to 100")


def by_chance(seen: Mapping[str, Described], chances: Mapping[str, Floats]) -> partial[tuple[Keyphrase, ...]]:
    """What ranks a document of these, for ``combined``: by chance, then votes, then mean reciprocal rank."""
    return partial(_ranked, seen, chances)


def _ranked(
    seen: Mapping[str, Described], chances: Mapping[str, Floats], _given: Together, name: str
) -> tuple[Keyphrase, ...]:
    ballots, chance = seen[name].ballots, chances[name]
    if not len(ballots):
        return ()
    order = np.lexsort((-ballots.reciprocal_rank, -ballots.votes, -chance)).tolist()
    return listed(ballots, chance, order, chance)


def _card(
    runs: Sequence[Run], kinds: Sequence[Confidence | None], seen: Answered, learned: tuple[str, ...], data: str
) -> Card:
    return Card(
        systems=tuple(map(_system, runs)),
        confidences=tuple("" if kind is None else kind.value for kind in kinds),
        data=data,
        learned=learned,
        phrases=sum(map(len, seen.correct)),
        correct=sum(int(one.sum()) for one in seen.correct),
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        keywright=VERSION,
    )


def _system(run: Run) -> str:
    """Its signature; another file of a generator's answers is of the same system."""
    return _FILE.sub("", run.system) or called(run)
