"""Phrases of a document beside a vocabulary: their forms, which of them are labels, and the concepts that they mean."""

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, WordFlag
from keywright.core.keyphrases import Acronym, Concept, Keyphrase, outermost
from keywright.extraction.ranking.reasons import acronyms
from keywright.extraction.vocabularies.concepts import Concepts, code_of
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.extraction.vocabularies.label_keys import Form, LabelForms
from keywright.text.keys import hash_of, parts_of, roll_hashes
from keywright.text.label_stems import label_key
from keywright.text.stems import stemmer, stopwords
from keywright.text.tokens import normal_form


class PhraseForms:
    """Keys, stems and acronyms of the phrases of one document, each form computed once."""

    def __init__(self, document: AnalysedDocument) -> None:
        self.document = document
        self.language = document.source.language or "en"
        self._stem = stemmer(self.language)
        self._stop = stopwords(self.language)
        self._keys: dict[str, int] = {}
        self._hashes: dict[str, int] = {}
        self._stems: dict[str, frozenset[str]] = {}

    @cached_property
    def acronyms(self) -> Mapping[int, Acronym]:
        """Acronyms that the document defines, by the key of either form."""
        return acronyms(self.document)

    def label_keys(self, keyphrase: Keyphrase) -> frozenset[int]:
        """Return the keys among labels of a phrase as shown and as in the text, where words are broken across lines."""
        text = self.document.source.text
        written = {keyphrase.text, *(text[start:end] for start, end in keyphrase.spans)}
        return frozenset(label_key(form, self.language) for form in written)

    def in_vocabulary(self, keyphrases: Sequence[Keyphrase], vocabulary: VocabularyIndex) -> Bools:
        """Return whether each phrase is a label of a vocabulary, (keyphrases,)."""
        keys = [tuple(self.label_keys(keyphrase)) for keyphrase in keyphrases]
        # All forms of all phrases are looked up at once; a phrase is listed if any of its forms is.
        owner = np.repeat(np.arange(len(keys)), [len(of_phrase) for of_phrase in keys])
        forms = np.fromiter(itertools.chain.from_iterable(keys), np.uint64, len(owner))
        listed = np.zeros(len(keys), bool)
        listed[owner[vocabulary.keys_for(self.language).contain(forms)]] = True
        return listed

    def stems(self, text: str) -> frozenset[str]:
        """Return the stems of a phrase without stop words; for a short form those of its long form."""
        acronym = self.acronym(text)
        return self._stems_of(acronym.long if acronym else text)

    def key(self, text: str) -> int:
        """Return the key of a text, as ``phrase_key`` does."""
        if text not in self._keys:
            self._keys[text] = roll_hashes(map(self._hash, parts_of(normal_form(text))))
        return self._keys[text]

    def _hash(self, part: str) -> int:
        """Return the hash of a part's stem; the phrases of a document share most of their parts."""
        value = self._hashes.get(part)
        if value is None:
            value = self._hashes[part] = hash_of(self._stem(part))
        return value

    def _stems_of(self, text: str) -> frozenset[str]:
        if text not in self._stems:
            parts = parts_of(normal_form(text))
            stems = frozenset(self._stem(part) for part in parts if part not in self._stop)
            self._stems[text] = stems or frozenset(parts)
        return self._stems[text]

    def acronym(self, text: str) -> Acronym | None:
        """Return the acronym that a text is a form of."""
        return self.acronyms.get(self.key(text))


_MOST_PARTS: Final = 255
"""Largest number of parts in the column of a document, in which words of more parts have as many."""


def find_labels(ranking: Ranking, mentions: Candidates, forms: PhraseForms, vocabulary: VocabularyIndex) -> Bools:
    """Return whether each phrase of a whole ranking is a label, as shown or as in the text, (ranked,)."""
    if ranking.mentions is None:
        return forms.in_vocabulary(ranking.keyphrases(), vocabulary)
    position, first, width = ranking.mentions()
    count = 1 + int(position.max(initial=-1))
    listed, unusual = np.zeros(count, bool), np.zeros(count, bool)
    listed[position[_find_label_mentions(mentions, first, width)]] = True
    unusual[position[_find_unusual(forms.document, first, width)]] = True
    # The text of an unusual mention can have other parts than its tokens together.
    by_text = np.flatnonzero((unusual & ~listed)[ranking.positions_to()])
    listed = listed[ranking.positions_to()]
    listed[by_text] = forms.in_vocabulary(ranking.where(by_text).keyphrases(), vocabulary)
    return listed


