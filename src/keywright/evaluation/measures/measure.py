"""Measures: precision, recall and F at a cutoff, and means over documents, as values that print, parse and sort."""

import re
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from keywright.core.errors import BadParameter

Cutoff: TypeAlias = int | str
"""How many predictions count: a number, ``"M"`` (all), ``"O"`` (as many as gold) or ``"G"`` (the larger of both)."""
NAMES: Final = ("P", "R", "F")
"""Measures that always have a cutoff."""
MEANS: Final = (
    *("RP", "MAP", "MRR", "nDCG", "AlphaNDCG", "SemP", "SemR", "SemF"),
    *("Duplicates", "DuplicateWords", "Redundancy", "StemCoverage"),
)
"""Means over documents; without a cutoff they are of the whole list."""
_FORM: Final = re.compile(r"\s*([A-Za-z]+?)1?\s*(?:@\s*([1-9][0-9]*|M|O|G)\s*)?")


@dataclass(frozen=True, slots=True, order=False)
class Measure:
    """A measure, possibly at a cutoff.

    >>> str(F @ 15)
    'F@15'
    >>> measure("R@M") == R @ "M"
    True

    Attributes:
        name: ``P`` precision, ``R`` recall, ``F`` their harmonic mean, or one of ``MEANS``.
        k: the cutoff; None before it is set, and for a mean over the whole list.

    Raises:
        BadParameter: an unknown name, or a cutoff that is neither a positive number, ``M``, ``O`` nor ``G``.
    """

    name: str
    k: Cutoff | None = None

    def __post_init__(self) -> None:
        if self.name not in (*NAMES, *MEANS):
            raise BadParameter(f"no measure called {self.name!r}", f"measures are {', '.join((*NAMES, *MEANS))}")
        number = isinstance(self.k, int) and not isinstance(self.k, bool) and self.k > 0
        if not (number or self.k is None or self.k in ("M", "O", "G")):
            raise BadParameter(f"no cutoff {self.k!r}", "a cutoff is a positive number, 'M', 'O' or 'G'")

    def __matmul__(self, k: Cutoff) -> "Measure":
        """Set the cutoff: ``F @ 5``."""
        return replace(self, k=k)

    def __str__(self) -> str:
        """``F@15``; the bare name without a cutoff."""
        return self.name if self.k is None else f"{self.name}@{self.k}"

    def __lt__(self, other: "Measure") -> bool:
        """Order as tables do: by cutoff, numbers first, then P, R, F, then means."""
        return self._place < other._place

    @property
    def fingerprint(self) -> str:
        """The measure in a protocol's signature."""
        return str(self)

    @property
    def _place(self) -> tuple[bool, int, str, int]:
        numbered = isinstance(self.k, int)
        kind = (*NAMES, *MEANS).index(self.name)
        return not numbered, self.k if isinstance(self.k, int) else 0, str(self.k or ""), kind


P: Final = Measure("P")
R: Final = Measure("R")
F: Final = Measure("F")
F1: Final = F
RP: Final = Measure("RP")
MAP: Final = Measure("MAP")
MRR: Final = Measure("MRR")
NDCG: Final = Measure("nDCG")
ALPHA_NDCG: Final = Measure("AlphaNDCG")


def measure(text: str) -> Measure:
    """Parse ``F@15`` (also ``F1 @ 15``), or the name of a mean alone.

    Raises:
        BadParameter: not of that form.
    """
    match = _FORM.fullmatch(text)
    if not match or (match[1] in NAMES and not match[2]):
        raise BadParameter(f"{text!r} is not a measure", "expected a name and a cutoff, such as F@15, R@M or P@O")
    name, k = match.groups()
    return Measure(name, int(k) if k and k.isdecimal() else k)


def at(*cutoffs: Cutoff) -> tuple[Measure, ...]:
    """Return P, R and F at each cutoff, in the order of tables."""
    return tuple(kind @ k for k in cutoffs for kind in (P, R, F))
