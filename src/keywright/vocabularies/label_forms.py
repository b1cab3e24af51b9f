"""Forms in which texts write a label, and the keys that lead from a phrase back to its labels."""

import enum
import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.vocabularies.label_keys import LabelKeys, hashed_parts, rolling_keys

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
    if (turned := _turned(label)) is not None:
        yield Form.INVERTED, turned
    if label.endswith(")") and (match := _QUALIFIED.fullmatch(label)):
        yield Form.UNQUALIFIED, match[1]
        if (turned := _turned(match[1])) is not None:
            yield Form.UNQUALIFIED, turned


def _turned(label: str) -> str | None:
    """Return the pieces between commas in the opposite order; None where there are none, or many."""
    if ", " not in label or "(" in label:
        return None
    pieces = [piece.strip() for piece in label.split(", ")]
    return " ".join(reversed(pieces)) if len(pieces) <= _MOST_INVERTED and all(pieces) else None