def _find_label_mentions(mentions: Candidates, first: Ints, width: Ints) -> Bools:
    """Return whether stretches of tokens are among the mentions of labels, (stretches,)."""
    # One number for each place and width: a table of Booleans replaces the look-up of a key for each stretch.
    widest = 1 + int(width.max(initial=0))
    narrow = mentions.widths < widest
    codes = mentions.positions[narrow] * widest + mentions.widths[narrow]
    table = np.zeros(1 + max(int(codes.max(initial=0)), int((first * widest + width).max(initial=0))), bool)
    table[codes] = True
    return np.asarray(table[first * widest + width])


def _find_unusual(document: AnalysedDocument, first: Ints, width: Ints) -> Bools:
    """Return whether stretches hold a sign, words without a blank between, or a border of sentences, (stretches,)."""
    odd = (document.flags & WordFlag.PUNCTUATION > 0) | (document.word_parts[document.word] >= _MOST_PARTS)
    torn = np.zeros(len(document), bool)  # from the token before
    torn[1:] = (document.start[1:] == document.end[:-1]) | (document.sentence[1:] != document.sentence[:-1])
    # Prefix sums: the number of odd tokens in a stretch is the difference of two running counts.
    odd_before, torn_before = (np.concatenate(([0], np.cumsum(column))) for column in (odd, torn))
    end = first + width
    return np.asarray((odd_before[end] > odd_before[first]) | (torn_before[end] > torn_before[first + 1]))


@dataclass(frozen=True, slots=True)
class UnnamedConcept(Concept):
    """A concept by its ``places``, with those of others that its phrase can mean: most need no name."""

    uri: str = ""
    label: str = ""
    places: tuple[int, ...] = ()
    is_doubtful: bool = False


