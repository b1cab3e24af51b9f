"""Systems, protocols and tables by name; each is imported when asked for.

Each name has a ``module:thing``. Other packages add things with entry points of the shelf's group, such as
``[project.entry-points."keywright.systems"]``; these are looked up for names that are not built in, and for lists.
"""

import importlib
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Final

from keywright.core.errors import MissingExtra, UnknownName, unknown_name
from keywright.core.interfaces import needs_of
from keywright.core.signatures import Parameter, explain_parameters, list_parameters, sign_fields
from keywright.experiments.semeval2010_records import list_known_scores
from keywright.neural.systems.generator_system import SYSTEMS as GENERATORS


@dataclass(frozen=True, slots=True)
class Shelf:
    """Things of one kind, by name.

    ``group``: group of entry points that add to it; ``built_in``: ``module:thing`` by name.
    """

    kind: str
    group: str
    listing: str
    built_in: Mapping[str, str]

    def names(self) -> tuple[str, ...]:
        """Return all names: built-in ones in their order, then those of other packages in alphabetical order."""
        return (*self.built_in, *sorted(self._others().keys() - self.built_in.keys()))

    def find(self, name: str) -> Any:
        """Return the thing of a name. Other packages cannot replace built-in ones."""
        if name in self.built_in:
            module, _, thing = self.built_in[name].partition(":")
            return getattr(importlib.import_module(module), thing)
        others = self._others()
        if name not in others:
            raise self.unknown(name)
        return _load_entry_point(self.kind, others[name])

    def unknown(self, name: str) -> UnknownName:
        """Return the error for an unknown name, with the nearest existing name."""
        return unknown_name(self.kind, name, self.names(), self.listing)

    def packages(self) -> frozenset[str]:
        """Return the top-level packages of all things."""
        return frozenset({"keywright", *(point.module.partition(".")[0] for point in self._others().values())})

    def _others(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self.group)}


def _load_entry_point(kind: str, point: EntryPoint) -> Any:
    """Return the thing of an entry point; any error is reported as one of the other package."""
    try:
        return point.load()
    except Exception as error:
        package = point.dist.name if point.dist else point.module
        message = f"{kind} {point.name!r} of package {package} does not load: {type(error).__name__}: {error}"
        raise MissingExtra(message, f"`pip install --upgrade {package}`, or remove the package") from error


SYSTEMS: Final = Shelf(
    kind="system",
    group="keywright.systems",
    listing="keywright systems",
    built_in=MappingProxyType(
        {
            "default": "keywright.extraction.systems.default:Default",
            "counting": "keywright.extraction.systems.counting:Counting",
            "humb": "keywright.extraction.systems.humb:HUMB",
            "wingnus": "keywright.extraction.systems.wingnus:Wingnus",
            "kpminer": "keywright.extraction.systems.kpminer:KPMiner",
            "sztergak": "keywright.extraction.systems.sztergak:SZTERGAK",
            "seerlab": "keywright.extraction.systems.seerlab:Seerlab",
            "kx": "keywright.extraction.systems.kx:KX",
            "deriunlp": "keywright.extraction.systems.deriunlp:DERIUNLP",
            "maui": "keywright.extraction.systems.maui:Maui",
            "dfki": "keywright.extraction.systems.dfki:DFKI",
            "buap": "keywright.extraction.systems.buap:BUAP",
            "sjtultlab": "keywright.extraction.systems.sjtultlab:SJTULTLAB",
            "unice": "keywright.extraction.systems.unice:UNICE",
            "unpmc": "keywright.extraction.systems.unpmc:UNPMC",
            "likey": "keywright.extraction.systems.likey:Likey",
            "uvt": "keywright.extraction.systems.uvt:UvT",
            "polyu": "keywright.extraction.systems.polyu:POLYU",
            "tfidf": "keywright.extraction.systems.tfidf:TfIdf",
            "nb": "keywright.extraction.systems.supervised_baselines:NaiveBayes",
            "me": "keywright.extraction.systems.supervised_baselines:MaximumEntropy",
            "kea": "keywright.extraction.systems.kea:Kea",
            "firstphrases": "keywright.extraction.systems.firstphrases:FirstPhrases",
            "textrank": "keywright.extraction.systems.textrank:TextRank",
            "singlerank": "keywright.extraction.systems.singlerank:SingleRank",
            "positionrank": "keywright.extraction.systems.positionrank:PositionRank",
            "topicrank": "keywright.extraction.systems.topicrank:TopicRank",
            "multipartiterank": "keywright.extraction.systems.multipartiterank:MultipartiteRank",
            "topicalpagerank": "keywright.extraction.systems.topicalpagerank:TopicalPageRank",
            "sgrank": "keywright.extraction.systems.sgrank:SGRank",
            "yake": "keywright.extraction.systems.yake:Yake",
            "rake": "keywright.extraction.systems.rake:Rake",
            "embedrank": "keywright.extraction.systems.embedrank:EmbedRank",
            "keybert": "keywright.extraction.systems.embedrank:KeyBERT",
            "lbake": "keywright.extraction.systems.lbake:LBAKE",
            "llm": "keywright.extraction.systems.llm:LanguageModel",
            **GENERATORS,
            "vote": "keywright.ensembles.vote:Vote",
        }
    ),
)

