"""The official scorer of SemEval-2010 Task 5 (Kim, Medelyan, Kan and Baldwin, 2010).

``SEMEVAL2010`` gives its numbers where it gives any, and continues where it fails: a row without a match is 0, a gold
document without entries has recall 0, and byte order marks and carriage returns are stripped with a warning.
``SEMEVAL2010_STRICT`` reproduces the script, its bugs included. Each bug is the value of one rule, so
``dataclasses.replace`` fixes it: ``short_list=ShortList.OF_CUTOFF``, ``repeats=Repeats.FIRST``,
``gold_repeats=Repeats.FIRST``, ``alternatives=every``, ``documents=Documents.COUNTED``, ``f_from=FScore.EXACT``.
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation import rules
from keywright.evaluation.answers import SEMEVAL_KINDS, semeval_line
from keywright.evaluation.measures.counts import at
from keywright.evaluation.protocol import Protocol

SEMEVAL2010: Final = Protocol(
    name="semeval2010", golds=SEMEVAL_KINDS, write=semeval_line, repeated_ids=rules.OddIds.COUNTED,
    unknown_ids=rules.OddIds.COUNTED, missing_ids=rules.OddIds.COUNTED, normalise=rules.as_given,
    accept=rules.everything, accept_gold=rules.everything, repeats=rules.Repeats.KEPT, gold_repeats=rules.Repeats.KEPT,
    alternatives=rules.first_two, matching=rules.pairs, short_list=rules.ShortList.NOTHING,
    documents=rules.Documents.HUNDRED, f_from=rules.FScore.ROUNDED, unit=rules.Unit.PERCENT, decimals=2,
    measures=at(5, 10, 15),
)  # fmt: skip
"""The task's scores, without its failures."""

SEMEVAL2010_STRICT: Final = replace(
    SEMEVAL2010, name="semeval2010-strict", marks=rules.ByteMarks.KEPT, no_gold=rules.NoGold.STOP,
    zero_divisor=rules.ZeroDivisor.STOP,
)  # fmt: skip
"""The script, bug for bug."""

SEMEVAL2010_MACRO: Final = replace(
    SEMEVAL2010, name="semeval2010-macro", average=(rules.Average.MEAN, rules.Average.MACRO), f_from=rules.FScore.EXACT,
    decimals=None,
)  # fmt: skip
"""Values that the script computes and never prints: means of P, R and F (and F of the means, as ``macro-``)."""

SEMEVAL2010_CLEAN: Final = replace(
    SEMEVAL2010, name="semeval2010-clean", repeats=rules.Repeats.FIRST, gold_repeats=rules.Repeats.FIRST,
    alternatives=rules.every, matching=rules.once, short_list=rules.ShortList.OF_CUTOFF,
    documents=rules.Documents.COUNTED, f_from=rules.FScore.EXACT, decimals=None,
)  # fmt: skip
"""The task's idea without the script's bugs: each prediction and each gold entry is credited once, documents with
short lists count, precision divides by the number of documents."""
