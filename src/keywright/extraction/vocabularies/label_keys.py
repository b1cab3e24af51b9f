"""Keys of labels: forms in which texts write a label, and how all phrases of a document are looked up together."""

import enum
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, count, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Bools, Ints, KeyIndex, Keys, expand_ranges
from keywright.text.keys import SEPARATOR, hash_of, join_keys, separate_parts
from keywright.text.label_stems import join_capitals, label_stems
from keywright.text.tokens import cut, normal_form

_TOGETHER: Final = 1024  # labels that are cut together; 256 and 4,096 take as long
NO_LABEL, ANY_CASE, CAPITALS = 0, 1, 2  # kinds of keys: beginning, label, label in capitals (*IT*, not *it*)


@dataclass(frozen=True, eq=False)
class LabelKeys:
    """Ascending keys of all labels and their beginnings: *grid* and *grid of* for *grid of sensors*, (keys,).

    A label with signs inside has a second key, with a hash for each sign: *heat, pump* is not a label.
    """

    keys: Keys
    kinds: NDArray[np.uint8]

    @classmethod
    def of(cls, labels: Iterable[str], language: str) -> "LabelKeys":
        """Return the keys of labels as texts of a language are compared; labels without letter or digit have none."""
        texts = list(labels)
        return cls.of_parts(texts, *hash_parts(texts, language), language)

    @classmethod
    def of_parts(cls, labels: Sequence[str], hashes: Keys, lengths: Ints, language: str) -> "LabelKeys":
        """Return the keys of labels from the hashes of their parts, (parts,), and the parts of each, (labels,)."""
        keys, kinds = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint8)]
        capitals = np.fromiter(map(str.isupper, labels), bool, len(labels))
        of_words = np.fromiter((" " in label for label in labels), bool, len(labels))
        if np.count_nonzero(capitals & of_words) > np.count_nonzero(of_words) * _MOST_CAPITALS:
            capitals[:] = False  # the vocabulary writes all its labels so
        capitals &= ~of_words
        kind = np.where(capitals, CAPITALS, ANY_CASE)
        for rows, key, ends in rolling_keys(hashes, lengths):
            keys.append(key)
            kinds.append(np.where(ends, kind[rows], NO_LABEL))
        odd = [row for row, label in enumerate(labels) if not label.replace(" ", "").isalnum()]  # few need the pattern
        with_signs = [row for row in odd if _SIGN.search(labels[row])]
        for rows, key, ends in rolling_keys(*_hash_tokens([labels[row] for row in with_signs], language)):
            keys.append(key)
            kinds.append(np.where(ends, kind[np.asarray(with_signs, np.int64)[rows]], NO_LABEL))
        distinct, place = np.unique(np.concatenate(keys), return_inverse=True)
        together = np.concatenate(kinds).astype(np.uint8)
        of_key = np.zeros(len(distinct), np.uint8)
        for value in (CAPITALS, ANY_CASE):  # a key of labels of both kinds is found in any case
            of_key[place[together == value]] = value
        return cls(distinct, of_key)

    def __len__(self) -> int:
        return int(np.count_nonzero(self.kinds))

    def look_up(self, keys: Keys) -> tuple[Bools, NDArray[np.uint8]]:
        """Return whether each key begins a label, and what it is, (keys,) both."""
        row, begins = self._index.look_up(keys)
        kinds = np.zeros(len(keys), np.uint8)
        kinds[begins] = self.kinds[row[begins]]
        return begins, kinds

    @cached_property
    def _index(self) -> KeyIndex:
        """Index of the keys, made on first use in some milliseconds for half a million labels."""
        return KeyIndex.of(self.keys)

    def contain(self, keys: Keys) -> Bools:
        """Return whether each key is that of a label, (keys,)."""
        return self.look_up(keys)[1] > NO_LABEL


_SIGN: Final = re.compile(r"[^\w\s-]|_|(?<![A-Za-z0-9])-|-(?![A-Za-z0-9])")
"""A sign that texts may have between two words of a label; most others are inside words."""
_MOST_CAPITALS: Final = 0.5  # share of labels of several words in capitals above which capitals say nothing; arbitrary