@dataclass(frozen=True, slots=True)
class ConceptNames:
    """Names of the concepts of a vocabulary; ``language``: of the labels shown, empty for that of each document."""

    index: VocabularyIndex
    concepts: Concepts
    language: str = ""

    def match(self, keyphrases: Sequence[Keyphrase], forms: PhraseForms) -> list[Keyphrase]:
        """Return a phrase for each concept that some phrases of a document are labels of, the most probable first.

        Each has the text of the best phrase, the places of all, and the probability that at least one of them would be
        chosen if each were chosen independently of the others. Concepts without probability come last, as they came.
        They have no names yet, see ``attach_names``. ``keyphrases``: labels of the vocabulary, best first.
        """
        labels = self.index.forms_for(forms.language)
        if labels is None:
            return list(keyphrases)
        meanings = [_find_meanings(forms.label_keys(keyphrase), labels, self.concepts) for keyphrase in keyphrases]
        certain = {places[0] for places, _ in meanings if len(places) == 1}
        phrases: dict[int, list[Keyphrase]] = {}
        concepts: dict[int, UnnamedConcept] = {}
        for keyphrase, (places, form) in zip(keyphrases, meanings, strict=True):
            if not places:
                continue
            # A concept that the document also names by another phrase is taken before the surest label.
            place = next((place for place in places if place in certain), places[0])
            if place not in phrases:
                is_doubtful = len(places) > 1 or form is Form.UNQUALIFIED
                others = (other for other in places if other != place)
                concepts[place] = UnnamedConcept(places=(place, *others), is_doubtful=is_doubtful)
            phrases.setdefault(place, []).append(keyphrase)
        together = [
            replace(
                phrases[place][0],
                score=max(each.score for each in phrases[place]),
                probability=combine_probabilities(each.probability for each in phrases[place]),
                spans=outermost(span for each in phrases[place] for span in each.spans),
                concept=concept,
            )
            for place, concept in concepts.items()
        ]
        return sorted(together, key=lambda each: -1.0 if each.probability is None else each.probability, reverse=True)

    def list_broader(self, keyphrases: Sequence[Keyphrase], forms: PhraseForms) -> list[Keyphrase]:
        """Return the other concepts above some, the most probable below first, without places and probability."""
        shown = {place for keyphrase in keyphrases for place in places_of(keyphrase)[:1]}
        below: dict[int, float] = {}
        for keyphrase in keyphrases:
            for place in places_of(keyphrase)[:1]:
                for above in self.concepts.above(place):
                    below[above] = below.get(above, 0.0) + (keyphrase.probability or 0.0)
        order = sorted((place for place in below if place not in shown), key=lambda place: -below[place])
        lowest = min([0.0, *(keyphrase.score for keyphrase in keyphrases)])
        concepts = (self._name(place, forms.language) for place in order)
        return [Keyphrase(concept.label, lowest, concept=concept) for concept in concepts]

    def attach_names(self, keyphrases: Iterable[Keyphrase], language: str) -> Iterator[Keyphrase]:
        """Yield keyphrases with names in the language asked for, else ``language``; ``ambiguous``: all URIs."""
        for keyphrase in keyphrases:
            concept = keyphrase.concept
            if not isinstance(concept, UnnamedConcept):
                yield keyphrase
                continue
            doubts = concept.places if concept.is_doubtful else ()
            yield replace(
                keyphrase,
                concept=self._name(concept.places[0], language),
                ambiguous=tuple(self.concepts.uris[place] for place in doubts),
            )

    def detach_names(self, keyphrases: Iterable[Keyphrase]) -> list[Keyphrase]:
        """Return concepts that a system ranked and named by their places, to be named as others are."""
        unnamed = []
        for keyphrase in keyphrases:
            uris = keyphrase.ambiguous or (keyphrase.concept.uri if keyphrase.concept else "",)
            places = tuple(map(self.concepts.places.__getitem__, uris))
            concept = UnnamedConcept(places=places, is_doubtful=bool(keyphrase.ambiguous))
            unnamed.append(replace(keyphrase, concept=concept))
        return unnamed

    def warn(self, keyphrases: Iterable[Keyphrase], forms: PhraseForms) -> tuple[str, ...]:
        """Return what people should know of the languages of a document's concepts."""
        warnings = list(filter(None, [self.concepts.warning(forms.language)]))
        shown = [keyphrase.concept.language for keyphrase in keyphrases if keyphrase.concept]
        others = [tag for tag in shown if tag and code_of(tag) != self.language]
        if self.language and others:
            tags = ", ".join(dict.fromkeys(others))
            warnings.append(
                f"{len(others)} of {len(shown)} concepts have no label in {self.language!r}: shown in {tags}"
            )
        return tuple(warnings)

    def _name(self, place: int, language: str) -> Concept:
        """Return a concept, named in the language that was asked for, else in that of the document."""
        return self.concepts.name_concept(place, self.index.labels, list(filter(None, (self.language, language))))


def places_of(keyphrase: Keyphrase) -> tuple[int, ...]:
    """Return the places of the concepts that a phrase can mean, its own first; none for other phrases."""
    return keyphrase.concept.places if isinstance(keyphrase.concept, UnnamedConcept) else ()


def combine_probabilities(probabilities: Iterable[float | None]) -> float | None:
    """Return the probability of at least one of some independent events; None where none is known."""
    numbers = [probability for probability in probabilities if probability is not None]
    return 1 - math.prod(1 - probability for probability in numbers) if numbers else None


def _find_meanings(keys: Collection[int], labels: LabelForms, concepts: Concepts) -> tuple[list[int], Form]:
    """Return the concepts that phrases with some keys can mean, the surest first, and the form of the surest."""
    looked_up = [(rows, forms) for rows, forms in map(labels.of_key, keys) if len(rows)]
    if not looked_up:
        return [], Form.WRITTEN
    rows, forms = map(np.concatenate, zip(*looked_up, strict=True))
    if len(looked_up) > 1:  # the labels of each key come the surest first
        order = np.lexsort((rows, concepts.kinds[rows], forms))
        rows, forms = rows[order], forms[order]
    return list(dict.fromkeys(concepts.of_labels(rows).tolist())), Form(forms[0])
