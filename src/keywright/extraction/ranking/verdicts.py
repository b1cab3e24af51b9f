"""What the default's two tastes say of a shortlist, and what each of its columns contributed to that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.extraction.features.description.columns import RANKS
from keywright.extraction.learners.gate import mix_log_odds, share_explained
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.context_reader import IN_CONTEXT
from keywright.extraction.ranking.reasons import contributions_by_subject

WEIGHT: Final = f"{RANKS}: weight"
"""Column of the weights by which the start is shared out, for which it counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """Log-odds of the shortlist by one taste, (shortlist,).

    Attributes:
        trees: of the taste.
        usual: number of keyphrases that it expects of a document; None where none was learnt.
        start: log-odds that the trees correct, (shortlist,).
        added: what the encoder added, (shortlist,).
    """

    trees: Trees
    usual: float | None
    start: Floats
    log_odds: Floats
    added: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class JudgedShortlist:
    """The shortlists of documents with their log-odds.

    Attributes:
        rows: description with the style, (shortlist, columns + 1).
        log_odds: of all tastes together, (shortlist,).
        moved: what the expected number of the document's keyphrases added to them, (shortlist,).
        verdicts: of the tastes.
        shares: part of the log-odds that each of them explains, (shortlist,) each.
        expected: number of keyphrases that is expected of each document.
    """

    rows: Floats
    log_odds: Floats
    moved: Floats
    verdicts: Sequence[Verdict]
    shares: Sequence[Floats]
    expected: Sequence[float | None]

    def explain(self, row: Ints, columns: Sequence[str]) -> dict[str, Floats]:
        """Return what moved the log-odds of some rows, by subject, (rows,) each; they sum to the log-odds."""
        moved: dict[str, Floats] = {}
        for verdict, share in zip(self.verdicts, self.shares, strict=True):
            contributions = verdict.trees.contributions(self.rows[row])
            contributions[:, columns.index(WEIGHT)] += verdict.start[row] + self.moved[row]
            by_subject = contributions_by_subject(contributions, columns)
            if verdict.added is not None:
                by_subject[IN_CONTEXT] = verdict.added[row]
            for subject, column in by_subject.items():
                moved[subject] = moved.get(subject, 0.0) + share[row] * column
        return moved


def judge_by(
    verdicts: Sequence[Verdict], rows: Floats, shares: Floats, number: Ints, declared: float | None
) -> JudgedShortlist:
    """Return the log-odds of averaged probabilities of one or two tastes.

    Args:
        verdicts: of the tastes.
        rows: description with the style, (shortlist, columns + 1).
        shares: of the second taste in each document, 0 to 1, (documents,).
        number: document of each row, (shortlist,).
        declared: number of keyphrases that is expected of each document; None for the mean of the tastes' numbers.
    """
    log_odds = verdicts[0].log_odds
    explained: Sequence[Floats] = (np.ones(len(rows)),)
    if len(verdicts) > 1:
        pair = verdicts[0].log_odds, verdicts[1].log_odds
        log_odds = mix_log_odds(*pair, shares[number])
        of_second = share_explained(*pair, log_odds)
        explained = (1 - of_second, of_second)
    usual, other = verdicts[0].usual, verdicts[-1].usual
    if usual is None or other is None:
        return JudgedShortlist(rows, log_odds, np.zeros(len(rows)), verdicts, explained, [None] * len(shares))
    means = (1 - shares) * usual + shares * other  # probabilities that are averaged sum to the average number
    moved = np.zeros(len(shares)) if declared is None else np.log(declared / means)
    expected = [round(mean, 1) if declared is None else declared for mean in means.tolist()]
    return JudgedShortlist(rows, log_odds + moved[number], moved[number], verdicts, explained, expected)
