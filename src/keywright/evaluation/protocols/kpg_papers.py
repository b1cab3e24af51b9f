"""The conventions behind F1@5 and F1@M in papers on keyphrase generation: each as ``kpg`` with its own rules.

Papers print the same name for different numbers. The differences:

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
from keywright.evaluation.normal_forms.kpg import known_words, published_tokens
from keywright.evaluation.protocols.kpg import KPG


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