EXTRACTORS: Final = tuple(name for name in SYSTEMS.built_in if name not in {*GENERATORS, "llm"})
"""Systems that choose phrases of the text; the others generate, and run only when trained or with an address."""

CONCEPT_SYSTEMS: Final = Shelf(
    kind="system of concepts",
    group="keywright.concept_systems",
    listing="keywright systems",
    built_in=MappingProxyType({"subject": "keywright.extraction.subjects.subject_ranker:SubjectRanker"}),
)
"""Systems that rank the concepts of a vocabulary, and only after they were trained for it."""

PROTOCOLS: Final = Shelf(
    kind="protocol",
    group="keywright.protocols",
    listing="keywright protocols",
    built_in=MappingProxyType(
        {
            "keywright-1": "keywright.evaluation.protocols.keywright1:KEYWRIGHT_1",
            "keywright-1-ranked": "keywright.evaluation.protocols.keywright1:KEYWRIGHT_1_RANKED",
            "keywright-1-approximate": "keywright.evaluation.protocols.keywright1:KEYWRIGHT_1_APPROXIMATE",
            "keywright-1-ngram-rp": "keywright.evaluation.protocols.keywright1:KEYWRIGHT_1_NGRAM_RP",
            "keywright-1-semantic": "keywright.evaluation.protocols.keywright1_semantic:KEYWRIGHT_1_SEMANTIC",
            "keywright-1-semantic-kpeval": (
                "keywright.evaluation.protocols.keywright1_semantic:KEYWRIGHT_1_SEMANTIC_KPEVAL"
            ),
            "keywright-1-diversity": "keywright.evaluation.protocols.keywright1:KEYWRIGHT_1_DIVERSITY",
            "semeval2010": "keywright.evaluation.protocols.semeval2010:SEMEVAL2010",
            "semeval2010-strict": "keywright.evaluation.protocols.semeval2010:SEMEVAL2010_STRICT",
            "semeval2010-macro": "keywright.evaluation.protocols.semeval2010:SEMEVAL2010_MACRO",
            "semeval2010-clean": "keywright.evaluation.protocols.semeval2010:SEMEVAL2010_CLEAN",
            "kpg": "keywright.evaluation.protocols.kpg:KPG",
            "kpg-strict": "keywright.evaluation.protocols.kpg:KPG_STRICT",
            "kpg-stemmed-gold": "keywright.evaluation.protocols.kpg:KPG_STEMMED_GOLD",
            "kpg-chan2019": "keywright.evaluation.protocols.kpg:CHAN_2019",
            "kpg-ye2021": "keywright.evaluation.protocols.kpg:YE_2021",
            "kpg-exhird": "keywright.evaluation.protocols.kpg:EXHIRD",
            "kpg-deepkpg": "keywright.evaluation.protocols.kpg:DEEPKPG",
            "kpg-simckp": "keywright.evaluation.protocols.kpg:SIMCKP",
            "kpg-meng2017": "keywright.evaluation.protocols.kpg:MENG_2017",
            "kpg-meng2021": "keywright.evaluation.protocols.kpg:MENG_2021",
            "hulth2003-exact": "keywright.evaluation.protocols.hulth2003:HULTH2003_EXACT",
            "hulth2003-exact-lower": "keywright.evaluation.protocols.hulth2003:HULTH2003_EXACT_LOWER",
            "hulth2003-exact-lemma": "keywright.evaluation.protocols.hulth2003:HULTH2003_EXACT_LEMMA",
            "hulth2003-exact-stem": "keywright.evaluation.protocols.hulth2003:HULTH2003_EXACT_STEM",
            "hulth2003-part-of": "keywright.evaluation.protocols.hulth2003:HULTH2003_PART_OF",
            "hulth2003-part-of-lower": "keywright.evaluation.protocols.hulth2003:HULTH2003_PART_OF_LOWER",
            "hulth2003-part-of-lemma": "keywright.evaluation.protocols.hulth2003:HULTH2003_PART_OF_LEMMA",
            "hulth2003-part-of-stem": "keywright.evaluation.protocols.hulth2003:HULTH2003_PART_OF_STEM",
            "hulth2003-modern-exact": "keywright.evaluation.protocols.hulth2003:HULTH2003_MODERN_EXACT",
            "hulth2003-modern-exact-lower": "keywright.evaluation.protocols.hulth2003:HULTH2003_MODERN_EXACT_LOWER",
            "hulth2003-modern-exact-lemma": "keywright.evaluation.protocols.hulth2003:HULTH2003_MODERN_EXACT_LEMMA",
            "hulth2003-modern-exact-stem": "keywright.evaluation.protocols.hulth2003:HULTH2003_MODERN_EXACT_STEM",
            "hulth2003-modern-part-of": "keywright.evaluation.protocols.hulth2003:HULTH2003_MODERN_PART_OF",
            "hulth2003-modern-part-of-lower": "keywright.evaluation.protocols.hulth2003:HULTH2003_MODERN_PART_OF_LOWER",
            "hulth2003-modern-part-of-lemma": "keywright.evaluation.protocols.hulth2003:HULTH2003_MODERN_PART_OF_LEMMA",
            "hulth2003-modern-part-of-stem": "keywright.evaluation.protocols.hulth2003:HULTH2003_MODERN_PART_OF_STEM",
        }
    ),
)

