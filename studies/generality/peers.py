"""The other systems of the study, run as the public interface runs them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from keywright.api.extracting import prepare_run
from keywright.catalogue import system_class
from keywright.core.atomic_files import cache_folder
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.predictions import Prediction
from keywright.core.signatures import describe_part, signature
from keywright.datasets.collection import load
from keywright.text.cached_analyser import CachedAnalyser
from keywright.text.languages import ByLanguage
from studies.cached import cached, code_digest
from studies.generality.collections import Collection, Labelled, collection, documents
from studies.generality.leaving_out import training_without
from studies.generality.lists import TOP, prediction_of, run
from studies.training_data.examples import as_plain_text

LESSONS: Final = 37
"""Step through the training documents of all other collections for systems that learn: some 300 documents; arbitrary,
KEA needs a few dozen."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A system of the catalogue with its options.

    Attributes:
        label: in tables.
        learns: whether it has to be trained; it is on documents of all other collections.
    """

    label: str
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    learns: bool = False


PEERS: Final = (
    Peer("kpminer", "kpminer"),
    Peer("kpminer (once)", "kpminer", MappingProxyType({"least_seen": 1})),
    Peer("tfidf", "tfidf"),
    Peer("yake", "yake"),
    Peer("kea", "kea", learns=True),
    Peer("topicrank", "topicrank"),
    Peer("singlerank", "singlerank"),
    Peer("counting", "counting"),
)
"""``kpminer (once)`` lists phrases that occur once; by default KP-Miner asks for three mentions, as in its paper.
``counting`` is a baseline."""


def peer(label: str) -> Peer:
    """Return a system of the study by its label."""
    return next(part for part in PEERS if part.label == label)


def predictions_of_peer(unit: tuple[str, str], mirror: Path | None = None) -> tuple[Prediction, ...]:
    """Return the lists of a system, by label, for a collection, by name; cached.

    Returns:
        A prediction for each document, in the order of the sample; none where no document can be tagged.
    """
    part, other = collection(unit[0]), peer(unit[1])
    papers, system = documents(part.name, mirror), system_class(other.name)
    code = code_digest(f"{__name__}._lists", f"{system.__module__}.{system.__qualname__}")
    identity = (code, part.name, describe_part(other), *(load(name, mirror).signature for name in part.data))
    result = cached(cache_folder("generality"), identity, lambda: {"lists": _lists(part, other, papers, mirror)})
    return tuple(prediction_of(record) for record in result["lists"])


def _lists(part: Collection, other: Peer, papers: Labelled, mirror: Path | None) -> list[dict[str, Any]]:
    system: Any = replace(system_class(other.name)(), **other.options)
    if other.learns:
        system = system.fit(lessons(part, mirror))
    extraction = prepare_run(system, TOP)
    cache = CachedAnalyser(extraction.analyser, cache_folder("analyses"), signature(extraction.analyser))
    return run(replace(extraction, analyser=cache), papers)


def lessons(part: Collection, mirror: Path | None = None) -> Iterator[LabelledDocument[AnalysedDocument]]:
    """Yield analysed training documents of all other collections."""
    analyser = ByLanguage()
    for training in islice(training_without(part, mirror=mirror), 0, None, LESSONS):
        labelled = training.labelled
        yield LabelledDocument(analyser.analyse(as_plain_text(labelled.document)), labelled.gold)
