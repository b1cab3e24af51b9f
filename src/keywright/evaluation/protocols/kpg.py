"""F1 at cutoffs for present and absent keyphrases, as Chan, Chen, Wang and King (ACL 2019) and other papers compute it.

Most papers on keyphrase generation report its numbers: phrases are compared by their stems, repeats and phrases with a
comma, full stop or unknown word dropped; a phrase is present if its stems follow each other in title and abstract, and
counts in its own class alone; precision divides by the cutoff; F is the harmonic mean of the means of P and R over all
documents, those without gold included.

``KPG_STRICT`` is that evaluator with its usual options, for tokenised files; ``keywright kpg score`` writes its files.
``KPG`` is for runs and data sets: texts and phrases are first tokenised as the published files are, phrases without a
token are dropped, and every document must be answered; nothing else differs.

Papers print the same name for different numbers: the other protocols are conventions, each ``kpg`` with its own rules,
compared in docs/reference/protocols.md. They are those of Chan et al., Neural Keyphrase Generation via Reinforcement
Learning with Adaptive Rewards (ACL 2019); Ye et al., One2Set (ACL 2021), who score as Chan do; ExHiRD: Chen et al.,
Exclusive Hierarchical Decoding (ACL 2020); DeepKPG: Wu et al. (2022-2024); SimCKP: Choi et al. (EMNLP Findings 2023);
Meng et al., Deep Keyphrase Generation (ACL 2017); Meng et al., An Empirical Study on Neural Keyphrase Generation (NAACL
2021), whose released summaries average over all documents instead: ``keywright kpg score --convention meng``.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from keywright.evaluation import rules
from keywright.evaluation.measures.counts import at
from keywright.evaluation.normal_forms import phrases as forms
from keywright.evaluation.protocol import Protocol

KPG_STRICT: Final = Protocol(
    name="kpg-strict", marks=rules.ByteMarks.KEPT, repeated_ids=rules.OddIds.COUNTED, unknown_ids=rules.OddIds.COUNTED,
    missing_ids=rules.OddIds.COUNTED, normalise=forms.blank_stems, accept=forms.valid_and_known,
    accept_gold=rules.everything, short_list=rules.ShortList.OF_CUTOFF_IF_ANY,
    average=(rules.Average.MACRO, rules.Average.MICRO, rules.Average.MEAN), measures=at(5, 10, "M", "O"), depth=200,
    classes=tuple(rules.PhraseClass), text=rules.title_and_abstract,
)  # fmt: skip
"""The evaluator with its usual options, its bugs included."""

KPG: Final = replace(
    KPG_STRICT, name="kpg", marks=rules.ByteMarks.STRIPPED, repeated_ids=rules.OddIds.REFUSED,
    unknown_ids=rules.OddIds.REFUSED, missing_ids=rules.OddIds.REFUSED, normalise=forms.published_stems,
    accept=forms.valid_known_not_empty, accept_gold=rules.not_empty,
)  # fmt: skip
"""The same for runs over data sets."""


def never_empty(phrases: Sequence[str]) -> tuple[str, ...]:
    """Return surface forms as the system gave them; one empty phrase for an empty list."""
    return tuple(phrases) or ("",)


KPG_STEMMED_GOLD: Final = replace(KPG, name="kpg-stemmed-gold", normalise_gold=forms.published_tokens)
"""``kpg`` for collections whose gold ships stemmed, as SemEval's: stemming twice may change a stem."""

CHAN_2019: Final = replace(KPG, name="kpg-chan2019", average=(rules.Average.MACRO,), measures=at(5, "M"))

YE_2021: Final = replace(CHAN_2019, name="kpg-ye2021")

EXHIRD: Final = replace(CHAN_2019, name="kpg-exhird", accept=forms.known_words)

DEEPKPG: Final = replace(
    CHAN_2019, name="kpg-deepkpg", write=never_empty, accept=rules.everything,
    average=(rules.Average.MACRO, rules.Average.MICRO), measures=at(5, 10, "M", "O"),
)  # fmt: skip

SIMCKP: Final = replace(CHAN_2019, name="kpg-simckp", no_gold=rules.NoGold.NOT_COUNTED)

MENG_2017: Final = replace(
    KPG, name="kpg-meng2017", one_word=1, no_gold=rules.NoGold.NOT_COUNTED, average=(rules.Average.MEAN,),
    measures=at(5, 10, 50),
)  # fmt: skip

MENG_2021: Final = replace(
    KPG, name="kpg-meng2021", gold_repeats=rules.Repeats.KEPT, short_list=rules.ShortList.OF_LENGTH,
    no_gold=rules.NoGold.NOT_COUNTED, average=(rules.Average.MEAN,), measures=at(5, 10, "O", "M"),
)  # fmt: skip
