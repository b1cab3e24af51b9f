"""Concepts of a vocabulary as columns: their URIs, their labels in all languages, and what is above them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.keyphrases import Concept
from keywright.extraction.vocabularies.labels import Labels
from keywright.reading.language_identification import NO_LANGUAGE, find_language

PREFERRED, ALTERNATIVE, HIDDEN = 0, 1, 2  # kinds of labels, as SKOS has them (W3C, SKOS Reference, section 5)
EVERYWHERE: Final = NO_LANGUAGE | {"la"}
"""Languages whose labels are looked up in texts of all languages: none, and the Latin names of species."""
_FALLBACK: Final = "en"  # language of labels where there is none in a language that was asked for; arbitrary


@dataclass(frozen=True, eq=False)
class Concepts:
    """Concepts in order; the labels of each are neighbours among the labels of the vocabulary.

    ``uris``, ``notations`` (or empty), ``scheme``: place among ``schemes`` or -1, (concepts,); ``broader``: places
    above, (links,), by ``broader_offsets``, (concepts + 1,); ``label_offsets``: (concepts + 1,), of ``kinds``
    (``PREFERRED``, ``ALTERNATIVE``, ``HIDDEN``) and ``tags``, places among ``languages``, empty for none, (labels,).
    """

    uris: Labels
    notations: Labels
    schemes: Labels
    scheme: Ints
    broader: Ints
    broader_offsets: Ints
    label_offsets: Ints
    kinds: Ints
    tags: Ints
    languages: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.uris)

    def of_labels(self, labels: Ints) -> Ints:
        """Return the concepts of labels, (labels,)."""
        return self.label_offsets.searchsorted(labels, "right") - 1

    def in_language(self, language: str) -> Bools:
        """Return labels to look up in a language, its own and those without, or all, (labels,)."""
        if not self.has_language(language):
            return np.ones(len(self.tags), bool)
        codes = [code_of(tag) for tag in self.languages]
        return np.array([code == language or code in EVERYWHERE for code in codes], bool)[self.tags]

    def has_language(self, language: str) -> bool:
        """Return whether there are labels in a language, or labels without language only."""
        codes = set(map(code_of, self.languages))
        return language in codes or codes <= EVERYWHERE

    def warning(self, language: str) -> str | None:
        """Return what people should know of texts in a language; None if there are labels in it."""
        if self.has_language(language):
            return None
        return f"the vocabulary has no labels in {language!r}: those of all languages are looked up"

    def name_concept(self, place: int, labels: Labels, languages: Iterable[str]) -> Concept:
        """Return a concept with its label in the first of some languages, without one, in English, or any."""
        first, end = self.label_offsets[place : place + 2].tolist()
        order = (*languages, "", _FALLBACK)
        codes = [code_of(self.languages[tag]) for tag in self.tags[first:end].tolist()]
        wanted = {code: rank for rank, code in reversed(list(enumerate(order)))}
        kinds = (self.kinds[first:end] > PREFERRED).tolist()
        best = min(range(end - first), key=lambda at: (kinds[at], wanted.get(codes[at], len(order)), at))
        scheme = int(self.scheme[place])
        return Concept(
            uri=self.uris[place],
            label=labels[first + best],
            language=self.languages[int(self.tags[first + best])],
            notation=self.notations[place],
            scheme=self.schemes[scheme] if scheme >= 0 else "",
            broader=tuple(self.uris[above] for above in self.above(place)),
        )

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Places of the concepts by URI."""
        return {uri: place for place, uri in enumerate(self.uris)}

    def above(self, place: int) -> Iterator[int]:
        """Yield the places of the concepts directly above one."""
        start, end = self.broader_offsets[place : place + 2].tolist()
        yield from self.broader[start:end].tolist()


def code_of(tag: str) -> str:
    """Return the code of a language from its tag: ``pt`` for ``pt-BR``."""
    return find_language(tag) or tag.partition("-")[0].lower()
