"""Keyphrases of indexed documents become concepts of a vocabulary: by URI, label as written, or key of a label."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keywright.core.arrays import Ints
from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.subjects.concept_matches import DEFAULT_LANGUAGE, concepts_of, forms_of_language
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer
from keywright.vocabularies.index import VocabularyIndex


@dataclass(frozen=True, slots=True, eq=False)
class GoldConcepts:
    """Subjects of one document.

    Attributes:
        places: of the concepts, ascending, each once, (subjects,).
        lacking: keyphrases that are no concept of the vocabulary, each once.
    """

    places: Ints
    lacking: tuple[str, ...]

    @property
    def number(self) -> int:
        """Number of subjects, in the vocabulary or not."""
        return len(self.places) + len(self.lacking)


@dataclass(frozen=True, eq=False)
class SubjectLookup:
    """Concepts of a vocabulary by what people write for them."""

    vocabulary: VocabularyIndex

    def of(self, example: LabelledDocument[AnalysedDocument]) -> GoldConcepts:
        """Return the subjects of a document; gold of every kind counts."""
        language = example.document.source.language or DEFAULT_LANGUAGE
        places: set[int] = set()
        lacking: dict[str, None] = {}
        for keyphrase in example.gold:
            place = self._place(keyphrase, language)
            if place is None:
                lacking[keyphrase.forms[0]] = None
            else:
                places.add(place)
        return GoldConcepts(np.array(sorted(places), np.int64), tuple(lacking))

    def _place(self, keyphrase: GoldKeyphrase, language: str) -> int | None:
        """Return the concept of a keyphrase, by the surest of its forms; None if the vocabulary lacks it."""
        for places in (self._uris, self._labels):
            for form in keyphrase.forms:
                if (place := places.get(_folded(form) if places is self._labels else form.strip())) is not None:
                    return place
        labels = forms_of_language(self.vocabulary, language)
        for form in keyphrase.forms:
            rows, _ = labels.of_key(key) if (key := phrase_key(form, stemmer(language))) else (np.zeros(0, int), None)
            if len(rows):
                return int(concepts_of(self.vocabulary).of_labels(rows[:1])[0])
        return None

    @cached_property
    def _uris(self) -> Mapping[str, int]:
        return {uri: place for place, uri in enumerate(concepts_of(self.vocabulary).uris)}

    @cached_property
    def _labels(self) -> Mapping[str, int]:
        """Concepts by label, without case; of several with one label, that which prefers it, else the first."""
        concepts = concepts_of(self.vocabulary)
        rows = np.lexsort((np.arange(len(concepts.kinds)), concepts.kinds))
        places = concepts.of_labels(rows).tolist()
        texts = self.vocabulary.labels
        by_label: dict[str, int] = {}
        for row, place in zip(rows.tolist(), places, strict=True):
            by_label.setdefault(_folded(texts[row]), place)
        return by_label


def _folded(label: str) -> str:
    return " ".join(label.casefold().split())


def most_lacking(subjects: Iterable[GoldConcepts], number: int) -> list[str]:
    """Return the keyphrases that the vocabulary lacks for most documents."""
    counted = Counter(label for of_document in subjects for label in of_document.lacking)
    return [label for label, _ in counted.most_common(number)]