TABLES: Final = Shelf(
    kind="table",
    group="keywright.tables",
    listing="keywright reproduce --list",
    built_in=MappingProxyType(
        {
            "kpeval": "keywright.experiments.summary_tables:KPEVAL",
            "kpg-calibration": "keywright.experiments.kpg_calibration_table:STUDY",
            "neural": "keywright.experiments.small_generators:STUDY",
            "scorers": "keywright.experiments.scorers:STUDY",
            "semeval2010": "keywright.experiments.semeval2010_table:STUDY",
            "semeval2010-baselines": "keywright.experiments.semeval2010_paper:BASELINES",
            "semeval2010-data": "keywright.experiments.semeval2010_paper:DATA",
            "semeval2010-humans": "keywright.experiments.semeval2010_paper:HUMANS",
            "summary-evaluators": "keywright.experiments.summary_tables:JUDGED",
        }
    ),
)


def system_class(name: str) -> Any:
    """Return the class of a system; a module-level function, so that it pickles."""
    shelf = CONCEPT_SYSTEMS if name in CONCEPT_SYSTEMS.built_in else SYSTEMS
    return shelf.find(name)


def describe_system(name: str) -> dict[str, Any]:
    """Return the description of a system, as JSON values.

    Raises:
        UnknownName: there is no such system.
    """
    kind = system_class(name)
    meanings = explain_parameters(kind)
    rows = [
        {
            "name": each.name,
            "takes": each.kind,
            "default": _describe_default(each),
            "meaning": meanings.get(each.name, ""),
        }
        for each in list_parameters(kind)
    ]
    trainable, needs = hasattr(kind, "fit") or name in {*GENERATORS, *CONCEPT_SYSTEMS.built_in}, sorted(needs_of(kind))
    about = inspect.cleandoc(sys.modules[kind.__module__].__doc__ or kind.__doc__ or "")  # idea, paper, deviations
    idea = inspect.cleandoc(kind.__doc__ or about).partition("\n")[0]
    description = {"name": name, "idea": idea, "about": about, "needs": needs, "trainable": trainable}
    return {**description, "parameters": rows, "scores": list(list_known_scores(name))}


def describe_protocol(name: str) -> dict[str, Any]:
    """Return a protocol's rules and signature, as JSON values.

    Raises:
        UnknownName: there is no such protocol.
    """
    protocol = PROTOCOLS.find(name)
    return {"name": name, "signature": protocol.signature, "unit": protocol.unit.value, "rules": sign_fields(protocol)}


def _describe_default(parameter: Parameter) -> str | None:
    """Return a default in words; None if there is none."""
    if parameter.required:
        return None
    return getattr(parameter.default, "__name__", None) or str(parameter.default)
