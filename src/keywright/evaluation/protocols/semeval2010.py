"""The official scorer of SemEval-2010 Task 5 (Kim, Medelyan, Kan and Baldwin, 2010).

``SEMEVAL2010`` gives its numbers where it gives any, and goes on where it dies: a row without a match is 0, a gold
document without entries has recall 0, and byte order marks and carriage returns are stripped with a warning.
``SEMEVAL2010_STRICT`` does exactly as the script does, its accidents included. Each accident is the value of one rule,
so ``dataclasses.replace`` corrects it: ``short_list=ShortList.OF_CUTOFF``, ``repeats=Repeats.FIRST``,
``gold_repeats=Repeats.FIRST``, ``alternatives=every``, ``documents=Documents.COUNTED``, ``f_from=FScore.EXACT``.
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation.formats.answers import semeval_line
from keywright.evaluation.formats.gold_files import KINDS
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
    as_given,
    every,
    everything,
    first_two,
    once,
    pairs,
)

SEMEVAL2010: Final = Protocol(
    name="semeval2010",
    golds=KINDS,
    marks=ByteMarks.STRIPPED,
    write=semeval_line,
    repeated_ids=OddIds.COUNTED,
    unknown_ids=OddIds.COUNTED,
    missing_ids=OddIds.COUNTED,
    normalise=as_given,
    accept=everything,
    accept_gold=everything,
    repeats=Repeats.KEPT,
    gold_repeats=Repeats.KEPT,
    alternatives=first_two,
    matching=pairs,
    short_list=ShortList.NOTHING,
    no_gold=NoGold.ZERO,
    documents=Documents.HUNDRED,
    average=(Average.MICRO,),
    zero_divisor=ZeroDivisor.ZERO,
    f_from=FScore.ROUNDED,
    unit=Unit.PERCENT,
    decimals=2,
    measures=at(5, 10, 15),
)
"""The task's scores, without its deaths."""

SEMEVAL2010_STRICT: Final = replace(
    SEMEVAL2010,
    name="semeval2010-strict",
    marks=ByteMarks.KEPT,
    no_gold=NoGold.STOP,
    zero_divisor=ZeroDivisor.STOP,
)
"""The script, bug for bug."""

SEMEVAL2010_MACRO: Final = replace(
    SEMEVAL2010, name="semeval2010-macro", average=(Average.MEAN, Average.MACRO), f_from=FScore.EXACT, decimals=None
)
"""What the script computes and never prints: means over documents of P, R and F (and F of the means, as ``macro-``)."""

SEMEVAL2010_CLEAN: Final = replace(
    SEMEVAL2010,
    name="semeval2010-clean",
    repeats=Repeats.FIRST,
    gold_repeats=Repeats.FIRST,
    alternatives=every,
    matching=once,
    short_list=ShortList.OF_CUTOFF,
    documents=Documents.COUNTED,
    f_from=FScore.EXACT,
    decimals=None,
)
"""The task's idea without the script's accidents: each prediction and each gold entry is credited once, documents with
short lists count, precision divides by the documents there are."""
