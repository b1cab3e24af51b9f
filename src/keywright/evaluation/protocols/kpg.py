"""F1 at cutoffs for present and absent keyphrases, as computed by Chan, Chen, Wang and King (ACL 2019).

Most papers on keyphrase generation report its numbers: phrases are compared by their stems, repeats and phrases with a
comma, full stop or unknown word dropped; a phrase is present if its stems follow each other in title and abstract, and
counts in its own class alone; precision divides by the cutoff; F is the harmonic mean of the means of P and R over all
documents, those without gold included.

``KPG_STRICT`` is that evaluator with its usual options, for tokenised files; ``keywright kpg score`` writes its files.
``KPG`` is for runs and data sets: texts and phrases are first tokenised as the published files are, phrases without a
token are dropped, and every document must be answered; nothing else differs.
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation import rules
from keywright.evaluation.measures.measure import at
from keywright.evaluation.normal_forms.kpg import blank_stems, published_stems, valid_and_known, valid_known_not_empty
from keywright.evaluation.protocol import Protocol

KPG_STRICT: Final = Protocol(
    name="kpg-strict",
    marks=rules.ByteMarks.KEPT,
    write=rules.unchanged,
    repeated_ids=rules.OddIds.COUNTED,
    unknown_ids=rules.OddIds.COUNTED,
    missing_ids=rules.OddIds.COUNTED,
    normalise=blank_stems,
    accept=valid_and_known,
    accept_gold=rules.everything,
    repeats=rules.Repeats.FIRST,
    gold_repeats=rules.Repeats.FIRST,
    alternatives=rules.every,
    matching=rules.once,
    short_list=rules.ShortList.OF_CUTOFF_IF_ANY,
    no_gold=rules.NoGold.ZERO,
    documents=rules.Documents.COUNTED,
    average=(rules.Average.MACRO, rules.Average.MICRO, rules.Average.MEAN),
    zero_divisor=rules.ZeroDivisor.ZERO,
    f_from=rules.FScore.EXACT,
    unit=rules.Unit.FRACTION,
    decimals=None,
    measures=at(5, 10, "M", "O"),
    depth=200,
    classes=tuple(rules.PhraseClass),
    text=rules.title_and_abstract,
    presence=rules.token_run,
)
"""The evaluator with its usual options, its bugs included."""

KPG: Final = replace(
    KPG_STRICT,
    name="kpg",
    marks=rules.ByteMarks.STRIPPED,
    repeated_ids=rules.OddIds.REFUSED,
    unknown_ids=rules.OddIds.REFUSED,
    missing_ids=rules.OddIds.REFUSED,
    normalise=published_stems,
    accept=valid_known_not_empty,
    accept_gold=rules.not_empty,
)
"""The same for runs over data sets."""
