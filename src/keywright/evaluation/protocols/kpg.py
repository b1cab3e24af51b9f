"""F1 at cutoffs for present and absent keyphrases, as the evaluator of Chan, Chen, Wang and King (ACL 2019) has it.

Most papers on keyphrase generation report its numbers: phrases are compared by their stems, repeats and phrases with a
comma, full stop or unknown word dropped; a phrase is present if its stems follow each other in title and abstract, and
counts in its own class alone; precision divides by the cutoff; F is the harmonic mean of the means of P and R over all
documents, those without gold included.

``KPG_STRICT`` is that evaluator with its usual options, for files that are cut into tokens; ``keywright kpg score``
gives its files. ``KPG`` is for runs and data sets: texts and phrases are first cut into tokens as the published files
are, phrases without a token drop out, and every document must be answered; nothing else differs.
"""

from dataclasses import replace
from typing import Final

from keywright.evaluation.measures.measure import at
from keywright.evaluation.normal_forms.kpg import blank_stems, published_stems, telling, valid_and_known
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import (
    Average,
    ByteMarks,
    Documents,
    FScore,
    NoGold,
    OddIds,
    PhraseClass,
    Repeats,
    ShortList,
    Unit,
    ZeroDivisor,
    every,
    everything,
    not_empty,
    once,
    title_and_abstract,
    token_run,
    unchanged,
)

KPG_STRICT: Final = Protocol(
    name="kpg-strict",
    marks=ByteMarks.KEPT,
    write=unchanged,
    repeated_ids=OddIds.COUNTED,
    unknown_ids=OddIds.COUNTED,
    missing_ids=OddIds.COUNTED,
    normalise=blank_stems,
    accept=valid_and_known,
    accept_gold=everything,
    repeats=Repeats.FIRST,
    gold_repeats=Repeats.FIRST,
    alternatives=every,
    matching=once,
    short_list=ShortList.OF_CUTOFF_IF_ANY,
    no_gold=NoGold.ZERO,
    documents=Documents.COUNTED,
    average=(Average.MACRO, Average.MICRO, Average.MEAN),
    zero_divisor=ZeroDivisor.ZERO,
    f_from=FScore.EXACT,
    unit=Unit.FRACTION,
    decimals=None,
    measures=at(5, 10, "M", "O"),
    depth=200,
    classes=tuple(PhraseClass),
    text=title_and_abstract,
    presence=token_run,
)
"""The evaluator with its usual options, its accidents included."""

KPG: Final = replace(
    KPG_STRICT,
    name="kpg",
    marks=ByteMarks.STRIPPED,
    repeated_ids=OddIds.REFUSED,
    unknown_ids=OddIds.REFUSED,
    missing_ids=OddIds.REFUSED,
    normalise=published_stems,
    accept=telling,
    accept_gold=not_empty,
)
"""The same for runs over data sets."""
