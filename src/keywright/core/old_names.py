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
        "keywright.calibration.calibrated_trees": "keywright.ensembles.meta_trees",
        "keywright.calibration.calibrating": "keywright.calibration.calibrators.calibrating",
        "keywright.calibration.calibration_report": "keywright.calibration.measuring",
        "keywright.calibration.calibrators.belonging": "keywright.calibration.calibrators.calibrator",
        "keywright.calibration.calibrators.curves": "keywright.calibration.calibrators.parametric",
        "keywright.calibration.calibrators.described": "keywright.calibration.phrases",
        "keywright.calibration.calibrators.placing": "keywright.calibration.calibrators.parametric",
        "keywright.calibration.calibrators.steps": "keywright.calibration.calibrators.model",
        "keywright.calibration.vote": "keywright.ensembles.vote",
        "keywright.extraction.candidates.letters": "keywright.extraction.candidates.prefilter",
        "keywright.extraction.candidates.noticed": "keywright.extraction.candidates.prefilter",
        "keywright.extraction.corpus.adding": "keywright.extraction.corpus.counts",
        "keywright.extraction.corpus.joint_counts": "keywright.extraction.corpus.knowledge",
        "keywright.extraction.corpus.taking_out": "keywright.extraction.corpus.counts",
        "keywright.extraction.corpus.together": "keywright.extraction.corpus.knowledge",
        "keywright.extraction.features.acronyms": "keywright.extraction.features.functions.shape",
        "keywright.extraction.features.centrality": "keywright.extraction.features.functions.centrality",
        "keywright.extraction.features.cohesion": "keywright.extraction.features.functions.words",
        "keywright.extraction.features.description": "keywright.extraction.features.description.columns",
        "keywright.extraction.features.frequency": "keywright.extraction.features.functions.frequency",
        "keywright.extraction.features.functions.cohesion": "keywright.extraction.features.functions.words",
        "keywright.extraction.features.functions.phrasehood": "keywright.extraction.features.functions.nestedness",
        "keywright.extraction.features.functions.relative": "keywright.extraction.features.functions.position",
        "keywright.extraction.features.functions.structure": "keywright.extraction.features.functions.position",
        "keywright.extraction.features.knowledge": "keywright.extraction.features.functions.knowledge",
        "keywright.extraction.features.known": "keywright.extraction.features.description.lookup",
        "keywright.extraction.features.neighbours": "keywright.extraction.features.description.word_classes",
        "keywright.extraction.features.nestedness": "keywright.extraction.features.functions.nestedness",
        "keywright.extraction.features.phrasehood": "keywright.extraction.features.functions.nestedness",
        "keywright.extraction.features.position": "keywright.extraction.features.functions.position",
        "keywright.extraction.features.relative": "keywright.extraction.features.functions.position",
        "keywright.extraction.features.shape": "keywright.extraction.features.functions.shape",
        "keywright.extraction.features.structure": "keywright.extraction.features.functions.position",
        "keywright.extraction.features.tag_shares": "keywright.extraction.features.description.word_classes",
        "keywright.extraction.features.terms": "keywright.extraction.features.functions.terms",
        "keywright.extraction.features.traits": "keywright.extraction.features.functions.words",
        "keywright.extraction.features.view": "keywright.extraction.features.description.described_candidates",
        "keywright.extraction.features.weighing": "keywright.extraction.features.description.weighing",
        "keywright.extraction.features.words": "keywright.extraction.features.functions.words",
        "keywright.extraction.features.writings": "keywright.extraction.features.functions.shape",
        "keywright.extraction.learners.judge": "keywright.extraction.learners.ranker",
        "keywright.extraction.learners.logistic": "keywright.extraction.learners.classifiers",
        "keywright.extraction.learners.naive_bayes": "keywright.extraction.learners.classifiers",
        "keywright.extraction.learners.ranker_training": "keywright.extraction.learners.ranker",
        "keywright.extraction.learners.topics": "keywright.extraction.learners.topic_model",
        "keywright.extraction.learners.training": "keywright.extraction.learners.ranker",
        "keywright.extraction.ranking.expertise": "keywright.extraction.ranking.language_resources",
    }
)
"""Modules by the names that they had."""

OBJECTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "keywright.calibration.calibrators.parametric:Placing": (
            "keywright.calibration.calibrators.parametric:RankTransform"
        ),
        "keywright.extraction.learners.ranker:Judge": "keywright.extraction.learners.ranker:TrainedRanker",
    }
)
"""Classes and functions, ``module:name`` with today's module, by the names that they had."""

FIELDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "keywright.calibration.calibrators.model:ProbabilityModel": MappingProxyType({"placing": "rank_transform"}),
        "keywright.calibration.calibrators.calibrated:Limited": MappingProxyType({"promise": "guarantee"}),
        "keywright.extraction.systems.default:Default": MappingProxyType({"few": "shortlist_size", "judge": "ranker"}),
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
