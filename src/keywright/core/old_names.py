"""Names of earlier versions, so that systems and calibrators which were saved with them are still recognised.

A saved system names classes and functions by module, and a signature names fields and classes. Whoever renames one of
them adds a line here; ``docs/decisions/0018-rooms-and-old-names.md`` says why.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "keywright.calibration.calibrated": "keywright.calibration.calibrators.calibrated",
        "keywright.calibration.calibrated_trees": "keywright.ensembles.calibrated_trees",
        "keywright.calibration.calibrating": "keywright.calibration.calibrators.calibrating",
        "keywright.calibration.calibration_report": "keywright.calibration.measures.report",
        "keywright.calibration.calibrators.belonging": "keywright.calibration.calibrators.same_system",
        "keywright.calibration.calibrators.curves": "keywright.calibration.calibrators.parametric",
        "keywright.calibration.calibrators.described": "keywright.calibration.calibrators.features",
        "keywright.calibration.calibrators.placing": "keywright.calibration.calibrators.parametric",
        "keywright.calibration.calibrators.steps": "keywright.calibration.calibrators.nonparametric",
        "keywright.calibration.vote": "keywright.ensembles.vote",
        "keywright.candidates.letters": "keywright.candidates.prefilter",
        "keywright.candidates.noticed": "keywright.candidates.prefilter",
        "keywright.corpus.adding": "keywright.corpus.counts",
        "keywright.corpus.joint_counts": "keywright.corpus.knowledge",
        "keywright.corpus.taking_out": "keywright.corpus.counts",
        "keywright.corpus.together": "keywright.corpus.knowledge",
        "keywright.features.acronyms": "keywright.features.functions.shape",
        "keywright.features.centrality": "keywright.features.functions.centrality",
        "keywright.features.cohesion": "keywright.features.functions.words",
        "keywright.features.description": "keywright.features.description.columns",
        "keywright.features.frequency": "keywright.features.functions.frequency",
        "keywright.features.functions.cohesion": "keywright.features.functions.words",
        "keywright.features.functions.phrasehood": "keywright.features.functions.nestedness",
        "keywright.features.functions.relative": "keywright.features.functions.position",
        "keywright.features.functions.structure": "keywright.features.functions.position",
        "keywright.features.knowledge": "keywright.features.functions.knowledge",
        "keywright.features.known": "keywright.features.description.lookup",
        "keywright.features.neighbours": "keywright.features.description.word_classes",
        "keywright.features.nestedness": "keywright.features.functions.nestedness",
        "keywright.features.phrasehood": "keywright.features.functions.nestedness",
        "keywright.features.position": "keywright.features.functions.position",
        "keywright.features.relative": "keywright.features.functions.position",
        "keywright.features.shape": "keywright.features.functions.shape",
        "keywright.features.structure": "keywright.features.functions.position",
        "keywright.features.tag_shares": "keywright.features.description.word_classes",
        "keywright.features.terms": "keywright.features.functions.terms",
        "keywright.features.traits": "keywright.features.functions.categorical",
        "keywright.features.view": "keywright.features.description.described_candidates",
        "keywright.features.weighing": "keywright.features.functions.weighing",
        "keywright.features.words": "keywright.features.functions.words",
        "keywright.features.writings": "keywright.features.functions.shape",
        "keywright.learners.judge": "keywright.learners.ranker",
        "keywright.learners.logistic": "keywright.learners.classifiers",
        "keywright.learners.naive_bayes": "keywright.learners.classifiers",
        "keywright.learners.ranker_training": "keywright.learners.ranker",
        "keywright.learners.topics": "keywright.learners.topic_model",
        "keywright.learners.training": "keywright.learners.ranker",
        "keywright.ranking.expertise": "keywright.ranking.language_resources",
    }
)
"""Modules by the names that they had."""

OBJECTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "keywright.calibration.calibrators.parametric:Placing": (
            "keywright.calibration.calibrators.parametric:RankTransform"
        ),
        "keywright.learners.ranker:Judge": "keywright.learners.ranker:TrainedRanker",
    }
)
"""Classes and functions, ``module:name`` with today's module, by the names that they had."""

FIELDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "keywright.calibration.calibrators.model:ProbabilityModel": MappingProxyType({"placing": "rank_transform"}),
        "keywright.calibration.calibrators.selective:Limited": MappingProxyType({"promise": "guarantee"}),
        "keywright.systems.default:Default": MappingProxyType({"few": "shortlist_size", "judge": "ranker"}),
    }
)
"""Fields by the names that they had, for each class as ``module:name`` of today."""

SIGNED: Final[Mapping[str, str]] = MappingProxyType({"|few:": "|shortlist_size:", "|judge:": "|ranker:"})
"""Parts of signatures by what they were; only the default had parameters ``few`` and ``judge``."""


def current_object(name: str) -> str:
    """Return today's name of a class or function, ``module:name``."""
    module, _, path = name.partition(":")
    renamed = f"{MODULES.get(module, module)}:{path}"
    return OBJECTS.get(renamed, renamed)


def current_fields(name: str, fields: Mapping[str, object]) -> dict[str, object]:
    """Return saved fields of a class, ``module:name`` of today, under today's names."""
    renamed = FIELDS.get(name, {})
    return {renamed.get(field, field): value for field, value in fields.items()}


def current_signature(signature: str) -> str:
    """Return a signature, of any version, with today's names of parameters."""
    for old, new in SIGNED.items():
        signature = signature.replace(old, new)
    return signature
