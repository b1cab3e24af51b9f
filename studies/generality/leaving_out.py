"""Training without a collection: training data, lexicon counts, and the system that is trained."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from keywright.core.atomic_files import cache_folder
from keywright.datasets.collection import load
from keywright.datasets.training_mix import TRAINING, TrainingPart
from keywright.extraction.corpus.knowledge import ANY, Knowledge, knowledge_of
from keywright.extraction.learners.examples import Examples
from keywright.extraction.learners.ranker import TrainedRanker
from keywright.extraction.ranking.language_resources import (
    LanguageResources,
    Languages,
    load_shipped_prose,
    load_shipped_tags,
)
from keywright.extraction.systems.default import Default
from keywright.text.keys import gold_keys
from studies.cached import cached, code_digest
from studies.generality.collections import COLLECTIONS, Collection, collection, documents, whole
from studies.training_data.author_lists import AuthorLists, author_lists
from studies.training_data.decontamination import Traces, overlapping_ids
from studies.training_data.examples import (
    TrainingData,
    as_counted,
    train,
    training_examples,
    untrained,
    without_lists,
)
from studies.training_data.training_documents import ALL_LANGUAGES, TrainingDocument, training_documents


def parts_without(part: Collection, parts: Iterable[TrainingPart] = TRAINING) -> tuple[TrainingPart, ...]:
    """Return the training parts without the collection's family: whole parts, or records of some sources."""
    remaining = []
    for training in parts:
        sources = part.family.get(training.data.partition("/")[0])
        if sources is None:
            remaining.append(training)
        elif sources:
            before = training.besides.get("source", ())
            remaining.append(replace(training, besides={**training.besides, "source": (*before, *sources)}))
    return tuple(remaining)


def training_without(
    part: Collection, parts: Sequence[TrainingPart] = TRAINING, mirror: Path | None = None
) -> Iterator[TrainingDocument]:
    """Yield the training documents without the collection, and without documents that overlap its sample."""
    same = overlapping(tuple(dict.fromkeys(training.data for training in parts)), mirror)
    for training in training_documents(parts_without(part, parts), mirror):
        if training.labelled.id not in same[part.name][training.part.data]:
            yield training


@lru_cache(maxsize=2)
def overlapping(data: tuple[str, ...], mirror: Path | None = None) -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return the ids of training documents that overlap the sample of a collection, by collection and data set.

    Equal titles and shared text count, shared keyphrases alone do not; cached, as reading all texts takes minutes.
    """
    identity = (code_digest(f"{__name__}._overlapping"), *(load(name, mirror).signature for name in data))
    stored = cached(cache_folder("generality"), identity, lambda: _overlapping(data, mirror))
    return {name: {key: frozenset(ids) for key, ids in by_data.items()} for name, by_data in stored.items()}


def _overlapping(data: Sequence[str], mirror: Path | None) -> dict[str, Any]:
    samples = {part.name: Traces.of(documents(part.name, mirror)) for part in COLLECTIONS}
    ids: dict[str, dict[str, list[str]]] = {name: {} for name in samples}
    for training in data:
        every = Traces.of(load(training, mirror))
        for name, sample in samples.items():
            ids[name][training] = sorted(overlapping_ids(every, sample))
    return ids


def knowledge_without(part: Collection, language: str = "en", mirror: Path | None = None) -> Knowledge:
    """Return the tables of a language without the author lists that may belong to documents of the collection."""
    lists = author_lists(language, mirror)
    return lists.taken_out(knowledge_of(language), lists_of(part, lists, mirror))


def lists_of(part: Collection, lists: AuthorLists, mirror: Path | None = None) -> frozenset[int]:
    """Return the numbers of author lists that may belong to documents of the collection, in its sample or not."""
    gold = (gold_keys(paper.gold, lists.language) for paper in whole(part, mirror))
    return frozenset(number for keys in gold for number in lists.like(keys))


LIGHTER: Final = {"train_mix/author": 9, "krapivin2009/train": 4, "schutz2008/train": 4}
"""Steps through the largest parts; a third to a half of the documents of the shipped training, for time."""
FOLDS: Final = 2  # folds of the probability maps, for time; the shipped ones have five


def lighter(parts: Iterable[TrainingPart]) -> tuple[TrainingPart, ...]:
    """Return parts with fewer documents of the largest collections."""
    return tuple(replace(part, every=max(part.every, LIGHTER.get(part.data, 1))) for part in parts)


def train_without(part: Collection, seed: int, mirror: Path | None = None) -> Default:
    """Return the default trained without a collection: trees, probabilities, and counts of author lists.

    The recipe is that of ``tools/train/train_default.py``, with fewer documents of the largest collections. French
    and Spanish collections are left out of the trees for languages without trees of their own.

    Args:
        part: the collection.
        seed: of the trees.
        mirror: folder of data sets, where it is not the usual one.
    """
    language = ANY if part.name in ANOTHER_LANGUAGE else "en"
    system, examples = described_without(part.name, language, mirror)
    ranker = first_ranker(part.name, language, mirror)
    if seed != FIRST:
        ranker = replace(ranker, trees=train(examples, language, seed=seed, folds=0).trees)
    if language == ANY:
        return Default(languages=OneRanker(ranker))
    # Both learnt from none of these collections.
    return replace(system, ranker=ranker, tags=load_shipped_tags(), prose=load_shipped_prose())


FIRST: Final = 1  # seed whose probability maps serve all seeds, for time: their scores are of one scale


@lru_cache(maxsize=1)
def first_ranker(name: str, language: str, mirror: Path | None = None) -> TrainedRanker:
    """Return the ranker of the first seed, with probability maps."""
    _, examples = described_without(name, language, mirror)
    return train(examples, language, seed=FIRST, folds=FOLDS)


@lru_cache(maxsize=1)
def described_without(name: str, language: str, mirror: Path | None = None) -> tuple[Default, tuple[Examples, ...]]:
    """Return the untrained default without a collection's author lists, and its examples; they serve all seeds."""
    part = collection(name)
    if language == ANY:
        system = untrained(knowledge_of(ANY), ANY)
        data = TrainingData.of(training_without(part, lighter(ALL_LANGUAGES), mirror))
        return system, tuple(training_examples(system, data, as_counted))
    system = untrained(knowledge_without(part, mirror=mirror))
    data = TrainingData.of(training_without(part, lighter(TRAINING), mirror))
    return system, tuple(training_examples(system, data, without_lists(author_lists("en", mirror))))


ANOTHER_LANGUAGE: Final = frozenset({"wicc_es", "papyrus_fr"})  # collections that are not in English


@dataclass(frozen=True)
class OneRanker(Languages):
    """Resources of all languages but English: one ranker, and no tables."""

    ranker: TrainedRanker

    def of(self, language: str) -> LanguageResources:  # noqa: ARG002  (it is the same for all)
        """Return the ranker."""
        return LanguageResources(knowledge_of(ANY), self.ranker, load_shipped_tags(ANY), load_shipped_prose(ANY))
