"""Candidates: the phrases of one document that may become keyphrases, as columns."""

from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Bools, Ints, Keys


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Phrases with equal stems, grouped; in the order of their first occurrence.

    Attributes:
        key: 64-bit hash of the stems, (candidates,). Corpus tables are sorted arrays of such keys.
        length: tokens of the first occurrence, (candidates,).
        frequency: number of occurrences, (candidates,).
        first: token position of the first occurrence, (candidates,).
        last: token position of the last occurrence, (candidates,).
        offsets: occurrences of candidate ``i`` are ``offsets[i]:offsets[i + 1]``, (candidates + 1,).
        positions: token position where each occurrence begins, ascending within a candidate, (occurrences,).
        widths: tokens of each occurrence, (occurrences,). Forms of one phrase can differ in it
            (*peer-to-peer*, *peer to peer*).
    """

    key: Keys
    length: Ints
    frequency: Ints
    first: Ints
    last: Ints
    offsets: Ints
    positions: Ints
    widths: Ints

    def __len__(self) -> int:
        """Number of candidates."""
        return len(self.key)

    @property
    def owner(self) -> Ints:
        """Index of the candidate that each occurrence belongs to, (occurrences,)."""
        return np.repeat(np.arange(len(self)), self.frequency)

    def where(self, mask: Bools) -> "Candidates":
        """Return the candidates at which a mask, (candidates,), is true, in the same order."""
        occurrences = np.repeat(mask, self.frequency)
        frequency = self.frequency[mask]
        return Candidates(
            key=self.key[mask],
            length=self.length[mask],
            frequency=frequency,
            first=self.first[mask],
            last=self.last[mask],
            offsets=np.concatenate(([0], np.cumsum(frequency))),
            positions=self.positions[occurrences],
            widths=self.widths[occurrences],
        )

    def occurrences(self, index: int) -> tuple[Ints, Ints]:
        """Return positions and widths, both (occurrences of this candidate,)."""
        mine = slice(int(self.offsets[index]), int(self.offsets[index + 1]))
        return self.positions[mine], self.widths[mine]