def hash_parts(labels: Sequence[str], language: str) -> tuple[Keys, Ints]:
    """Return the hashes of the stems of all labels' parts, (stems,), and the number of stems of each, (labels,)."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)  # distinct parts, in order
    end = numbers[SEPARATOR]
    codes = array("i")
    # One label beyond ASCII makes all that are cut with it slower, so those come last.
    order = np.argsort(~np.fromiter(map(str.isascii, labels), bool, len(labels)), kind="stable")
    texts = map(labels.__getitem__, order.tolist())
    while chunk := list(islice(texts, _TOGETHER)):
        singular = join_capitals(SEPARATOR.join(chunk)).split(SEPARATOR)
        chunk = singular if len(singular) == len(chunk) else list(map(join_capitals, chunk))
        # Labels are cut together, with a mark after each: a call for each label would take three times as long.
        codes.extend(map(numbers.__getitem__, separate_parts(chunk)))
    stems = [() if part == SEPARATOR else label_stems(part, language) for part in numbers]
    hashes = np.array([hash_of(stem) for of_part in stems for stem in of_part], np.uint64)
    rows, number = _list_rows(np.fromiter(map(len, stems), np.int64, len(stems)), np.asarray(codes))
    ends = np.cumsum(number)[np.asarray(codes) == end]
    lengths = np.diff(ends, prepend=0)
    place = np.argsort(order)
    return hashes[rows[_list_rows(lengths, place)[0]]], lengths[place]


def _list_rows(lengths: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """Return the rows of chosen segments, which follow each other, and the length of each, (chosen,)."""
    ends = np.cumsum(lengths)
    return expand_ranges((ends - lengths)[chosen], ends[chosen])[0], lengths[chosen]


def _hash_tokens(labels: Sequence[str], language: str) -> tuple[Keys, Ints]:
    """Return the hashes of the stems and signs of labels, as texts have them, and the number of each label's."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)  # distinct tokens, in order
    of_chunks: dict[str, list[int]] = {}
    codes, lengths = array("i"), array("i")
    for label in labels:
        before = len(codes)
        for chunk in label.split():
            if chunk not in of_chunks:
                of_chunks[chunk] = [numbers[token] for token, *_ in cut(chunk)]
            codes.extend(of_chunks[chunk])
        lengths.append(len(codes) - before)
    stems, of_token = hash_parts(list(numbers), language)
    is_stem = np.repeat(of_token > 0, np.maximum(of_token, 1))
    hashes = np.zeros(len(is_stem), np.uint64)
    hashes[is_stem] = stems
    signs = compress(numbers, (of_token == 0).tolist())
    hashes[~is_stem] = [hash_of(normal_form(sign)) for sign in signs]
    rows, per_token = _list_rows(np.maximum(of_token, 1), np.asarray(codes))
    owner = np.repeat(np.repeat(np.arange(len(labels)), lengths), per_token)
    # Signs around a label are not its own: a piece counts from the label's first stem to its last.
    stem = np.flatnonzero(is_stem[rows])
    first, last = np.full((2, len(labels)), len(rows))
    last[owner[stem]] = stem  # the last of several assignments to one place stays
    first[owner[stem[::-1]]] = stem[::-1]
    place = np.arange(len(rows))
    inner = np.flatnonzero((place >= first[owner]) & (place <= last[owner]))
    return hashes[rows[inner]], np.bincount(owner[inner], minlength=len(labels))


def rolling_keys(hashes: Keys, lengths: Ints) -> Iterator[tuple[Ints, Keys, Bools]]:
    """Yield labels with one part, two and so on, keys of these parts and their ends; ``lengths``: (labels,)."""
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
_MOST_INVERTED: Final = 4  # pieces between commas of a label that is turned around; arbitrary, as longer ones are lists


class Form(enum.IntEnum):
    """How a text writes a label; the first is the surest."""

    WRITTEN = 0
    INVERTED = 1
    UNQUALIFIED = 2


@dataclass(frozen=True, eq=False)
class LabelForms:
    """Ascending keys of all forms of labels, (forms,), with numbers of labels, the surest first, and a ``Form``."""

    keys: Keys
    labels: Ints
    forms: Ints

    @classmethod
    def of(cls, labels: Iterable[tuple[int, str]], kinds: Ints, language: str) -> "tuple[LabelForms, LabelKeys]":
        """Return keys of numbered labels and their beginnings in a language; lower kinds are the surer."""
        numbers, forms = array("i"), array("B")
        texts: list[str] = []
        for number, written in labels:
            for of_form, text in forms_of(written):
                numbers.append(number)
                forms.append(of_form)
                texts.append(text)
        hashes, lengths = hash_parts(texts, language)
        label, form = np.asarray(numbers, np.int32), np.asarray(forms, np.uint8)
        keys = np.zeros(len(lengths), np.uint64)
        for rows, key, ends in rolling_keys(hashes, lengths):
            keys[rows[ends]] = key[ends]
        has_parts = np.flatnonzero(lengths)
        # One sort puts the forms of a key together, the surest first, so that a look-up is a slice.
        order = has_parts[np.lexsort((label[has_parts], kinds[label[has_parts]], form[has_parts], keys[has_parts]))]
        return cls(keys[order], label[order], form[order]), LabelKeys.of_parts(texts, hashes, lengths, language)

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
