"""Vote: several systems on one document, their lists combined into one.

Each system ranks its best phrases; ``ensembles.voting`` combines the lists, and names the sources. A phrase that many
systems agree on is more often right than the first phrase of any of them; nothing is trained. Systems of different
kinds agree by chance less often than similar ones.

Choices: each list has ``pool`` phrases, whatever the length of the result, since in lists of all candidates every
phrase would have every vote. The usual systems need no training and no tags; of these, ranks were behind votes by
.003 F at most on training papers of SemEval-2010 and validation abstracts of Inspec, and ahead by .02 at most, at 5 and
10 keyphrases and pools of 10 to 50.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Extractor, Prefetching, rank_document
from keywright.ensembles.voting import MIN_LISTS, Method, Voting, choose_confidences, collect_ballots, find_method
from keywright.extraction.systems.counting import Counting
from keywright.extraction.systems.kpminer import KPMiner
from keywright.extraction.systems.sgrank import SGRank


def three_untrained() -> tuple[Extractor, ...]:
    """Return the usual systems: counting, kpminer, sgrank."""
    return Counting(), KPMiner(), SGRank()


@dataclass(frozen=True)
class Vote:
    """A vote of several systems, by votes, ranks or probabilities.

    systems  two or more, by name
    method   number of lists with a phrase (votes), reciprocal rank fusion (ranks), or the mean of the probabilities,
             where all systems give some; by ranks for documents from which a system withholds its own
    pool     number of each system's best phrases in its list
    """

    systems: tuple[Extractor, ...] = field(default_factory=three_untrained)
    method: Literal["votes", "ranks", "probabilities"] = "ranks"
    pool: int = 15

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
        """Rank the phrases in any system's list.

        Raises:
            BadParameter: a system gives no probability where these decide.
        """
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
