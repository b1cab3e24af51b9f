"""The collections of the quality report: their data sets, training data and protocols.

Test splits are scored with systems as they ship, or trained on other documents. Collections without a test split are
scored by cross-validation in five folds, and there every system that learns, the default included, learns from the
other folds alone (the default keeps the tables of phrases and words that ship with it).

The default is run in the style of the gold that it is compared with. In short texts, systems that require a phrase to
occur more than once are run with one occurrence (``least_seen=1``), as they would find next to nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from keywright.catalogue import EXTRACTORS, system_class
from keywright.core.documents import Style
from keywright.core.errors import unknown_name
from keywright.core.signatures import list_parameters
from keywright.datasets.training_mix import TrainingPart
from keywright.evaluation.measures.counts import F
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.rules import Average, PhraseClass, ShortList, whole_text
from keywright.experiments.semeval2010_task import RULES

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
USUAL: Final = EXTRACTORS  # the systems of the report: all that are in the catalogue
_ENCODED: Final = MappingProxyType({"embedrank": 3.6})
"""Systems that take over a second for a full paper, with the measured seconds."""
_LEAST_SEEN: Final = MappingProxyType({"buap": 2})
"""Mentions required in short texts, where that is not 1: BUAP's sequences are whole sentences when all count."""


@dataclass(frozen=True, slots=True)
class Collection:
    """One collection of the report.

    Attributes:
        data: name of the data set that is scored.
        kind: class of its documents: paper, abstract, paragraph, news or biomedical.
        gold: kinds of gold; a phrase that is shown counts as right if it is one of the first kind.
        protocols: that score it.
        style: of the gold, for the default.
        other_styles: styles of further kinds of gold; against each the default is run in its style.
        lessons: training data of other systems than the default; None for the other four of five folds.
        short: whether its texts are so short that most phrases occur once.
        without: systems that would take too long here, with the measured seconds for one document.
    """

    data: str
    kind: str
    gold: tuple[str, ...]
    protocols: tuple[Protocol, ...]
    style: Style
    other_styles: Mapping[str, Style] = field(default_factory=dict)
    lessons: TrainingPart | None = None
    short: bool = False
    without: Mapping[str, float] = field(default_factory=dict)

    def variants(self, system: str) -> Mapping[frozenset[str], Mapping[str, Any]]:
        """Return parameters that differ from the system's defaults, by the kinds of gold that they are for."""
        if system == DEFAULT:
            styles = {gold: self.other_styles.get(gold, self.style) for gold in self.gold}
            return {
                frozenset(gold for gold in self.gold if styles[gold] is style): {"style": style.value}
                for style in dict.fromkeys(styles.values())
            }
        rare = self.short and "least_seen" in {parameter.name for parameter in list_parameters(system_class(system))}
        return {frozenset(self.gold): {"least_seen": _LEAST_SEEN.get(system, 1)} if rare else {}}


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
        other_styles={"author": Style.AUTHOR},
        lessons=TrainingPart("semeval2010/train", ("author", "reader", "combined"), Style.READER, rules=()),
    ),
    Collection(
        "inspec/test",
        kind="abstract",
        gold=("uncontr",),
        protocols=(BY_DOCUMENT, PRESENT),
        style=Style.INDEXER,
        lessons=TrainingPart("inspec/train", ("uncontr",), Style.INDEXER, rules=()),
        short=True,
    ),
    Collection(
        "krapivin2009/test",
        kind="paper",
        gold=("author",),
        protocols=(BY_DOCUMENT, PRESENT_IN_PAPER),
        style=Style.AUTHOR,
        lessons=TrainingPart("krapivin2009/train", ("author",), Style.AUTHOR, every=4),
        without=_ENCODED,
    ),
    Collection(
        "krapivin_abstracts/test",
        kind="abstract",
        gold=("author",),
        protocols=(BY_DOCUMENT, PRESENT),
        style=Style.AUTHOR,
        lessons=_ABSTRACTS,
        short=True,
    ),
    Collection(
        "kp20k_small/test",
        kind="abstract",
        gold=("author",),
        protocols=(BY_DOCUMENT, PRESENT),
        style=Style.AUTHOR,
        lessons=_ABSTRACTS,
        short=True,
    ),
    # Trained on these folds alone, the default knows one style: the one that it takes such gold for.
    Collection(
        "news500n/train",
        kind="news",
        gold=("crowd",),
        protocols=(BY_DOCUMENT,),
        style=Style.INDEXER,
        short=True,
    ),
    Collection(
        "schutz2008/train",
        kind="biomedical",
        gold=("author",),
        protocols=(BY_DOCUMENT,),
        style=Style.AUTHOR,
        without=_ENCODED,
    ),
    Collection(
        "semeval2017/train",
        kind="paragraph",
        gold=("annotator",),
        protocols=(BY_DOCUMENT,),
        style=Style.INDEXER,
        short=True,
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
    raise unknown_name(
        "collection of the quality report", data, [part.data for part in COLLECTIONS], "python -m studies --help"
    )
