"""keywright's own neutral protocol, version 1, without the known bugs of published scorers.

Phrases are compared after Unicode NFKC, case folding, collapsing of white space and Porter's stemmer (Martin's variant)
on each run of letters. The first of repeats counts on both sides, a gold phrase gives one credit, any of its
alternatives is accepted, precision divides by the cutoff, and a quotient by 0 is 0. Documents without gold are left out
of R and F, their predictions count in P. Every gold document must be answered, once. Values are reported pooled (plain
names), as harmonic mean of macro means (``macro-``) and as means of document scores (``mean-``).
"""

from typing import Final

from keywright.evaluation import rules
from keywright.evaluation.measures.measure import at
from keywright.evaluation.protocol import Protocol

KEYWRIGHT_1: Final = Protocol(
    name="keywright-1",
    marks=rules.ByteMarks.STRIPPED,
    write=rules.unchanged,
    repeated_ids=rules.OddIds.REFUSED,
    unknown_ids=rules.OddIds.REFUSED,
    missing_ids=rules.OddIds.REFUSED,
    normalise=rules.neutral,
    accept=rules.not_empty,
    accept_gold=rules.not_empty,
    repeats=rules.Repeats.FIRST,
    gold_repeats=rules.Repeats.FIRST,
    alternatives=rules.every,
    matching=rules.once,
    short_list=rules.ShortList.OF_CUTOFF,
    no_gold=rules.NoGold.LEFT_OUT,
    documents=rules.Documents.COUNTED,
    average=(rules.Average.MICRO, rules.Average.MACRO, rules.Average.MEAN),
    zero_divisor=rules.ZeroDivisor.ZERO,
    f_from=rules.FScore.EXACT,
    unit=rules.Unit.FRACTION,
    decimals=None,
    measures=at(5, 10, 15, "M", "O"),
)
"""Recommended where no published number has to be matched."""
