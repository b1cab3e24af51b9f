"""Measures as values that print and parse; counts: sufficient statistics of each document, from which all follow."""

import difflib
import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from keywright.core.arrays import Floats, Ints, Numbers
from keywright.core.errors import BadParameter
from keywright.evaluation.rules import Entries, Form, ShortList

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
            hint = f"did you mean {meant!r}? " if meant else ""
            hint += (
                f"measures are {', '.join((*NAMES, *MEANS))}, with a cutoff such as 5, M (all) or O (as many as gold)"
            )
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


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Sufficient statistics of one system on one gold set, as columns over documents in gold order."""

    ids: Sequence[str]  # the documents, (documents,)
    cutoffs: tuple[Cutoff, ...]  # the cutoffs, (cutoffs,)
    # Matches counted at each cutoff, (documents, cutoffs); fractions where the matching gives partial credit.
    hits: Ints | Floats
    divisors: Ints  # divisor of precision at each cutoff, (documents, cutoffs)
    predicted: Ints  # predictions that have a rank, (documents,)
    gold: Ints  # gold entries, (documents,)
    # Hits of each ranked prediction, document after document, (sum of predicted,); ``by_rank`` gives them as a table.
    # Lists are cut at the protocol's deepest cutoff, unless that is M, O or G.
    relevance: Ints | Floats
    # Values by measure that are averaged over documents, each (documents,); nan where a document has none.
    means: Mapping[str, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)

    def of_documents(self, rows: slice | Ints) -> "Counts":
        """Return the counts of some documents, without their relevance."""
        return replace(
            self,
            ids=self.ids[rows] if isinstance(rows, slice) else tuple(self.ids[row] for row in rows.tolist()),
            hits=self.hits[rows],
            divisors=self.divisors[rows],
            predicted=self.predicted[rows],
            gold=self.gold[rows],
            relevance=self.relevance[:0],
            means={name: column[rows] for name, column in self.means.items()},
        )

    def by_rank(self, depth: int | None = None) -> Ints | Floats:
        """Return hits at each rank, (documents, depth), 0 behind the end of a list; None for the longest list."""
        ranks = np.arange(max(int(self.predicted.max(initial=0)), depth or 0))
        within = ranks < self.predicted[:, None]
        kind: DTypeLike = np.float64 if self.relevance.dtype.kind == "f" else np.int64
        table: Ints | Floats = np.zeros(within.shape, dtype=kind)
        # A Boolean mask is read row by row, which is the order of the flat column: no index per document is needed.
        table[within] = self.relevance
        return table[:, :depth]


def build_counts(
    ids: tuple[str, ...],
    ranked: Sequence[Sequence[float]],
    gold: Sequence[int],
    cutoffs: tuple[Cutoff, ...],
    short_list: ShortList,
    *,
    partial: bool = False,
) -> Counts:
    """Build counts from hits by rank, a list for each document; ``partial``: whether hits may be fractions."""
    predicted = np.array([len(hits) for hits in ranked], dtype=np.int64)
    entries = np.array(gold, dtype=np.int64)
    kinds: tuple[DTypeLike, DTypeLike] = (np.float64, np.float64) if partial else (np.uint32, np.int64)
    flat = np.fromiter(itertools.chain.from_iterable(ranked), dtype=kinds[0], count=int(predicted.sum()))
    depths = depths_at(cutoffs, predicted, entries)
    reached = np.minimum(depths, predicted[:, None])
    if partial:  # exact sums: differences of prefix sums could make a list of full credits earn less than its length
        rows = zip(ranked, reached.tolist(), strict=True)
        sums = [[math.fsum(credit[:end]) for end in ends] for credit, ends in rows]
        hits = np.array(sums, dtype=np.float64).reshape(reached.shape)
    else:  # prefix sums over all documents in one column: any list's first k hits are a difference of two of them
        running = np.concatenate([[0], np.cumsum(flat, dtype=kinds[1])])
        starts = (np.cumsum(predicted) - predicted)[:, None]
        hits = running[starts + reached] - running[starts]
    if short_list is ShortList.NOTHING:
        hits[reached < depths] = 0
    divisors = reached if short_list is ShortList.OF_LENGTH else depths
    if short_list is ShortList.OF_CUTOFF_IF_ANY:
        divisors = np.where(predicted[:, None] > 0, depths, 0)
    return Counts(ids, cutoffs, hits, divisors, predicted, entries, flat)


def depths_at(cutoffs: Sequence[Cutoff], predicted: Ints, gold: Ints) -> Ints:
    """Return how many predictions each cutoff takes from each document, (documents, cutoffs); there may be none."""
    letters = {"M": predicted, "O": gold, "G": np.maximum(predicted, gold)}
    columns = [np.full_like(predicted, k) if isinstance(k, int) else letters[k] for k in cutoffs]
    return np.array(columns, dtype=np.int64).reshape(len(cutoffs), len(predicted)).T


def quotient(a: Numbers, b: Numbers) -> Floats:
    """Divide element by element, broadcasting; 0 where the divisor is 0."""
    return np.divide(a, b, out=np.zeros(np.broadcast_shapes(a.shape, b.shape)), where=b != 0)


def harmonic(precision: float, recall: float) -> float:
    """Return F of precision and recall; 0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


Accepted: TypeAlias = tuple[tuple[Form, ...], ...]  # the accepted forms of each gold entry of a document


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Predictions and gold after a protocol's rules, as columns over documents in gold order."""

    counts: Counts
    forms: tuple[Sequence[Form], ...]  # forms that take a rank, best first, (documents,)
    entries: tuple[Entries, ...]  # gold entries that accept each form, (documents,)

    def accepted(self) -> tuple[Accepted, ...]:
        """Return the accepted forms of each gold entry, (documents,)."""
        documents = []
        for entries, size in zip(self.entries, self.counts.gold.tolist(), strict=True):
            accepted: list[list[Form]] = [[] for _ in range(size)]
            for form, numbers in entries.items():
                for number in numbers:
                    accepted[number].append(form)
            documents.append(tuple(tuple(sorted(forms)) for forms in accepted))
        return tuple(documents)


ByDocument: TypeAlias = Callable[[Listed, tuple[Measure, ...]], Floats]
"""Values of measures, (documents, measures); nan where a document has none and is left out of the mean."""


@dataclass(frozen=True, slots=True)
class Means:
    """A family of measures that are one number for each document and the mean of it, such as MAP, computed together.

    ``of``: function for the values of documents, in ``Counts.means``; ``rewards``: whether a list without hits has 0
    and one more hit lowers no value.
    """

    measures: tuple[Measure, ...]
    of: ByDocument
    rewards: bool = field(default=True, metadata={"signed": False})
