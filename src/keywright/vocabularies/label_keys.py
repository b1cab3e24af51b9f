"""Keys of labels and of their beginnings: all phrases of a document are looked up together, and grow as labels do."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints, Keys
from keywright.core.key_index import KeyIndex
from keywright.text.keys import SEPARATOR, hash_of, joined, separated_parts

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
        codes.extend(map(numbers.__getitem__, separated_parts(chunk)))
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
        key = joined(key, hashes[starts[rows] + length], np.ones(1, np.int64))
        length += 1
        ends = lengths[rows] == length
        yield rows, key, ends
        rows, key = rows[~ends], key[~ends]
