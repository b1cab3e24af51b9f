"""keywright's own neutral protocol, version 1: none of the accidents of published scorers.

Phrases are compared after Unicode NFKC, case folding, collapsing of white space and Porter's stemmer (Martin's variant)
on each run of letters. The first of repeats counts on both sides, a gold phrase gives one credit, any of its
alternatives is accepted, precision divides by the cutoff, and a quotient by 0 is 0. Documents without gold are left out
of R and F, their predictions count in P. Every gold document must be answered, once. Values are reported pooled (plain
names), as harmonic mean of macro means (``macro-``) and as means of document scores (``mean-``).
"""

from typing import Final

from keywright.evaluation.measures.measure import at
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import (
    Average,
    ByteMarks,
    Documents,
    FScore,
    NoGold,
    OddIds,
    Repeats,
    ShortList,
    Unit,
    ZeroDivisor,
    every,
    neutral,
    not_empty,
    once,
    unchanged,
)

KEYWRIGHT_1: Final = Protocol(
    name="keywright-1",
    marks=ByteMarks.STRIPPED,
    write=unchanged,
    repeated_ids=OddIds.REFUSED,
    unknown_ids=OddIds.REFUSED,
    missing_ids=OddIds.REFUSED,
    normalise=neutral,
    accept=not_empty,
    accept_gold=not_empty,
    repeats=Repeats.FIRST,
    gold_repeats=Repeats.FIRST,
    alternatives=every,
    matching=once,
    short_list=ShortList.OF_CUTOFF,
    no_gold=NoGold.LEFT_OUT,
    documents=Documents.COUNTED,
    average=(Average.MICRO, Average.MACRO, Average.MEAN),
    zero_divisor=ZeroDivisor.ZERO,
    f_from=FScore.EXACT,
    unit=Unit.FRACTION,
    decimals=None,
    measures=at(5, 10, 15, "M", "O"),
)
"""Recommended where no published number has to be matched."""
