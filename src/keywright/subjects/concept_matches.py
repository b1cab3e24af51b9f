"""Concepts whose labels occur in a document, as columns; a phrase with several meanings is a mention of each."""

from dataclasses import dataclass

import numpy as np

from keywright.candidates.vocabulary_mentions import mentions_of
from keywright.core.arrays import Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.segments import places as places_in
from keywright.vocabularies.concepts import Concepts
from keywright.vocabularies.index import VocabularyIndex
from keywright.vocabularies.label_forms import LabelForms

DEFAULT_LANGUAGE = "en"
"""Language of documents that name none, as elsewhere in matching."""


@dataclass(frozen=True, slots=True, eq=False)
class ConceptMatches:
    """Pairs of a concept and a phrase of the document that has the key of one of its labels.

    Attributes:
        places: of the concepts in the vocabulary, ascending, (concepts,).
        phrases: the phrases that are labels.
        meanings: number of concepts that each phrase can mean, (phrases,).
        concept: index into ``places``, ascending, (pairs,).
        phrase: index into ``phrases``, (pairs,).
        kind: kind of the pair's surest label, such as ``PREFERRED``, (pairs,).
        form: how the text writes this label, a ``Form``, (pairs,).
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
        first = forms.keys.searchsorted(phrases.key, "left")
        number = forms.keys.searchsorted(phrases.key, "right") - first
        phrase, row = ragged(first, number)
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
        """Number of concepts."""
        return len(self.places)

    def mentions(self) -> tuple[Ints, Ints]:
        """Return the concept of each mention, ascending, and the occurrence among those of the phrases, (mentions,)."""
        pair, occurrence = ragged(self.phrases.offsets[self.phrase], self.phrases.frequency[self.phrase])
        return self.concept[pair], occurrence

    def phrases_of(self, concept: int) -> Ints:
        """Return the phrases that mention a concept, the most certain kind of label first, then the most frequent."""
        pairs = np.flatnonzero(self.concept == concept)
        phrase = self.phrase[pairs]
        order = np.lexsort((self.phrases.first[phrase], -self.phrases.frequency[phrase], self.form[pairs]))
        return np.asarray(phrase[order])


def concepts_of(vocabulary: VocabularyIndex) -> Concepts:
    """Return the concepts of a vocabulary.

    Raises:
        BadParameter: it is a list of labels without concepts.
    """
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


def ragged(first: Ints, number: Ints) -> tuple[Ints, Ints]:
    """Return the range that each row of some ranges belongs to, and the row, (rows,) each.

    Range ``i`` has the rows from ``first[i]`` on, ``number[i]`` of them.

    >>> ragged(np.array([5, 9]), np.array([2, 1]))[1]
    array([5, 6, 9])
    """
    of_range, place = places_in(np.concatenate(([0], np.cumsum(number))))
    return of_range, first[of_range] + place
