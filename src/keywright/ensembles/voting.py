"""Voting: several ranked lists of one document become one, by votes, by ranks, or by probabilities.

Votes: phrases are ordered by the number of lists that have them; nothing is fitted. Ties are broken by the mean
confidence where every list has one that can be compared (a probability, or one from the probabilities of tokens), then
by the mean reciprocal rank, then by the order of the lists.

Ranks: reciprocal rank fusion (Cormack, Clarke and Buettcher 2009: Reciprocal rank fusion outperforms Condorcet and
individual rank learning methods), the sum of 1 / (60 + rank) over the lists that have a phrase.

Probabilities: the mean over calibrated lists, where a list without the phrase counts with the probability of phrases
that it leaves out. A mean of calibrated probabilities is itself not calibrated, but too close to the middle; it is a
score, and a calibrator can be fitted to it.
"""

import enum
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Annotated, ClassVar, Final, Literal

import numpy as np

from keywright.calibration.phrases import choose_confidence, compute_confidences
from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Ranking
from keywright.core.choices import Confidence
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter, unknown_name
from keywright.core.interfaces import Extractor, Prefetching, rank_document
from keywright.core.keyphrases import Keyphrase
from keywright.extraction.systems.counting import Counting
from keywright.extraction.systems.kpminer import KPMiner
from keywright.extraction.systems.sgrank import SGRank
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer

MIN_LISTS: Final = 2  # least number of lists of a vote
VOTES: Final = "votes"  # name of the evidence of a keyphrase: the number of lists that have it
_COMPARABLE: Final = frozenset(Confidence) - {Confidence.SCORE}


@dataclass(frozen=True, slots=True, eq=False)
class Ballots:
    """Ballots: rank and confidence of the phrases of one document in several ranked lists, in the order of the lists.

    Phrases of different lists are matched by stem. Present and absent phrases are ranked separately, as they are scored
    separately: the best absent phrase of a list has rank 1, however many present ones precede it.
    """

    # Each from the first list that ranks it highest, (phrases,); if it has no spans there, with those of the first list
    # that has some.
    keyphrases: tuple[Keyphrase, ...]
    present: Bools  # whether the document contains it according to any list, (phrases,)
    # Among the phrases of its class in each list, from 1 on; nan where it is not in the list, (phrases, lists).
    rank: Floats
    # Confidence of each list in it; nan where it is not in the list, or the list has none that could be compared with
    # that of others, (phrases, lists).
    confidence: Floats

    def __len__(self) -> int:
        return len(self.keyphrases)

    @property
    def listed(self) -> Bools:
        """Truth value for each phrase and list: the list has the phrase, (phrases, lists)."""
        return ~np.isnan(self.rank)

    @property
    def votes(self) -> Floats:
        """Number of lists with the phrase, (phrases,)."""
        return np.asarray(self.listed.sum(axis=1), float)

    @property
    def reciprocal_rank(self) -> Floats:
        """Mean of 1 / rank over the lists with the phrase, (phrases,), above 0 and at most 1."""
        return np.asarray(np.nansum(1 / self.rank, axis=1) / self.votes)

    @property
    def mean_confidence(self) -> Floats | None:
        """Mean over the lists with the phrase, (phrases,); None where one of them has no comparable confidence."""
        if np.isnan(self.confidence[self.listed]).any():
            return None
        return np.asarray(np.nansum(self.confidence, axis=1) / self.votes)


