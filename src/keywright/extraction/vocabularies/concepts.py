"""Labels and concepts of a vocabulary as columns: texts in one; URIs, labels in all languages, and what is above."""

import hashlib
import itertools
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Bools, Ints
from keywright.core.keyphrases import Concept
from keywright.reading.language_identification import NO_LANGUAGE, find_language

_CHUNK: Final = 10_000  # labels that are decoded together; arbitrary
PREFERRED, ALTERNATIVE, HIDDEN = 0, 1, 2  # kinds of labels, as SKOS has them (W3C, SKOS Reference, section 5)
EVERYWHERE: Final = NO_LANGUAGE | {"la"}
"""Languages whose labels are looked up in texts of all languages: none, and the Latin names of species."""
_FALLBACK: Final = "en"  # language of labels where there is none in a language that was asked for; arbitrary


@dataclass(frozen=True, eq=False)
class Labels(Sequence[str]):
    """Texts in one column of UTF-8, each with a line break: ``utf8[offsets[i] : offsets[i + 1] - 1]``."""

    utf8: NDArray[np.uint8]
    offsets: Ints

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Labels":
        """Return the columns of some texts."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(text) + 1 for text in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"\n".join([*encoded, b""]), np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: Any) -> Any:
        """Return one label, or some."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        return self.utf8[self.offsets[place] : self.offsets[place + 1] - 1].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        # Many labels are decoded at once: one call for each would take three times as long. A label may hold a line
        # break of its own, so that its characters, and not the breaks, say where it ends.
        for first in range(0, len(self), _CHUNK):
            bounds = self.offsets[first : first + _CHUNK + 1].tolist()
            data = self.utf8[bounds[0] : bounds[-1]].tobytes()
            places = itertools.pairwise(bound - bounds[0] for bound in bounds)
            yield from (data[start : end - 1].decode("utf-8", "surrogatepass") for start, end in places)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the labels, one per line."""
        texts: Any = np.ascontiguousarray(self.utf8[:-1])
        return hashlib.sha256(texts).hexdigest()


class GrowingLabels:
    """Texts that are added one by one, in one column as ``Labels`` has them."""

    def __init__(self) -> None:
        self._utf8 = bytearray()
        self._ends = array("q", (0,))

    def append(self, text: str) -> None:
        """Add a text."""
        self._utf8 += text.encode("utf-8", "surrogatepass") + b"\n"
        self._ends.append(len(self._utf8))

    def text(self, place: int) -> str:
        """Return one text."""
        return self._utf8[self._ends[place] : self._ends[place + 1] - 1].decode("utf-8", "surrogatepass")

    def labels(self, order: Ints) -> Labels:
        """Return the texts at some places, in this order; one may come several times."""
        ends = np.asarray(self._ends)
        # Texts that follow each other are copied at once: most come in the order in which they were added.
        breaks = np.flatnonzero(np.diff(order) != 1)
        firsts = order[np.concatenate(([0], breaks + 1))] if len(order) else order
        lasts = order[np.concatenate((breaks, [len(order) - 1]))] if len(order) else order
        utf8 = bytearray()
        for start, end in zip(ends[firsts].tolist(), ends[lasts + 1].tolist(), strict=True):
            utf8 += self._utf8[start:end]
        offsets = np.zeros(len(order) + 1, np.int64)
        np.cumsum(np.diff(ends)[order], out=offsets[1:])
        return Labels(np.frombuffer(utf8, np.uint8), offsets)


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
