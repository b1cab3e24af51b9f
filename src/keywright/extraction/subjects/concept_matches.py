"""Concepts of a vocabulary in a document: those whose labels occur in its text, and those that its keyphrases name."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keywright.core.arrays import Ints, expand_ranges
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.restricting import mentions_of
from keywright.extraction.vocabularies.concepts import Concepts
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.extraction.vocabularies.label_keys import LabelForms
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer

DEFAULT_LANGUAGE = "en"  # language of documents that name none, as elsewhere in matching


@dataclass(frozen=True, slots=True, eq=False)
class ConceptMatches:
    """Pairs of a concept and a phrase of the document that has the key of one of its labels.

    ``places``: of the concepts, ascending, (concepts,); ``meanings``: number of concepts of each phrase, (phrases,);
    ``concept``, ``phrase``: indices, ``kind``: of the surest label, such as ``PREFERRED``, ``form``: how it is written,
    (pairs,).
    """

    places: Ints
    phrases: Candidates
    meanings: Ints
    concept: Ints
    phrase: Ints
    kind: Ints
    form: Ints

    @classmethod
    def of(cls, document: AnalysedDocument, vocabulary: VocabularyIndex) -> "ConceptMatches":
        """Return the concepts of a vocabulary in a document; without labels in its language those of all are used."""
        language = document.source.language or DEFAULT_LANGUAGE
        phrases = mentions_of(document, vocabulary.keys_for(language))
        concepts, forms = concepts_of(vocabulary), forms_of_language(vocabulary, language)
        first, end = (forms.keys.searchsorted(phrases.key, side) for side in ("left", "right"))
        row, phrase = expand_ranges(first, end)
        place = concepts.of_labels(forms.labels[row])
        # The forms of a key are sorted, the surest first, and ``unique`` returns the first row of each pair.
        _, surest = np.unique(place * max(1, len(phrases)) + phrase, return_index=True)
        places, concept = np.unique(place[surest], return_inverse=True)
        phrase, row = phrase[surest], row[surest]
        return cls(
            places=places,
            phrases=phrases,
            meanings=np.bincount(phrase, minlength=len(phrases)),
            concept=concept,
            phrase=phrase,
            kind=concepts.kinds[forms.labels[row]],
            form=forms.forms[row],
        )

    def __len__(self) -> int:
        return len(self.places)

    def mentions(self) -> tuple[Ints, Ints]:
        """Return the concept of each mention, ascending, and the occurrence among those of the phrases, (mentions,)."""
        offsets = self.phrases.offsets
        occurrence, pair = expand_ranges(offsets[self.phrase], offsets[self.phrase + 1])
        return self.concept[pair], occurrence

    def phrases_of(self, concept: int) -> Ints:
        """Return the phrases that mention a concept, the most certain kind of label first, then the most frequent."""
        pairs = np.flatnonzero(self.concept == concept)
        phrase = self.phrase[pairs]
        order = np.lexsort((self.phrases.first[phrase], -self.phrases.frequency[phrase], self.form[pairs]))
        return np.asarray(phrase[order])


def concepts_of(vocabulary: VocabularyIndex) -> Concepts:
    """Return the concepts of a vocabulary; a list of labels without them is a ``BadParameter``."""
    if vocabulary.concepts is None:
        hint = "build it of a thesaurus in SKOS, or of a table with a column uri: `keywright vocabulary build`"
        raise BadParameter("subjects of a vocabulary without concepts", hint)
    return vocabulary.concepts


def forms_of_language(vocabulary: VocabularyIndex, language: str) -> LabelForms:
    """Return the forms of the labels of a vocabulary of concepts, stemmed like documents in a language."""
    concepts_of(vocabulary)
    forms = vocabulary.forms_for(language)
    assert forms is not None, "a vocabulary of concepts has forms"  # noqa: S101 - for the type checker
    return forms


@dataclass(frozen=True, slots=True, eq=False)
class GoldConcepts:
    """Subjects of one document, places ascending and once each, and keyphrases that are ``lacking``, once each."""

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
        for form in keyphrase.forms:
            if form.strip() in self._by_uri:
                return self._by_uri[form.strip()]
        for form in keyphrase.forms:
            if _fold_label(form) in self._by_label:
                return self._by_label[_fold_label(form)]
        labels = forms_of_language(self.vocabulary, language)
        for form in keyphrase.forms:
            key = phrase_key(form, stemmer(language))
            if key and len(rows := labels.of_key(key)[0]):
                return int(concepts_of(self.vocabulary).of_labels(rows[:1])[0])
        return None

    @cached_property
    def _by_uri(self) -> Mapping[str, int]:
        return {uri: place for place, uri in enumerate(concepts_of(self.vocabulary).uris)}

    @cached_property
    def _by_label(self) -> Mapping[str, int]:
        """Concepts by label, without case; of several with one label, that which prefers it, else the first."""
        concepts = concepts_of(self.vocabulary)
        rows = np.argsort(concepts.kinds, kind="stable")
        by_label: dict[str, int] = {}
        for row, place in zip(rows.tolist(), concepts.of_labels(rows).tolist(), strict=True):
            by_label.setdefault(_fold_label(self.vocabulary.labels[row]), place)
        return by_label


def _fold_label(label: str) -> str:
    return " ".join(label.casefold().split())


def most_lacking(subjects: Iterable[GoldConcepts], number: int) -> list[str]:
    """Return the keyphrases that the vocabulary lacks for most documents."""
    counted = Counter(label for of_document in subjects for label in of_document.lacking)
    return [label for label, _ in counted.most_common(number)]
