"""Training data of the default extractor: parts of many collections; and gold that generators should not learn from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from keywright.core.documents import GoldKeyphrase, Style
from keywright.core.errors import BadParameter
from keywright.datasets.card import find_card

RULES: Final = ("title", "keyphrases", "text")
"""Rules by which a training document overlaps a test document, see ``docs/results/decontamination.md``."""
TELLING: Final = ("title", "text")  # without keyphrases, which mostly give false alarms


@dataclass(frozen=True, slots=True)
class TrainingPart:
    """A collection in the training data."""

    data: str
    kinds: tuple[str, ...]
    style: Style
    weight: float = 1.0  # weight of one document in training, above 0
    besides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # values of a key of ``meta`` to skip
    rules: tuple[str, ...] = RULES  # rules by which an overlap leaves a document out
    every: int = 1  # step; the first of every so many documents is taken
    general: bool = True  # whether they also teach the general style; not where another part has the same documents


TRAINING: Final = (
    TrainingPart("semeval2010/train", ("author",), Style.AUTHOR, rules=TELLING, general=False),
    TrainingPart("semeval2010/train", ("combined",), Style.READER, rules=TELLING),
    TrainingPart("nus/train", ("combined",), Style.READER, 0.3),
    TrainingPart("krapivin2009/train", ("author",), Style.AUTHOR, 0.15, every=2),
    TrainingPart("schutz2008/train", ("author",), Style.AUTHOR, 0.1, every=2),
    TrainingPart("news500n/train", ("crowd",), Style.READER, 0.1),
    TrainingPart("semeval2017/train", ("annotator",), Style.INDEXER, 0.2),
    TrainingPart("inspec/train", ("uncontr",), Style.INDEXER, 0.3),
    TrainingPart("inspec/validation", ("uncontr",), Style.INDEXER, 0.3),
    TrainingPart("train_mix/author", ("author",), Style.AUTHOR, 0.25, {"source": ("krapivin2009",)}, every=3),
    TrainingPart("citeulike_tags/train", ("tag",), Style.SUBJECT, 0.3),
    TrainingPart("fao_agrovoc/train", ("descriptor",), Style.SUBJECT, 0.1),
    TrainingPart("pubmed_mesh/train", ("descriptor",), Style.SUBJECT, 0.2),
)
"""English training data. Weights and steps are arbitrary. The mix's indexer style is Inspec's two parts, listed here
directly. All training papers of the shared task are used: the organisers separated them from the test papers, and no
two share a title or text."""

_AUTHORS: Final = "bio_nfcore docs_apisix docs_businesscentral nl_m365 software_umbrella zh_csl"
_TAGS: Final = (
    "blog_go datasets_aws es_pybonacci gov_18f gov_digitalgov it_tansignari ja_azu ja_jser ko_johngrib multi_mdn "
    "notes_dwarves recipes_public software_chocolatey talks_multi talks_pyvideo"
)
EVERYDAY: Final = tuple(
    TrainingPart(f"everyday/{name}", (kind,), Style.TAGS, rules=TELLING)
    for kind, names in (("author", _AUTHORS), ("tag", _TAGS), ("descriptor", "geodata_stanford"))
    for name in names.split()
)
"""Training data of the trees for tags, in all languages: the everyday collections whose licences permit it. Each counts
the same in English, and by the square root of its size in other languages."""


def usual_fingerprint(name: str) -> str:
    """Return the fingerprint on the card of a split, for the usual form of gold."""
    card, split = find_card(name)
    if split is None:
        raise BadParameter(f"{name} is a whole collection", "name one of its splits")
    return split.fingerprints[card.forms[0]]


def is_word_list(gold: Sequence[GoldKeyphrase], least: int = 12, one_word: float = 0.8) -> bool:
    """Return whether gold has at least ``least`` keyphrases, more than a share ``one_word`` of single words."""
    if least < 1 or not 0 <= one_word <= 1:
        raise BadParameter(f"least {least}, one_word {one_word}", "expected a number from 1, and a share from 0 to 1")
    phrases = {keyphrase.forms[0] for keyphrase in gold}
    return len(phrases) >= least and sum(len(phrase.split()) == 1 for phrase in phrases) > one_word * len(phrases)
