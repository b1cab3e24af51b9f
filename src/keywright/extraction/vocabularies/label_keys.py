"""Keys of labels: forms in which texts write a label, and how all phrases of a document are looked up together."""

import enum
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints, KeyIndex, Keys
from keywright.text.keys import SEPARATOR, hash_of, join_keys, separate_parts

_TOGETHER: Final = 32
"""Labels that are cut together; arbitrary, few because one beyond ASCII makes all of them slower."""


@dataclass(frozen=True, eq=False)
class LabelKeys:
    """Keys of all labels and of all their beginnings: *grid* and *grid of* for the label *grid of sensors*.

    Attributes:
        keys: ascending, distinct, (keys,).
        whole: whether each is the key of a label, (keys,).
    """

    keys: Keys
    whole: Bools

    @classmethod
    def of(cls, labels: Iterable[str], stem: Callable[[str], str]) -> "LabelKeys":
        """Return the keys of labels whose parts have these stems; labels without letter or digit have none."""
        return cls.of_parts(*hashed_parts(labels, stem))

    @classmethod
    def of_parts(cls, hashes: Keys, lengths: Ints) -> "LabelKeys":
        """Return the keys of labels from the hashes of their parts, (parts,), and the parts of each, (labels,)."""
        keys, whole = [np.zeros(0, np.uint64)], [np.zeros(0, bool)]
        for _, key, ends in rolling_keys(hashes, lengths):
            keys.append(key)
            whole.append(ends)
        distinct, place = np.unique(np.concatenate(keys), return_inverse=True)
        is_label = np.zeros(len(distinct), bool)
        is_label[place[np.concatenate(whole)]] = True
        return cls(distinct, is_label)

    def __len__(self) -> int:
        """Number of labels with different keys."""
        return int(np.count_nonzero(self.whole))

    def look_up(self, keys: Keys) -> tuple[Bools, Bools]:
        """Return whether each key begins a label, and whether it is that of a label, (keys,) both."""
        row, begins = self._index.look_up(keys)
        whole = begins.copy()
        whole[begins] = self.whole[row[begins]]
        return begins, whole

    @cached_property
    def _index(self) -> KeyIndex:
        """Index of the keys, made on first use in some milliseconds for half a million labels."""
        return KeyIndex.of(self.keys)

    def contain(self, keys: Keys) -> Bools:
        """Return whether each key is that of a label, (keys,)."""
        return self.look_up(keys)[1]


def hashed_parts(labels: Iterable[str], stem: Callable[[str], str]) -> tuple[Keys, Ints]:
    """Return the hashes of the parts of all labels, (parts,), and the number of parts of each, (labels,)."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)  # distinct parts, in order
    end = numbers[SEPARATOR]
    codes, texts = array("i"), iter(labels)
    while chunk := list(islice(texts, _TOGETHER)):
        # Labels are cut together, with a mark after each: a call for each label would take three times as long.
        codes.extend(map(numbers.__getitem__, separate_parts(chunk)))
    hashes = np.array([hash_of(stem(part)) for part in numbers], np.uint64)
    column = np.asarray(codes)
    ends = np.flatnonzero(column == end)
    return hashes[column[column != end]], np.diff(ends, prepend=-1) - 1


def rolling_keys(hashes: Keys, lengths: Ints) -> Iterator[tuple[Ints, Keys, Bools]]:
    """Yield, for one part, two parts and so on, the labels with so many, the keys of these parts, and where they end.

    ``hashes``: of the parts of all labels, (parts,); ``lengths``: parts of each label, (labels,).
    """
    # Rolling hash: the first parts of all labels at once, then the second parts of those that have one, and so on.
    starts = np.cumsum(lengths) - lengths
    rows = np.flatnonzero(lengths)
    key, length = np.zeros(len(rows), np.uint64), 0
    while len(rows):
        key = join_keys(key, hashes[starts[rows] + length], np.ones(1, np.int64))
        length += 1
        ends = lengths[rows] == length
        yield rows, key, ends
        rows, key = rows[~ends], key[~ends]


_QUALIFIED: Final = re.compile(r"(.*\S)\s*\([^()]*\)\s*")
_MOST_INVERTED: Final = 4
"""Pieces between commas of a label that is turned around; arbitrary, as longer ones are lists."""


class Form(enum.IntEnum):
    """How a text writes a label; the first is the surest."""

    WRITTEN = 0
    INVERTED = 1
    UNQUALIFIED = 2


@dataclass(frozen=True, eq=False)
class LabelForms:
    """Keys of all forms of labels; one key may lead to several labels.

    Attributes:
        keys: ascending, (forms,).
        labels: numbers of the labels, the surest first for each key, (forms,).
        forms: values of ``Form``, (forms,).
    """

    keys: Keys
    labels: Ints
    forms: Ints

    @classmethod
    def of(
        cls, labels: Iterable[tuple[int, str]], kinds: Ints, stem: Callable[[str], str]
    ) -> "tuple[LabelForms, LabelKeys]":
        """Return the keys of numbered labels whose parts have these stems, and those of their beginnings.

        ``kinds``: of all labels, (labels,); of two labels with one key, that of the lower kind is the surer.
        """
        numbers, forms = array("i"), array("B")

        def texts() -> Iterator[str]:
            for number, label in labels:
                for form, text in forms_of(label):
                    numbers.append(number)
                    forms.append(form)
                    yield text

        hashes, lengths = hashed_parts(texts(), stem)
        label, form = np.asarray(numbers, np.int32), np.asarray(forms, np.uint8)
        keys = np.zeros(len(lengths), np.uint64)
        for rows, key, ends in rolling_keys(hashes, lengths):
            keys[rows[ends]] = key[ends]
        has_parts = np.flatnonzero(lengths)
        # One sort puts the forms of a key together, the surest first, so that a look-up is a slice.
        order = has_parts[np.lexsort((label[has_parts], kinds[label[has_parts]], form[has_parts], keys[has_parts]))]
        return cls(keys[order], label[order], form[order]), LabelKeys.of_parts(hashes, lengths)

    def of_key(self, key: int) -> tuple[Ints, Ints]:
        """Return the labels of a key and their forms, the surest first; none for an unknown key."""
        start, end = np.searchsorted(self.keys, np.uint64(key)), np.searchsorted(self.keys, np.uint64(key), "right")
        return self.labels[start:end], self.forms[start:end]


def forms_of(label: str) -> Iterator[tuple[Form, str]]:
    """Yield a label as it is, turned around at its commas, and without the qualifier in brackets at its end.

    >>> [text for _, text in forms_of("Records, Medical")]
    ['Records, Medical', 'Medical Records']
    >>> [text for _, text in forms_of("Mercury (planet)")]
    ['Mercury (planet)', 'Mercury']
    """
    yield Form.WRITTEN, label
    if (turned := _invert_label(label)) is not None:
        yield Form.INVERTED, turned
    if label.endswith(")") and (match := _QUALIFIED.fullmatch(label)):
        yield Form.UNQUALIFIED, match[1]
        if (turned := _invert_label(match[1])) is not None:
            yield Form.UNQUALIFIED, turned


def _invert_label(label: str) -> str | None:
    """Return the pieces between commas in the opposite order; None where there are none, or many."""
    if ", " not in label or "(" in label:
        return None
    pieces = [piece.strip() for piece in label.split(", ")]
    return " ".join(reversed(pieces)) if len(pieces) <= _MOST_INVERTED and all(pieces) else None
