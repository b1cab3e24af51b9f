"""Statements about concepts, in any order, become columns; what is left out is counted and named."""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.errors import TooLarge, list_names
from keywright.extraction.vocabularies.concepts import Concepts, GrowingLabels, Labels, code_of
from keywright.reading.language_identification import find_language
from keywright.reading.phrase_lists import REPEATED, problem_of

DEPRECATED: Final = "concepts that are deprecated"
UNLABELLED: Final = "concepts without a label"
NAMELESS: Final = "concepts without a URI"
OTHER_LANGUAGES: Final = "labels in other languages"
DANGLING: Final = "links to broader concepts that are not there"
_USUAL: Final = frozenset({DEPRECATED, OTHER_LANGUAGES, DANGLING, f"labels {REPEATED}"})
"""Reasons that do not mean that something is wrong."""
_MOST: Final = 50_000_000  # names and labels of a vocabulary; arbitrary, ten times the largest known, to bound memory
_WRONG, _OTHER = -1, -2  # values for tags without a place: no tag of a language, or of a language that is not kept
_THREE_LETTERS: Final = re.compile("[a-z]{3}")  # form of the codes of ISO 639-3, too many to list


@dataclass(frozen=True, slots=True)
class ConceptsRead:
    """Concepts and their labels, what was left out by reason with the first of each, and notes for people."""

    labels: Labels
    concepts: Concepts
    left_out: dict[str, int]
    first: dict[str, str]
    notes: tuple[str, ...] = ()

    @property
    def refused(self) -> int:
        """Number of things left out that may be wrong."""
        return sum(number for reason, number in self.left_out.items() if reason not in _USUAL)


