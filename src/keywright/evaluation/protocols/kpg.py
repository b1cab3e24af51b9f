"""F1 at cutoffs for present and absent keyphrases, as Chan, Chen, Wang and King (ACL 2019) and other papers compute it.

Most papers on keyphrase generation report its numbers: phrases are compared by their stems, repeats and phrases with a
comma, full stop or unknown word dropped; a phrase is present if its stems follow each other in title and abstract, and
counts in its own class alone; precision divides by the cutoff; F is the harmonic mean of the means of P and R over all
documents, those without gold included.

``KPG_STRICT`` is that evaluator with its usual options, for tokenised files; ``keywright kpg score`` writes its files.
``KPG`` is for runs and data sets: texts and phrases are first tokenised as the published files are, phrases without a
token are dropped, and every document must be answered; nothing else differs.

Papers print the same name for different numbers. The conventions, each as ``kpg`` with its own rules:

=================  ==========  =================  ==================  =======================================
convention         precision   averages           documents           predictions
=================  ==========  =================  ==================  =======================================
Chan 2019          hits / k    F of mean P and R  all                 no comma, full stop, unknown word
Ye 2021 (One2Set)  hits / k    F of mean P and R  all                 the same; ranked by mean probability
ExHiRD             hits / k    F of mean P and R  all                 no unknown word
DeepKPG            hits / k    F of mean P and R  all                 any; an empty list is one wrong phrase
SimCKP             hits / k    F of mean P and R  with gold of class  as Chan
Meng 2017          hits / k    mean of F          with gold of class  as Chan, and one single word only
Meng 2021          hits / n    mean of F          with gold of class  as Chan; repeated gold stays
=================  ==========  =================  ==================  =======================================

``hits / n``: a list shorter than k divides by its own length. Chan 2019: Chan et al., Neural Keyphrase Generation via
Reinforcement Learning with Adaptive Rewards (ACL 2019). Ye 2021: Ye et al., One2Set (ACL 2021), who score as Chan do.
ExHiRD: Chen et al., Exclusive Hierarchical Decoding (ACL 2020). DeepKPG: Wu et al. (2022-2024). SimCKP: Choi et al.
(EMNLP Findings 2023). Meng 2017: Meng et al., Deep Keyphrase Generation (ACL 2017). Meng 2021: Meng et al., An
Empirical Study on Neural Keyphrase Generation (NAACL 2021); its released summaries average over all documents instead,
which is ``keywright kpg score --convention meng``.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from keywright.evaluation import rules
from keywright.evaluation.measures.measure import at
from keywright.evaluation.normal_forms.kpg import (
    blank_stems,
    known_words,
    published_stems,
    published_tokens,
    valid_and_known,
    valid_known_not_empty,
)
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


def never_empty(phrases: Sequence[str]) -> tuple[str, ...]:
    """Return surface forms as the system gave them; one empty phrase for an empty list."""
    return tuple(phrases) or ("",)


KPG_STEMMED_GOLD: Final = replace(KPG, name="kpg-stemmed-gold", normalise_gold=published_tokens)
"""``kpg`` for collections whose gold ships stemmed, as SemEval's: stemming twice may change a stem."""

CHAN_2019: Final = replace(KPG, name="kpg-chan2019", average=(rules.Average.MACRO,), measures=at(5, "M"))

YE_2021: Final = replace(CHAN_2019, name="kpg-ye2021")

EXHIRD: Final = replace(CHAN_2019, name="kpg-exhird", accept=known_words)

DEEPKPG: Final = replace(
    CHAN_2019,
    name="kpg-deepkpg",
    write=never_empty,
    accept=rules.everything,
    average=(rules.Average.MACRO, rules.Average.MICRO),
    measures=at(5, 10, "M", "O"),
)

SIMCKP: Final = replace(CHAN_2019, name="kpg-simckp", no_gold=rules.NoGold.NOT_COUNTED)

MENG_2017: Final = replace(
    KPG,
    name="kpg-meng2017",
    one_word=1,
    no_gold=rules.NoGold.NOT_COUNTED,
    average=(rules.Average.MEAN,),
    measures=at(5, 10, 50),
)

MENG_2021: Final = replace(
    KPG,
    name="kpg-meng2021",
    gold_repeats=rules.Repeats.KEPT,
    short_list=rules.ShortList.OF_LENGTH,
    no_gold=rules.NoGold.NOT_COUNTED,
    average=(rules.Average.MEAN,),
    measures=at(5, 10, "O", "M"),
)
