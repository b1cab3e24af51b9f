"""Keys of labels: forms in which texts write a label, and how all phrases of a document are looked up together."""

import enum
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count, islice
from string import ascii_letters, digits
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Bools, Ints, KeyIndex, Keys, expand_ranges
from keywright.text.keys import PARTS, hash_of, join_keys
from keywright.text.label_stems import join_capitals, label_stemmer, list_label_stems
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


_END: Final = "\n"  # sign after each of the labels that are cut together
_SIGNS: Final = f'{_END},;:!?()[]"'
_PIECES: Final = re.compile(f"[a-z0-9]+[+#]*|[{re.escape(_SIGNS)}]")
_PARTS: Final = re.compile(f"{_END}|{PARTS.pattern}")  # beyond ASCII, where tokens tell the signs
_ODD, _ALONE, _JOINING, _ALNUM, _BLANK = range(5)  # classes of ASCII characters: signs alone, and inside words
_CLASSES: Final = np.zeros(128, np.uint8)
for _class, _members in enumerate((_SIGNS, "-/&'", ascii_letters + digits, f" {_END}"), _ALONE):
    _CLASSES[list(map(ord, _members))] = _class


def hash_labels(labels: Sequence[str], language: str) -> HashedLabels:
    """Return the hashes of the stems of all labels, and of the signs between them, as texts have these."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)  # distinct stems and signs, in order
    codes = array("i")
    # One label beyond ASCII makes all that are cut with it slower, so those come last.
    order = np.argsort(~np.fromiter(map(str.isascii, labels), bool, len(labels)), kind="stable")
    odd: list[int] = []  # labels that are cut again as texts are
    for begin in range(0, len(labels), _TOGETHER):
        # Labels are cut together: a call for each label would take three times as long.
        rows = order[begin : begin + _TOGETHER]
        text = join_capitals(_END.join([*(labels[row].replace(_END, " ") for row in rows.tolist()), ""]))
        is_ascii = text.isascii()
        normal = text.lower() if is_ascii else _END.join(map(normal_form, text.split(_END)))
        codes.extend(map(numbers.__getitem__, (_PIECES if is_ascii else _PARTS).findall(normal)))
        odd += rows[_find_odd(text)].tolist() if is_ascii else rows.tolist()
    odd = [row for row in odd if _SIGN.search(labels[row])]
    stems = [() if piece in _SIGNS else label_stemmer(language)(piece) for piece in numbers]
    for row in odd:
        tokens = (token for chunk in labels[row].split() for token, *_ in cut(chunk))
        codes.extend(map(numbers.__getitem__, [*tokens, _END]))
    stems += [tuple(list_label_stems(token, language)) for token in islice(numbers, len(stems), None)]
    is_sign = np.array([not of_piece for of_piece in stems], bool)
    shown = [of_piece or (normal_form(piece),) for piece, of_piece in zip(numbers, stems, strict=True)]
    hashes = np.array([hash_of(stem) for of_piece in shown for stem in of_piece], np.uint64)
    # Places of hashes: of all labels in their order, then of the odd ones again.
    per_piece, column = np.fromiter(map(len, shown), np.int64, len(shown)), np.asarray(codes, np.int64)
    place, per_code = _list_rows(per_piece, column)
    lengths = np.diff(np.cumsum(per_code)[column == numbers[_END]], prepend=0)
    by_label = np.concatenate((np.argsort(order), np.arange(len(labels), len(lengths))))
    place, lengths = place[_list_rows(lengths, by_label)[0]], lengths[by_label]
    sign, owner = np.repeat(is_sign, per_piece)[place], np.repeat(np.arange(len(lengths)), lengths)
    stemmed = lengths - np.bincount(owner[sign], minlength=len(lengths))
    # Signs around a label are not part of it, those between its first stem and its last are.
    before, until = np.cumsum(~sign), np.cumsum(stemmed)
    inner = sign & (before > (until - stemmed)[owner]) & (before < until[owner])
    with_signs = np.bincount(owner[inner], minlength=len(lengths)) > 0
    with_signs[odd], with_signs[len(labels) :] = False, True
    piece = with_signs[owner] & (inner | ~sign)
    return HashedLabels(
        hashes[place[(owner < len(labels)) & ~sign]],
        stemmed[: len(labels)],
        np.array([*range(len(labels)), *odd], np.int64)[with_signs],
        hashes[place[piece]],
        np.bincount(owner[piece], minlength=len(lengths))[with_signs],
    )


def _find_odd(text: str) -> Ints:
    """Return which lines of an ASCII text have signs that are not at the edges of words, ascending."""
    codes = np.frombuffer(f"{_END}{text}{_END * 2}".encode(), np.uint8)
    classes = _CLASSES.take(codes)
    sign, inner = classes[1:-2], (classes[:-3] == _ALNUM) & (classes[2:-1] == _ALNUM)
    odd = (sign == _ODD) | ((sign == _JOINING) & (~inner | (classes[3:] == _JOINING)))  # *'s-*: a possessive ends
    odd |= (sign == _ALONE) & (inner | (codes[1:-2] == codes[2:-1]))
    return np.unique(np.cumsum(codes[1:-2] == ord(_END))[odd])


def _list_rows(lengths: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """Return the rows of chosen segments, which follow each other, and the length of each, (chosen,)."""
    ends = np.cumsum(lengths)
    return expand_ranges((ends - lengths)[chosen], ends[chosen])[0], lengths[chosen]


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