def collect_ballots(
    lists: Sequence[Sequence[Keyphrase]],
    kinds: Sequence[Confidence | None],
    present: Callable[[Keyphrase], bool] = attrgetter("present"),
    language: str | None = None,
    *,
    classes: bool = True,
) -> Ballots:
    """Return the ballots of lists, best first, for one document; of repeats in a list the first counts.

    ``kinds`` has each list's confidence, None for one that cannot be compared with others. ``present`` decides if a
    phrase occurs in the document, by default by its spans. Stems are English without a language. Without ``classes``
    present and absent phrases are ranked together, as for a list that is shown.
    """
    stem = stemmer(language or "en")
    lists_by_key: list[dict[Hashable, Keyphrase]] = [{} for _ in lists]
    for by_key, keyphrases in zip(lists_by_key, lists, strict=True):
        for keyphrase in keyphrases:  # one without letter or digit is known by its text
            by_key.setdefault(phrase_key(keyphrase.text, stem) or keyphrase.text, keyphrase)
    present_by_key: dict[Hashable, bool] = {}
    for by_key in lists_by_key:
        for key, keyphrase in by_key.items():
            present_by_key[key] = present_by_key.get(key, False) or present(keyphrase)
    row_of = {key: row for row, key in enumerate(present_by_key)}
    rank = np.full((len(row_of), len(lists)), np.nan)
    confidence = rank.copy()
    for column, (by_key, kind) in enumerate(zip(lists_by_key, kinds, strict=True)):
        class_sizes = {True: 0, False: 0}
        for key in by_key:
            class_sizes[present_by_key[key] or not classes] += 1
            rank[row_of[key], column] = class_sizes[present_by_key[key] or not classes]
        if kind is not None:
            confidence[[row_of[key] for key in by_key], column] = compute_confidences(tuple(by_key.values()), kind)
    best_list = np.nanargmin(rank, axis=1) if row_of else ()

    def best(key: Hashable, column: int) -> Keyphrase:
        """Return the keyphrase of a list, with the spans of any list: generators give none."""
        keyphrase = lists_by_key[column][key]
        spans = (by_key[key].spans for by_key in (lists_by_key[column], *lists_by_key) if key in by_key)
        return replace(keyphrase, spans=next(filter(None, spans), ()))

    return Ballots(tuple(map(best, row_of, best_list)), np.fromiter(present_by_key.values(), bool), rank, confidence)


class Method(enum.StrEnum):
    """Method of voting."""

    VOTES = "votes"
    RANKS = "ranks"
    PROBABILITIES = "probabilities"


def find_method(name: str) -> Method:
    """Return the method of this name."""
    if name not in list(Method):
        raise unknown_name("method of voting", name, [method.value for method in Method], "keywright combine --help")
    return Method(name)


@dataclass(frozen=True, slots=True)
class Voting:
    """A method of voting with its parameters."""

    method: Method = Method.VOTES
    smoothing: float = 60.0  # added to each rank by method ``ranks``, as in the paper; more lowers the weight of tops
    # For method ``probabilities``, those of present and of absent phrases that a list leaves out; empty for 0.
    absence: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        find_method(self.method)
        if not 0 <= self.smoothing < np.inf:
            raise BadParameter(f"smoothing {self.smoothing}", "expected a number from 0, such as 60")
        if odd := [p for pair in self.absence for p in pair if not 0 <= p <= 1]:
            raise BadParameter(f"absence {odd[0]} is not a probability", "expected numbers from 0 to 1")

    def rank(self, ballots: Ballots) -> tuple[Keyphrase, ...]:
        """Return the phrases of all lists, best first, each with its votes as evidence; scores never rise."""
        if not len(ballots):
            return ()
        votes, reciprocal, confidence = ballots.votes, ballots.reciprocal_rank, ballots.mean_confidence
        scores: Floats
        match self.method:
            case Method.VOTES:
                # A tie-breaker is at most 1, so that the sum keeps the order of votes.
                scores, ties = votes + (reciprocal if confidence is None else confidence), [votes, reciprocal]
            case Method.RANKS:
                scores = np.asarray(np.nansum(1 / (self.smoothing + ballots.rank), axis=1))
                ties = [reciprocal] if confidence is None else [confidence, reciprocal]
            case Method.PROBABILITIES:
                lists, ties = ballots.rank.shape[1], [votes, reciprocal]
                absence = np.array(self.absence or ((0.0, 0.0),) * lists)
                if len(absence) != lists:
                    message = f"{lists} lists and the absence of {len(absence)}"
                    raise BadParameter(message, "expected one pair for each list")
                missing = np.where(ballots.present[:, None], absence[:, 0], absence[:, 1])
                scores = np.where(ballots.listed, ballots.confidence, missing).mean(axis=1)
        order = np.lexsort([-column for column in (*reversed(ties), scores)])
        return list_voted(ballots, scores, order.tolist())


