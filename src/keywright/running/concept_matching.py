"""Phrases of a document become concepts of a vocabulary: each concept once, with all phrases that are its labels."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from keywright.core.keyphrases import Concept, Keyphrase, outermost
from keywright.extraction.vocabularies.concepts import Concepts, code_of
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.extraction.vocabularies.label_keys import Form, LabelForms
from keywright.running.phrase_forms import PhraseForms


@dataclass(frozen=True, slots=True)
class UnnamedConcept(Concept):
    """A concept by its place in the vocabulary: most matches are cut from the list before their names are needed.

    ``places``: of the concept, and of all others that its phrase can mean.
    """

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
        """Return the concepts directly above some, without those themselves, the most probable below them first.

        They are not in the text, and have neither places nor a probability. ``keyphrases``: as ``match`` returns them.
        """
        shown = {place for keyphrase in keyphrases for place in _places_of(keyphrase)[:1]}
        below: dict[int, float] = {}
        for keyphrase in keyphrases:
            for place in _places_of(keyphrase)[:1]:
                for above in self.concepts.above(place):
                    below[above] = below.get(above, 0.0) + (keyphrase.probability or 0.0)
        order = sorted((place for place in below if place not in shown), key=lambda place: -below[place])
        lowest = min([0.0, *(keyphrase.score for keyphrase in keyphrases)])
        concepts = (self._name(place, forms.language) for place in order)
        return [Keyphrase(concept.label, lowest, concept=concept) for concept in concepts]

    def attach_names(self, keyphrases: Iterable[Keyphrase], language: str) -> Iterator[Keyphrase]:
        """Yield keyphrases with the names of their concepts, in the language that was asked for, else in ``language``.

        ``ambiguous`` has the URIs of all concepts that a phrase can mean.
        """
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
            places = tuple(map(self.concepts.place_of, uris))
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


def _places_of(keyphrase: Keyphrase) -> tuple[int, ...]:
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
