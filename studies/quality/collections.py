"""The collections of the quality report: their data sets, training data and protocols.

Test splits are scored with systems as they ship, or trained on other documents. Collections without a test split are
scored by cross-validation in five folds, and there every system that learns, the default included, learns from the
other folds alone (the default keeps the tables of phrases and words that ship with it).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from keywright.core.documents import Style
from keywright.core.errors import unknown
from keywright.datasets.training_mix import TrainingPart
from keywright.evaluation.measures.measure import F
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.rules import Average, PhraseClass, ShortList, whole_text
from keywright.experiments.semeval2010.task import RULES

BY_DOCUMENT: Final = replace(
    KEYWRIGHT_1,
    name="keywright-1-by-document",
    average=(Average.MEAN,),
    short_list=ShortList.OF_LENGTH,
    measures=(F @ 5, F @ 10),
)
"""F of each document on all of its gold, then the mean; precision is of the phrases there are, up to the cutoff."""

PRESENT: Final = replace(
    KPG, name="kpg-present", average=(Average.MACRO,), classes=(PhraseClass.PRESENT,), measures=(F @ 5, F @ 10)
)
"""F of present keyphrases, as papers on keyphrase generation report it: those in title and abstract."""

PRESENT_IN_PAPER: Final = replace(PRESENT, name="kpg-present-in-paper", text=whole_text)
"""The same with keyphrases anywhere in the paper as present."""

DEFAULT: Final = "default"
USUAL: Final = (
    *(DEFAULT, "counting", "kpminer", "tfidf", "kea", "yake", "rake"),
    *("topicrank", "singlerank", "multipartiterank", "positionrank", "embedrank"),
)
"""The systems of the report: ours, and those of other tools, reimplemented."""
_TAGGED: Final = frozenset({"topicrank", "singlerank", "multipartiterank", "positionrank"})
_ENCODED: Final = frozenset({"embedrank"})


@dataclass(frozen=True, slots=True)
class Collection:
    """One collection of the report.

    Attributes:
        data: name of the data set that is scored.
        kind: class of its documents: paper, abstract, paragraph, news or biomedical.
        gold: kinds of gold; a phrase that is shown counts as right if it is one of the first kind.
        protocols: that score it.
        style: of the gold, for the default.
        lessons: training data of other systems than the default; None for the other four of five folds.
        options: parameters that differ from the system's defaults, by the system's name.
        without: systems that would take too long here: taggers and encoders take over a second for a full paper.
    """

    data: str
    kind: str
    gold: tuple[str, ...]
    protocols: tuple[Protocol, ...]
    style: Style
    lessons: TrainingPart | None = None
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    without: frozenset[str] = frozenset()

    def parameters(self, system: str) -> Mapping[str, Any]:
        """Return the parameters of a system that differ from its defaults here."""
        style = {"style": self.style.value} if system == DEFAULT else {}
        return {**style, **self.options.get(system, {})}


_SHORT: Final = MappingProxyType({"kpminer": {"least_seen": 1}})
"""KP-Miner requires a phrase to occur three times, which is rare in short texts."""
_ABSTRACTS: Final = TrainingPart(
    "train_mix/author", ("author",), Style.AUTHOR, besides={"source": ("krapivin2009",)}, every=16
)

COLLECTIONS: Final = (
    Collection(
        "semeval2010/test",
        kind="paper",
        gold=("combined", "reader", "author"),
        protocols=(RULES,),
        style=Style.READER,
        lessons=TrainingPart("semeval2010/train", ("author", "reader", "combined"), Style.READER, rules=()),
        without=_ENCODED,
    ),
    Collection(
        "inspec/test",
        kind="abstract",
        gold=("uncontr",),
        protocols=(BY_DOCUMENT, PRESENT),
        style=Style.INDEXER,
        lessons=TrainingPart("inspec/train", ("uncontr",), Style.INDEXER, rules=()),
        options=_SHORT,
    ),
    Collection(
        "krapivin2009/test",
        kind="paper",
        gold=("author",),
        protocols=(BY_DOCUMENT, PRESENT_IN_PAPER),
        style=Style.AUTHOR,
        lessons=TrainingPart("krapivin2009/train", ("author",), Style.AUTHOR, every=4),
        without=_TAGGED | _ENCODED,
    ),
    Collection(
        "krapivin_abstracts/test",
        kind="abstract",
        gold=("author",),
        protocols=(BY_DOCUMENT, PRESENT),
        style=Style.AUTHOR,
        lessons=_ABSTRACTS,
        options=_SHORT,
    ),
    Collection(
        "kp20k_small/test",
        kind="abstract",
        gold=("author",),
        protocols=(BY_DOCUMENT, PRESENT),
        style=Style.AUTHOR,
        lessons=_ABSTRACTS,
        options=_SHORT,
    ),
    # Trained on these folds alone, the default knows one style: the one that it takes such gold for.
    Collection(
        "news500n/train",
        kind="news",
        gold=("crowd",),
        protocols=(BY_DOCUMENT,),
        style=Style.INDEXER,
        options=_SHORT,
        without=_ENCODED,
    ),
    Collection(
        "schutz2008/train",
        kind="biomedical",
        gold=("author",),
        protocols=(BY_DOCUMENT,),
        style=Style.AUTHOR,
        without=_TAGGED | _ENCODED,
    ),
    Collection(
        "semeval2017/train",
        kind="paragraph",
        gold=("annotator",),
        protocols=(BY_DOCUMENT,),
        style=Style.INDEXER,
        options=_SHORT,
    ),
)
"""In the order of the report."""


def collection(data: str) -> Collection:
    """Return the collection of a data set's name.

    Raises:
        UnknownName: it is not in the report.
    """
    for part in COLLECTIONS:
        if part.data == data:
            return part
    raise unknown(
        "collection of the quality report", data, [part.data for part in COLLECTIONS], "python -m studies --help"
    )
