"""Phrases of a document become concepts of a vocabulary: each concept once, with all phrases that are its labels."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from keywright.core.concepts import Concept
from keywright.core.predictions import Keyphrase
from keywright.execution.phrase_forms import PhraseForms
from keywright.vocabularies.concepts import Concepts, code_of
from keywright.vocabularies.index import VocabularyIndex
from keywright.vocabularies.label_forms import Form, LabelForms


@dataclass(frozen=True, slots=True)
class ConceptNames:
    """How concepts are named.

    Attributes:
        index: the vocabulary, which has concepts.
        concepts: its concepts.
        language: code of the language of labels that are shown; empty for that of each document.
    """

    index: VocabularyIndex
    concepts: Concepts
    language: str = ""

    def of(self, keyphrases: Sequence[Keyphrase], forms: PhraseForms) -> list[Keyphrase]:
        """Return a phrase for each concept that some phrases of a document are labels of, the most probable first.

        Each has the text of the best phrase, the places of all, and the probability that at least one of them would be
        chosen if each were chosen independently of the others. Concepts without probability come last, as they came.

        Args:
            keyphrases: labels of the vocabulary, best first.
            forms: of the phrases of the document.
        """
        labels = self.index.forms_for(forms.language)
        if labels is None:
            return list(keyphrases)
        meanings = [_meanings(forms.keys(keyphrase), labels, self.concepts) for keyphrase in keyphrases]
        certain = {places[0] for places, _ in meanings if len(places) == 1}
        phrases: dict[int, list[Keyphrase]] = {}
        doubts: dict[int, tuple[int, ...]] = {}
        for keyphrase, (places, form) in zip(keyphrases, meanings, strict=True):
            if not places:
                continue
            # A concept that the document also names by another phrase is taken before the surest label.
            place = next((place for place in places if place in certain), places[0])
            if place not in phrases:
                others = tuple(other for other in places if other != place)
                doubts[place] = (place, *others) if others or form is Form.UNQUALIFIED else ()
            phrases.setdefault(place, []).append(keyphrase)
        named = [self._keyphrase(place, phrases[place], doubts[place], forms) for place in phrases]
        return sorted(named, key=lambda each: -1.0 if each.probability is None else each.probability, reverse=True)

    def broader_than(self, keyphrases: Sequence[Keyphrase], forms: PhraseForms) -> list[Keyphrase]:
        """Return the concepts directly above some, without those themselves, the most probable below them first.

        They are not in the text, and have neither places nor a probability.
        """
        shown = {keyphrase.concept.uri for keyphrase in keyphrases if keyphrase.concept}
        below: dict[str, float] = {}
        for keyphrase in keyphrases:
            for uri in keyphrase.concept.broader if keyphrase.concept else ():
                below[uri] = below.get(uri, 0.0) + (keyphrase.probability or 0.0)
        order = sorted((uri for uri in below if uri not in shown), key=lambda uri: -below[uri])
        lowest = min([0.0, *(keyphrase.score for keyphrase in keyphrases)])
        named = (self._named(self.concepts.place_of(uri), forms) for uri in order)
        return [Keyphrase(concept.label, lowest, concept=concept) for concept in named]

    def warnings(self, keyphrases: Iterable[Keyphrase], forms: PhraseForms) -> tuple[str, ...]:
        """Return what people should know of the languages of a document's concepts."""
        warnings = []
        if not self.concepts.has_language(forms.language):
            warnings.append(f"the vocabulary has no labels in {forms.language!r}: those of all languages are looked up")
        shown = [keyphrase.concept.language for keyphrase in keyphrases if keyphrase.concept]
        others = [tag for tag in shown if tag and code_of(tag) != self.language]
        if self.language and others:
            tags = ", ".join(dict.fromkeys(others))
            warnings.append(
                f"{len(others)} of {len(shown)} concepts have no label in {self.language!r}: shown in {tags}"
            )
        return tuple(warnings)

    def _keyphrase(
        self, place: int, phrases: Sequence[Keyphrase], doubts: tuple[int, ...], forms: PhraseForms
    ) -> Keyphrase:
        """Return the best of some phrases, with all their places and what they say of their concept together."""
        return replace(
            phrases[0],
            score=max(keyphrase.score for keyphrase in phrases),
            probability=at_least_one([keyphrase.probability for keyphrase in phrases]),
            spans=outermost(span for keyphrase in phrases for span in keyphrase.spans),
            concept=self._named(place, forms),
            ambiguous=tuple(self.concepts.uris[doubt] for doubt in doubts),
        )

    def _named(self, place: int, forms: PhraseForms) -> Concept:
        """Return a concept, named in the language that was asked for, else in that of the document."""
        return self.concepts.named(place, self.index.labels, list(filter(None, (self.language, forms.language))))


def outermost(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans in order, without those inside others.

    >>> outermost([(12, 16), (4, 16), (20, 24)])
    ((4, 16), (20, 24))
    """
    outer: list[tuple[int, int]] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not outer or end > outer[-1][1]:
            outer.append((start, end))
    return tuple(outer)


def at_least_one(probabilities: Sequence[float | None]) -> float | None:
    """Return the probability of at least one of some independent events; None where none is known.

    >>> at_least_one([0.5, None, 0.5])
    0.75
    """
    numbers = [probability for probability in probabilities if probability is not None]
    return 1 - math.prod(1 - probability for probability in numbers) if numbers else None


def _meanings(keys: Iterable[int], labels: LabelForms, concepts: Concepts) -> tuple[list[int], Form]:
    """Return the concepts that phrases with some keys can mean, the surest first, and the form of the surest."""
    best: dict[int, tuple[int, int, int]] = {}
    for key in keys:
        rows, forms = labels.of_key(key)
        for row, form, place in zip(rows.tolist(), forms.tolist(), concepts.of_labels(rows).tolist(), strict=True):
            sureness = form, int(concepts.kinds[row]), row
            best[place] = min(best.get(place, sureness), sureness)
    places = sorted(best, key=best.__getitem__)
    return places, Form(best[places[0]][0]) if places else Form.WRITTEN
