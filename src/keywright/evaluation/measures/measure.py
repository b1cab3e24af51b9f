"""Measures: precision, recall and F at a cutoff, and means over documents, as values that print and parse."""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from keywright.core.errors import BadParameter

Cutoff: TypeAlias = int | str
"""How many predictions count: a number, ``"M"`` (all), ``"O"`` (as many as gold) or ``"G"`` (the larger of both)."""
NAMES: Final = ("P", "R", "F")  # measures that always have a cutoff
MEANS: Final = (
    *("RP", "MAP", "MRR", "nDCG", "AlphaNDCG", "SemP", "SemR", "SemF"),
    *("Duplicates", "DuplicateWords", "Redundancy", "StemCoverage"),
)
"""Means over documents; without a cutoff they are of the whole list."""
_FORM: Final = re.compile(r"\s*([A-Za-z]+?)1?\s*(?:@\s*([1-9][0-9]*|M|O|G)\s*)?")


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure, possibly at a cutoff.

    >>> str(F @ 15)
    'F@15'
    >>> measure("R@M") == R @ "M"
    True

    Raises:
        BadParameter: an unknown name, or a cutoff that is neither a positive number, ``M``, ``O`` nor ``G``.
    """

    name: str  # ``P`` precision, ``R`` recall, ``F`` their harmonic mean, or one of ``MEANS``
    k: Cutoff | None = None  # the cutoff; None before it is set, and for a mean over the whole list

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

    @property
    def fingerprint(self) -> str:
        """The measure in a protocol's signature."""
        return str(self)


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
    """Parse ``F@15`` (also ``F1 @ 15``), or the name of a mean alone. Raises BadParameter: not of that form."""
    match = _FORM.fullmatch(text)
    if not match or (match[1] in NAMES and not match[2]):
        raise BadParameter(f"{text!r} is not a measure", "expected a name and a cutoff, such as F@15, R@M or P@O")
    name, k = match.groups()
    return Measure(name, int(k) if k and k.isdecimal() else k)


def at(*cutoffs: Cutoff) -> tuple[Measure, ...]:
    """Return P, R and F at each cutoff, in the order of tables."""
    return tuple(kind @ k for k in cutoffs for kind in (P, R, F))


LONG_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "precision": "P", "prec": "P", "recall": "R", "rec": "R", "f1": "F", "fscore": "F", "f1score": "F",
        "fmeasure": "F", "rprecision": "RP", "averageprecision": "MAP", "meanaverageprecision": "MAP",
        "reciprocalrank": "MRR", "ndcg": "nDCG", "dcg": "nDCG", "alphadcg": "AlphaNDCG", "semf1": "SemF",
    } | {name.casefold(): name for name in (*NAMES, *MEANS)}
)  # fmt: skip
"""Names of measures by how people write them: in lower case, letters and digits only."""
_LOOSE_FORM: Final = re.compile(r"\s*(?P<name>[^@]*?)\s*(?:@\s*(?P<k>.*?)\s*)?")
_NEAR: Final = 0.5  # similarity from which a name is suggested, as for names of systems and protocols; arbitrary


def parse_measures(names: str | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Return measures from names, in a list or between commas, each once; raises ``BadParameter`` with the nearest."""
    listed = [name.strip() for name in names.split(",") if name.strip()] if isinstance(names, str) else list(names)
    if not listed:
        raise BadParameter("there is no measure", "name one or more, such as F@5,P@1")
    measures: dict[Measure, None] = {}
    for name in listed:
        try:
            measures[name if isinstance(name, Measure) else measure(name)] = None
        except (BadParameter, TypeError):
            meant = suggest_measure(name) if isinstance(name, str) else None
            hint = (
                f"measures are {', '.join((*NAMES, *MEANS))}, with a cutoff such as 5, M (all) or O (as many as gold)"
            )
            hint = f"did you mean {meant!r}? {hint}" if meant else hint
            raise BadParameter(f"{name!r} is not a measure", hint) from None
    return tuple(measures)


def suggest_measure(text: str) -> str | None:
    """Return the name that a text comes nearest to, such as ``F@5`` for ``f1@5`` or ``F1``; None if to none."""
    match = _LOOSE_FORM.fullmatch(text)
    plain = re.sub(r"[^a-z0-9]", "", match["name"].casefold()) if match else ""
    near = difflib.get_close_matches(plain, LONG_NAMES, n=1, cutoff=_NEAR)
    if not match or not near:
        return None
    name, k = LONG_NAMES[near[0]], (match["k"] or "").upper()
    if not re.fullmatch(r"[1-9][0-9]*|M|O|G", k):
        k = "5" if name in NAMES else ""
    return f"{name}@{k}" if k else name