def list_voted(
    ballots: Ballots, scores: Floats, order: Sequence[int], probabilities: Floats | None = None
) -> tuple[Keyphrase, ...]:
    """Return phrases in an order, each with its score, (phrases,), its votes, and its probability if there are any."""
    votes = ballots.votes
    return tuple(
        replace(
            ballots.keyphrases[row],
            score=float(scores[row]),
            probability=None if probabilities is None else float(probabilities[row]),
            evidence={VOTES: float(votes[row])},
            grounds=None,
            generation=None,
        )
        for row in order
    )


def choose_confidences(lists: Sequence[Sequence[Keyphrase]], method: Method) -> tuple[Confidence | None, ...]:
    """Return each list's confidence that can be compared with others, probabilities where these vote, or None."""
    if method is Method.PROBABILITIES:
        return (Confidence.PROBABILITY,) * len(lists)
    return tuple(kind if kind in _COMPARABLE else None for kind in map(choose_confidence, lists))


def three_untrained() -> tuple[Extractor, ...]:
    """Return the usual systems: counting, kpminer, sgrank."""
    return Counting(), KPMiner(), SGRank()


@dataclass(frozen=True)
class Vote:
    """A vote of several systems on one document, by votes, ranks or probabilities.

    Each system ranks its best phrases; the lists are combined, and the sources named. A phrase that many systems agree
    on is more often right than the first phrase of any of them; nothing is trained. Systems of different kinds agree by
    chance less often than similar ones.

    Choices: each list has ``pool`` phrases, whatever the length of the result, since in lists of all candidates every
    phrase would have every vote. The usual systems need no training and no tags; of these, ranks were behind votes by
    .003 F at most on training papers of SemEval-2010 and validation abstracts of Inspec, and ahead by .02 at most, at 5
    and 10 keyphrases and pools of 10 to 50.
    """

    systems: Annotated[tuple[Extractor, ...], "two or more, by name"] = field(default_factory=three_untrained)
    method: Annotated[
        Literal["votes", "ranks", "probabilities"],
        "number of lists with a phrase (votes), reciprocal rank fusion (ranks), or the mean of the probabilities, "
        "where all systems give some; by ranks for documents from which a system withholds its own",
    ] = "ranks"
    pool: Annotated[int, "number of each system's best phrases in its list"] = 15

    name: ClassVar[str] = "vote"

    def __post_init__(self) -> None:
        find_method(self.method)
        if len(self.systems) < MIN_LISTS:
            hint = "expected two systems or more, such as default,kpminer"
            raise BadParameter(f"a vote of {len(self.systems)}", hint)
        if self.pool < 1:
            raise BadParameter(f"pool {self.pool}", "expected a number from 1")

    @property
    def needs(self) -> frozenset[str]:
        """Union of the systems' needs."""
        return frozenset[str]().union(*(system.needs for system in self.systems))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the phrases in any list; raises ``BadParameter`` where one lacks the probabilities that decide."""
        rankings = [rank_document(system, document, self.pool) for system in self.systems]
        lists = [ranking.keyphrases(self.pool) for ranking in rankings]
        method = Method(self.method)
        warnings = [warning for ranking in rankings for warning in ranking.all_warnings()]
        if method is Method.PROBABILITIES and any(ranking.withheld for ranking in rankings):
            method = Method.RANKS
            warnings.append("vote by ranks, as probabilities are withheld")
        elif method is Method.PROBABILITIES:
            for system, keyphrases in zip(self.systems, lists, strict=True):
                if any(keyphrase.probability is None for keyphrase in keyphrases):
                    message = f"{system.name} gives no probabilities, by which vote is to decide"
                    raise BadParameter(message, "take method=ranks, or systems that are calibrated")
        source = document.source
        ballots = collect_ballots(lists, choose_confidences(lists, method), language=source.language, classes=False)
        generates = any(ranking.generates for ranking in rankings)
        keyphrases = Voting(method).rank(ballots)
        return Ranking.from_keyphrases(source, keyphrases, warnings=tuple(warnings), generates=generates)

    def prefetch(self, documents: Sequence[Document]) -> None:
        """Let those systems work ahead that do so."""
        for system in self.systems:
            if isinstance(system, Prefetching):
                system.prefetch(documents)