@dataclass(slots=True)
class ConceptBuilder:
    """Columns that grow with each statement, with numbers for all names, and labels of ``languages``, or of all.

    Readers add to ``concepts`` what is a concept, to ``others`` what is not, to ``deprecated`` what is out of use, and
    pairs: to ``schemes`` a concept and its scheme, of which the first counts; to ``links`` a concept and one above it.
    """

    languages: frozenset[str] = frozenset()
    left_out: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    others: set[int] = field(default_factory=set)
    deprecated: set[int] = field(default_factory=set)
    concepts: "array[int]" = field(default_factory=lambda: array("i"))
    schemes: "array[int]" = field(default_factory=lambda: array("i"))
    links: "array[int]" = field(default_factory=lambda: array("i"))
    _numbers: dict[str, int] = field(default_factory=dict)
    _tags: dict[str, int] = field(default_factory=dict)
    _places_of_tags: dict[str, int] = field(default_factory=dict)
    _wrong_tags: Counter[str] = field(default_factory=Counter)
    _notated: "array[int]" = field(default_factory=lambda: array("i"))
    _notations: GrowingLabels = field(default_factory=GrowingLabels)
    _owner: "array[int]" = field(default_factory=lambda: array("i"))
    _kind: "array[int]" = field(default_factory=lambda: array("B"))
    _tag: "array[int]" = field(default_factory=lambda: array("h"))
    _hash: "array[int]" = field(default_factory=lambda: array("q"))
    _texts: GrowingLabels = field(default_factory=GrowingLabels)

    def number(self, name: str) -> int:
        """Return the number of a URI, or of a node ``_:`` without; more than fit in memory are ``TooLarge``."""
        number = self._numbers.get(name)
        if number is None:
            if len(self._numbers) > _MOST:
                raise TooLarge(f"the vocabulary names more than {_MOST:,} things", "split it by scheme")
            number = self._numbers[name] = len(self._numbers)
        return number

    def leave_out(self, reason: str, first: str) -> None:
        """Count something that is left out; ``first`` names it for people."""
        self.left_out[reason] += 1
        self.first.setdefault(reason, f"{first:.120}")

    def _leave_out_all(self, reason: str, rows: Bools, name: Callable[[int], str]) -> None:
        """Count the rows that are left out."""
        if number := int(np.count_nonzero(rows)):
            self.left_out[reason] += number
            self.first.setdefault(reason, name(int(rows.argmax())))

    def add_notation(self, concept: int, notation: str) -> None:
        """Add a notation; the first of a concept counts."""
        self._notated.append(concept)
        self._notations.append(notation)

    def add_label(self, concept: int, kind: int, text: str, tag: str) -> None:
        """Add a label, its white space made single blanks, or count why it is left out."""
        label = " ".join(text.split())
        if problem := problem_of(label):
            self.leave_out(f"labels {problem}", label or f"a label in {tag!r}")
            return
        place = self._places_of_tags.get(tag)
        if place is None:
            place = self._places_of_tags[tag] = self._place_of(tag)
        if place == _WRONG:
            self._wrong_tags[tag] += 1
            place = self._tags.setdefault("", len(self._tags))
        if place == _OTHER:
            self.leave_out(OTHER_LANGUAGES, f"{label}@{tag}")
            return
        if len(self._owner) > _MOST:
            raise TooLarge(f"the vocabulary has more than {_MOST:,} labels", "split it by scheme")
        self._owner.append(concept)
        self._kind.append(kind)
        self._tag.append(place)
        self._hash.append(hash(label))
        self._texts.append(label)

    def _place_of(self, tag: str) -> int:
        """Return the place of a tag among those of labels that are kept, ``_WRONG`` or ``_OTHER``."""
        code = code_of(tag)
        if tag and not (find_language(tag) or _THREE_LETTERS.fullmatch(code)):
            return _WRONG
        if code and self.languages and code not in self.languages:
            return _OTHER
        return self._tags.setdefault(tag, len(self._tags))

    def finish(self) -> ConceptsRead:
        """Return the columns: concepts in the order in which they were named first."""
        names = list(self._numbers)
        chosen = self._number_kept(names)
        size = len(chosen)
        if count := self._wrong_tags.total():
            wrong = list_names(list(self._wrong_tags))
            self.notes.append(f"{count:,} labels have unknown languages, and are taken as labels without one: {wrong}")
        place = np.full(len(names), -1, np.int64)
        place[chosen] = np.arange(size)
        order = self._label_order(place)
        owner, kinds, tags = (np.asarray(column)[order] for column in (self._owner, self._kind, self._tag))
        broader, offsets = self._links(place, size, names)
        in_scheme, schemes = _pairs(self.schemes)
        scheme = _first_of(place[in_scheme], schemes, size)
        has_one = np.flatnonzero(scheme >= 0)
        numbers, first, inverse = np.unique(scheme[has_one], return_index=True, return_inverse=True)
        by_concept = np.argsort(first)  # schemes in the order of their first concepts
        scheme[has_one] = np.argsort(by_concept)[inverse]
        notation = _first_of(place[np.asarray(self._notated, np.int64)], np.arange(len(self._notated)), size)
        self._notations.append("")  # for concepts without one
        notation[notation < 0] = len(self._notated)
        concepts = Concepts(
            uris=Labels.of(names[number] for number in chosen.tolist()),
            notations=self._notations.labels(notation),
            schemes=Labels.of(names[number] for number in numbers[by_concept].tolist()),
            scheme=scheme.astype(np.int32),
            broader=broader,
            broader_offsets=offsets,
            label_offsets=np.searchsorted(place[owner], np.arange(size + 1)),
            kinds=kinds.astype(np.uint8),
            tags=tags.astype(np.int16),
            languages=tuple(self._tags),
        )
        return ConceptsRead(self._texts.labels(order), concepts, dict(self.left_out), self.first, tuple(self.notes))

    def _number_kept(self, names: list[str]) -> Ints:
        """Return the numbers of the concepts that are kept, ascending; count the others."""
        labelled = np.zeros(len(names), bool)
        labelled[np.asarray(self._owner)] = True
        meant = labelled | _among(self.concepts, len(names))
        meant &= ~_among(self.others, len(names))
        gone = meant & _among(self.deprecated, len(names))
        nameless = meant & ~gone & np.array([name.startswith("_:") for name in names], bool)
        without = meant & ~gone & ~nameless & ~labelled
        for reason, column in ((DEPRECATED, gone), (NAMELESS, nameless), (UNLABELLED, without)):
            self._leave_out_all(reason, column, names.__getitem__)
        return np.flatnonzero(meant & ~gone & ~nameless & ~without)

    def _label_order(self, place: Ints) -> Ints:
        """Return the labels of the concepts that are kept, by concept, as they came; each only once in a language."""
        owner = place[np.asarray(self._owner)]
        kind, tag, text = np.asarray(self._kind), np.asarray(self._tag), np.asarray(self._hash)
        # Labels of one text in one language become neighbours, the best kind first: all but the first are repetitions.
        order = np.lexsort((kind, text, tag, owner))
        is_kept = owner[order] >= 0
        again = is_kept.copy()
        again[:1] = False
        for column in (owner[order], tag[order], text[order]):
            again[1:] &= column[1:] == column[:-1]
        self._leave_out_all(f"labels {REPEATED}", again, lambda row: self._texts.text(int(order[row])))
        chosen = np.sort(order[is_kept & ~again])
        return chosen[np.argsort(owner[chosen], kind="stable")]

    def _links(self, place: Ints, number: int, names: list[str]) -> tuple[Ints, Ints]:
        """Return the concepts above each, and the offsets; count links that lead nowhere, and circles."""
        pairs = _pairs(self.links)
        below, above = place[pairs]
        self._leave_out_all(DANGLING, (below >= 0) & (above < 0), lambda row: names[pairs[1, row]])
        there = (below >= 0) & (above >= 0)
        # One number for each link, so that links which come twice, as broader and narrower, are found at once.
        links = np.unique(below[there] * max(number, 1) + above[there])
        below, above = np.divmod(links, max(number, 1))
        circles = in_circles(below, above, number)
        if circles.any():
            first = names[int(np.flatnonzero(place == circles.argmax())[0])]
            count = int(np.count_nonzero(circles))
            self.notes.append(f"{count:,} concepts are in circles of broader concepts, which are kept: {first}")
        return above.astype(np.int32), np.searchsorted(below, np.arange(number + 1))


def in_circles(below: Ints, above: Ints, number: int) -> Bools:
    """Return which concepts are in or between circles of links, (concepts,): others have an end above or below."""
    alive = np.ones(number, bool)
    while True:
        ends = alive & (np.bincount(below, minlength=number) > 0) & (np.bincount(above, minlength=number) > 0)
        if ends.sum() == alive.sum():
            return alive
        alive = ends
        inner = alive[below] & alive[above]
        below, above = below[inner], above[inner]


def _pairs(column: "array[int]") -> Ints:
    """Return the first and the second numbers of pairs, (2, pairs)."""
    return np.asarray(column, np.int64).reshape(-1, 2).T


def _first_of(concepts: Ints, values: Ints, number: int) -> Ints:
    """Return the first value of each concept, -1 for none, (number,); values of concepts -1 do not count."""
    column = np.full(number, -1, np.int64)
    there = np.flatnonzero(concepts >= 0)[::-1]  # the last of several assignments to one place stays
    column[concepts[there]] = values[there]
    return column


def _among(numbers: Collection[int], size: int) -> Bools:
    column = np.zeros(size, bool)
    column[np.fromiter(numbers, np.int64, len(numbers))] = True
    return column
