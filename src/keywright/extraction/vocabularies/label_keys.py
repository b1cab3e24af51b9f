"""Keys of labels: forms in which texts write a label, and how all phrases of a document are looked up together."""

import enum
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress, count
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Bools, Ints, KeyIndex, Keys, expand_ranges
from keywright.text.keys import PARTS, hash_of, join_keys
from keywright.text.label_stems import join_capitals, stem_parts
from keywright.text.tokens import cut, normal_form

_TOGETHER: Final = 1024  # labels that are split together; 256 and 4,096 take as long
NO_LABEL, ANY_CASE, CAPITALS = 0, 1, 2  # kinds of keys: beginning, label, label in capitals (*IT*, not *it*)


@dataclass(frozen=True, eq=False)
class LabelKeys:
    """Ascending keys of all labels and their beginnings: *grid* and *grid of* for *grid of sensors*, (keys,).

    A label with signs inside has a second key, with a hash for each sign: *heat, pump* is not a label.
    """

    keys: Keys
    kinds: NDArray[np.uint8]

    @classmethod
    def of(cls, labels: Iterable[str], language: str, hashed: "HashedLabels | None" = None) -> "LabelKeys":
        """Return the keys of labels as texts of a language are compared; labels without letter or digit have none."""
        labels = list(labels)
        hashed = hashed or hash_labels(labels, language)
        keys, kinds = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint8)]
        capitals = np.fromiter(map(str.isupper, labels), bool, len(labels))
        of_words = np.fromiter((" " in label for label in labels), bool, len(labels))
        if np.count_nonzero(capitals & of_words) > np.count_nonzero(of_words) * _MOST_CAPITALS:
            capitals[:] = False  # the vocabulary writes all its labels so
        capitals &= ~of_words
        kind = np.where(capitals, CAPITALS, ANY_CASE)
        with_signs = ((hashed.with_signs[rows], key, ends) for rows, key, ends in rolling_keys(*hashed[3:]))
        for rows, key, ends in chain(rolling_keys(hashed.stems, hashed.lengths), with_signs):
            keys.append(key)
            kinds.append(np.where(ends, kind[rows], NO_LABEL))
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


class HashedLabels(NamedTuple):
    """Hashes of stems of labels one behind the other, and of stems and signs of the labels with signs between them."""

    stems: Keys
    lengths: Ints  # stems of each label, (labels,)
    with_signs: Ints  # numbers of labels, (some,)
    pieces: Keys
    piece_lengths: Ints  # stems and signs of each label with signs, (some,)


_END: Final = "\n"  # behind each of the texts whose parts are looked for together
_PARTS: Final = re.compile(f"{_END}|{PARTS.pattern}")
_ASCII_PARTS: Final = re.compile(f"{_END}|[a-z0-9]+[+#]*")


def hash_labels(labels: Sequence[str], language: str) -> HashedLabels:
    """Return the hashes of the stems of all labels, and of the signs between them, as texts have these."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)  # distinct chunks between blanks, then their tokens
    columns, counts = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for begin in range(0, len(labels), _TOGETHER):
        chunks = list(map(str.split, labels[begin : begin + _TOGETHER]))
        counts.append(np.fromiter(map(len, chunks), np.int64, len(chunks)))
        columns.append(np.fromiter(map(numbers.__getitem__, chain.from_iterable(chunks)), np.int64))
    column, owner = np.concatenate(columns), np.repeat(np.arange(len(labels)), np.concatenate(counts))
    # Labels repeat their words: each distinct chunk is cut once. A list for each would keep the garbage collector busy.
    tokens = array("q", range(len(numbers)))
    begins, ends = np.arange(len(tokens)), np.arange(1, len(tokens) + 1)
    for row, chunk in [pair for pair in enumerate(numbers) if not pair[1].isalnum() and _SIGN.search(pair[1])]:
        begins[row] = len(tokens)
        tokens.extend([numbers[token] for token, *_ in cut(chunk)])
        ends[row] = len(tokens)
    hashes, bounds = _hash_texts(numbers, language)
    rows, which = expand_ranges(bounds[column], bounds[column + 1])
    stems, lengths = hashes[rows], np.bincount(owner[which], minlength=len(labels))
    # Texts with neither letter nor digit are signs, whose hash is that of the whole.
    is_sign = bounds[1:] == bounds[:-1]
    signs = [hash_of(normal_form(text)) for text in compress(numbers, is_sign.tolist())]
    is_stem = np.insert(np.ones(len(hashes), bool), bounds[:-1][is_sign], np.zeros(1, bool))
    hashes = np.insert(hashes, bounds[:-1][is_sign], np.array(signs, np.uint64))
    bounds = bounds + np.concatenate(([0], np.cumsum(is_sign)))
    with_signs = np.bincount(owner[begins[column] >= len(begins)], minlength=len(labels)) > 0
    column, owner = column[with_signs[owner]], owner[with_signs[owner]]
    rows, which = expand_ranges(begins[column], ends[column])
    token, owner = np.asarray(tokens)[rows], owner[which]
    rows, which = expand_ranges(bounds[token], bounds[token + 1])
    is_stem, owner = is_stem[rows], owner[which]
    # Signs around a label are not part of it, those between its first stem and its last are.
    stemmed = np.bincount(owner[is_stem], minlength=len(labels))
    before, until = np.cumsum(is_stem), np.cumsum(stemmed)
    inner = is_stem | ((before > (until - stemmed)[owner]) & (before < until[owner]))
    piece_lengths = np.bincount(owner[inner], minlength=len(labels))[with_signs]
    return HashedLabels(stems, lengths, np.flatnonzero(with_signs), hashes[rows[inner]], piece_lengths)


def _hash_texts(texts: Iterable[str], language: str) -> tuple[Keys, Ints]:
    """Return the hashes of the stems of texts one behind the other, and the bounds of each text's, (texts + 1,)."""
    text = _END.join(map(normal_form, join_capitals(_END.join([*texts, ""])).split(_END)))
    numbers: defaultdict[str, int] = defaultdict(count(1).__next__, {_END: 0})  # distinct parts, each stemmed once
    parts = (_ASCII_PARTS if text.isascii() else _PARTS).findall(text)
    column = np.fromiter(map(numbers.__getitem__, parts), np.int64, len(parts))
    stems, lengths = stem_parts(list(numbers)[1:], language)
    hashes = np.fromiter(map(hash_of, stems), np.uint64, len(stems))
    ends = np.cumsum([0, *lengths])
    rows, which = expand_ranges(np.concatenate(([0], ends[:-1]))[column], ends[column])
    return hashes[rows], np.concatenate(([0], np.searchsorted(which, np.flatnonzero(column == 0))))


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
        rows_of_forms = [(number, form, text) for number, written in labels for form, text in forms_of(written)]
        texts = [text for _, _, text in rows_of_forms]
        hashed = hash_labels(texts, language)
        hashes, lengths, *_ = hashed
        label = np.array([number for number, _, _ in rows_of_forms], np.int32)
        form = np.array([form for _, form, _ in rows_of_forms], np.uint8)
        keys = np.zeros(len(lengths), np.uint64)
        for rows, key, ends in rolling_keys(hashes, lengths):
            keys[rows[ends]] = key[ends]
        has_parts = np.flatnonzero(lengths)
        # One sort puts the forms of a key together, the surest first, so that a look-up is a slice.
        order = has_parts[np.lexsort((label[has_parts], kinds[label[has_parts]], form[has_parts], keys[has_parts]))]
        return cls(keys[order], label[order], form[order]), LabelKeys.of(texts, language, hashed)

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
