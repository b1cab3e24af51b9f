"""Subjects of a document: concepts of a vocabulary, ranked by trees that learnt from indexed documents.

Candidates are the concepts whose labels the document mentions, and the subjects of the indexed documents that are most
like it, described by mentions, relations to other mentioned concepts, and the indexed documents. Boosted trees
(Friedman 2001) rank them, as bagged trees do in Maui (Medelyan 2009: Human-competitive automatic topic indexing) and in
the MLLM of Annif (Suominen, Inkinen and Lehtinen 2022: Annif and Finto AI); a map that was fitted on held-out documents
gives probabilities.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from typing import ClassVar, Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Ranking, Spans
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import NotFitted
from keywright.core.interfaces import Extractor
from keywright.core.keyphrases import Concept, outermost
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.rank import counts_by_expected_f1, spans_of, surface_form
from keywright.extraction.subjects.described_documents import DEFAULT_LANGUAGE, ConceptMatches, describe
from keywright.extraction.subjects.indexed_documents import IndexedDocuments, candidate_rows
from keywright.extraction.systems.default import Default
from keywright.extraction.vocabularies.index import VocabularyIndex

_REASONS: Final = {
    "how often": ("mentions", "density", "labels"),
    "where": ("first mention", "last mention", "spread", "mentions in zones"),
    "how rare": ("rarity", "density by rarity", "mentioned in documents"),
    "known as a keyphrase": (
        "probability of labels", "rank of labels", "subject of documents", "subject where mentioned",
    ),
    "well-formed": (
        "kind of label", "form of label", "meanings of label", "words of label", "inside longer labels", "mentioned",
    ),
    "how central": (
        "broader mentioned", "narrower mentioned", "siblings mentioned", "subject of similar documents",
        "rank by similar documents",
    ),
    "kind of document": ("tokens", "concepts"),
}  # fmt: skip
"""Columns by the reason that people see."""


@dataclass(frozen=True, eq=False)
class SubjectModel:
    """Result of learning from indexed documents: trees over ``columns``, and probabilities of held-out log-odds."""

    indexed: IndexedDocuments
    trees: Trees
    probability: ProbabilityMap
    columns: tuple[str, ...]

    @cached_property
    def fingerprint(self) -> str:
        """Start of a SHA-256 of trees, probabilities and documents: the model's part in a signature."""
        digest = sha256(self.trees.text.encode())
        for array in (self.probability.scores, self.probability.probabilities, self.indexed.texts):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:8]


@dataclass(frozen=True)
class SubjectRanker:
    """Concepts of a vocabulary by trees that learnt from indexed documents, with probabilities.

    vocabulary  index of a vocabulary of concepts; a trained system has its own copy
    base        system whose probabilities of phrases count for the concepts that they are labels of
    model       what was learnt; none before training
    """

    vocabulary: VocabularyIndex | None = None
    base: Extractor = field(default_factory=Default)
    model: SubjectModel | None = None

    name: ClassVar[str] = "subject"

    @property
    def needs(self) -> frozenset[str]:
        """Inherit the needs of the base system."""
        return self.base.needs

    @property
    def vocabulary_digest(self) -> str:
        """SHA-256 of the vocabulary's labels and URIs; empty without one."""
        return "" if self.vocabulary is None else self.vocabulary.digest

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the concepts that the document mentions, and of similar ones (``NotFitted`` before training)."""
        if self.vocabulary is None or self.model is None:
            hint = "keywright train subject DATASET --vocabulary DIR -o FOLDER, then --system FOLDER"
            raise NotFitted("the system subject has not been trained", hint)
        described = describe(document, self.vocabulary, self.base)
        places, rows, _ = candidate_rows(described, self.model.indexed)
        scores = self.model.trees.scores(rows)
        order = np.lexsort((places, -scores))
        probabilities = self.model.probability.of(scores[order])
        warning = self.vocabulary.need_concepts().warning(document.source.language or DEFAULT_LANGUAGE)
        named = _NamedSubjects(document, self.vocabulary, described.matches, places[order])
        return Ranking(
            source=document.source,
            scores=scores[order],
            phrases=named.phrases,
            concepts=named.concepts,
            probabilities=probabilities.__getitem__,
            evidence=partial(_explain_scores, self.model, rows[order]),
            warnings=(warning,) if warning else (),
            chosen=int(counts_by_expected_f1(probabilities, np.array([0, len(probabilities)]))[0]),
        )


def _explain_scores(model: SubjectModel, rows: Floats, shown: Ints) -> Mapping[str, Floats]:
    """Return what moved the log-odds of some concepts, by reason, (shown,) each."""
    columns = dict(zip(model.columns, model.trees.contributions(rows[shown]).T, strict=False))
    return {reason: np.sum([columns[name] for name in names], axis=0) for reason, names in _REASONS.items()}


@dataclass(frozen=True, eq=False)
class _NamedSubjects:
    """Names, and places in the text, of ranked concepts, best first, made for those that are shown."""

    document: AnalysedDocument
    vocabulary: VocabularyIndex
    matches: ConceptMatches
    places: Ints

    def phrases(self, positions: Ints) -> list[tuple[str, Spans]]:
        """Return the text of the surest label that the document mentions, else the label, with all mentions."""
        shown: list[tuple[str, Spans]] = []
        for place in self.places[positions].tolist():
            spans = spans_of(self.document, self.matches.phrases, self._phrases(place))
            if spans:
                text = surface_form(self.document.source.text, spans[0])
                shown.append((text, outermost(itertools.chain.from_iterable(spans))))
            else:
                shown.append((self._name_concept(place).label, ()))
        return shown

    def concepts(self, positions: Ints) -> list[tuple[Concept, tuple[str, ...]]]:
        """Return the concepts, and the URIs of all concepts that their phrases can mean, where these are several."""
        return [(self._name_concept(place), self._list_meanings(place)) for place in self.places[positions].tolist()]

    def _name_concept(self, place: int) -> Concept:
        language = self.document.source.language or DEFAULT_LANGUAGE
        return self.vocabulary.need_concepts().name_concept(place, self.vocabulary.labels, (language,))

    def _phrases(self, place: int) -> Ints:
        """Return the phrases that mention a concept, the surest first; none for one of similar documents."""
        concept = int(self.matches.places.searchsorted(place))
        if concept == len(self.matches) or self.matches.places[concept] != place:
            return np.zeros(0, np.int64)
        return self.matches.phrases_of(concept)

    def _list_meanings(self, place: int) -> tuple[str, ...]:
        phrases = self._phrases(place)
        if not len(phrases) or self.matches.meanings[phrases].min() == 1:
            return ()
        others = self.matches.places[self.matches.concept[self.matches.phrase == phrases[0]]].tolist()
        uris = self.vocabulary.need_concepts().uris
        return tuple(uris[other] for other in (place, *(other for other in others if other != place)))
