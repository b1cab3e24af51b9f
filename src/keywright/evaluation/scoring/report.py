"""The report: numbers, with all information that makes them comparable; and why two protocols give different numbers.

To explain a difference, rules are changed one at a time, in the order of the protocol's fields, until the first has
become the second: the steps add up to the whole difference. Each has also the effect of the rule alone; where the two
differ, rules interact. Kinds of gold, measures and classes are selections, not rules. ``decimals`` are places of the
``unit``, so the two change together; a writer of forms is dropped only after the normal form has changed, since between
the two nothing would match.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from keywright.core.errors import BadParameter
from keywright.core.json_values import encode
from keywright.core.signatures import short_signature, sign_fields
from keywright.core.views import MOST_ROWS, Kinds, NotebookTable, frame_records
from keywright.evaluation.measures.counts import Counts, Cutoff
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Average, NoGold, OddIds, PhraseClass, ZeroDivisor, unchanged

_TEXTS: Final = ("protocol", "run", "gold", "average", "measure", "k")
REPORT_COLUMNS: Final[Kinds] = MappingProxyType(
    {**dict.fromkeys(_TEXTS, str), "value": float, "low": float, "high": float, "signature": str}
)
"""Columns of a report: one row for each value."""
_BEFORE_COUNTS: Final = (
    "protocol", "run", "gold", "scored", "skipped", "unit", "values", "sig", "stratified", "intervals", "detectable",
)  # fmt: skip
"""Fields of a report in its JSON value, before the counts."""
_SHOWN: Final = 3  # values in a short description, arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """The scores of one run under one protocol, of which ``run`` and ``protocol`` are signatures.

    Attributes:
        gold: for each gold set ``kind@fingerprint``.
        scored: documents of the gold that the run answers.
        skipped: documents left out, or scored only in part: reason to number of documents.
        values: fractions by name, such as ``combined/F@15``; averages after the first are prefixes,
            ``combined/macro-F@15``.
        unit: unit in which the protocol's reference prints, ``fraction`` or ``percent``.
        counts: sufficient statistics by kind of gold.
        sig: method of the intervals, such as ``pb10000:12345``; ``none`` where there are none.
        stratified: whether intervals draw from each category of the collection separately.
        intervals: low and high end by name of the value, fractions.
        detectable: smallest difference to another such run that this collection can detect, by name, fractions.
    """

    protocol: str
    run: str
    gold: tuple[str, ...]
    scored: int
    skipped: Mapping[str, int]
    values: Mapping[str, float]
    unit: str
    counts: Mapping[str, Counts] = field(repr=False)
    warnings: tuple[str, ...] = ()
    sig: str = "none"
    stratified: bool = False
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    detectable: Mapping[str, float] = field(default_factory=dict, repr=False)

    @property
    def main_set(self) -> str:
        """The gold set of all phrases, or else the last one; empty without any."""
        kinds = ("", *self.counts)
        return next((kind for kind in kinds if kind.rpartition("/")[2] == PhraseClass.ALL), kinds[-1])

    @property
    def main_value(self) -> str:
        """The name of F at the deepest number on the main set; empty without one."""
        cutoffs = [k for by, _, k in (name.rpartition("@") for name in self.values) if by == f"{self.main_set}/F"]
        deepest = max((int(k) for k in cutoffs if k.isdecimal()), default=None)
        return "" if deepest is None else f"{self.main_set}/F@{deepest}"

    @property
    def detectable_note(self) -> str:
        """A sentence on the smallest difference that the collection can show; empty without intervals."""
        smallest = self.detectable.get(self.main_value)
        return "" if smallest is None else self.note_smallest(smallest, "for runs that err on different documents")

    def note_smallest(self, smallest: float, basis: str) -> str:
        """Return a sentence on a smallest detectable difference of the main value."""
        return (
            f"with {len(self.counts[self.main_set])} documents, {self.main_value} differences under "
            f"{100 * smallest:.1f} points cannot be detected (level .05, power .8, {basis})"
        )

    def __str__(self) -> str:
        """Print plain data: the identities, then one line for each number."""
        lines = [f"protocol {self.protocol}", f"run {self.run}", f"gold {' '.join(self.gold)}"]
        lines += [f"scored {self.scored}", *(f"skipped {count}: {reason}" for reason, count in self.skipped.items())]
        ends = {name: f" [{low:.4f}, {high:.4f}]" for name, (low, high) in self.intervals.items()}
        lines += [f"{name} {value:.4f}{ends.get(name, '')}" for name, value in self.values.items()]
        return "\n".join([*lines, *(f"warning: {warning}" for warning in self.warnings)])

    def __repr__(self) -> str:
        """Name the protocol, the number of documents, and the first values."""
        first = ", ".join(f"{name} {value:.4f}" for name, value in tuple(self.values.items())[:_SHOWN])
        more = f", … {len(self.values) - _SHOWN} more" if len(self.values) > _SHOWN else ""
        return f"<Report of {self.scored} documents under {self.protocol.partition('|')[0]}: {first}{more}>"

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, as ``keywright score --json`` prints them; ``values`` are fractions."""
        record = {name: encode(getattr(self, name)) for name in _BEFORE_COUNTS}
        record["counts"] = {}
        for gold, counts in self.counts.items():
            sizes = {"documents": len(counts), "with_gold": int((counts.gold > 0).sum())}
            sizes |= {"gold": int(counts.gold.sum()), "predicted": int(counts.predicted.sum())}
            record["counts"][gold] = sizes | {f"hits@{k}": pooled_hits(counts, k) for k in counts.cutoffs}
        return {**record, "warnings": list(self.warnings)}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a table of ``rows``; ``library`` is ``pandas``, ``polars`` or ``pyarrow``, None what is installed."""
        return frame_records(self.rows(), REPORT_COLUMNS, library)

    def _repr_html_(self) -> str:
        names = list(self.values)[:MOST_ROWS]
        head: tuple[str, ...] = ("value", "score", "95 % interval") if self.intervals else ("value", "score")
        ends = {name: f"{low:.4f} to {high:.4f}" for name, (low, high) in self.intervals.items()}
        rows = [(name, f"{self.values[name]:.4f}", ends.get(name, ""))[: len(head)] for name in names]
        documents = f"{self.scored} document{'' if self.scored == 1 else 's'}"
        skipped = (f"{count} documents: {reason}" for reason, count in self.skipped.items())
        beyond = len(self.values) - len(rows), "values"
        notes = (*skipped, *self.warnings, f"protocol {short_signature(self.protocol)}")
        caption = f"{documents} scored under {self.protocol.partition('|')[0]}"
        return NotebookTable(caption, head, rows, head[1:], notes, beyond).html()

    def rows(self) -> tuple[dict[str, str | float | None], ...]:
        """Return one plain record for each value, fractions in either unit; ``low`` and ``high`` may be None."""
        shared: dict[str, str | float | None] = {"protocol": self.protocol.partition("|")[0], "run": self.run}
        rows = []
        for name, value in self.values.items():
            gold, _, rest = name.rpartition("/")
            first, sign, other = rest.partition("-")
            average, measured = (first, other) if sign and first in set(Average) else ("", rest)
            measure, _, k = measured.partition("@")
            low, high = self.intervals.get(name, (None, None))
            row = shared | {"gold": gold, "average": average, "measure": measure, "k": k}
            rows.append(row | {"value": value, "low": low, "high": high, "signature": self.protocol})
        return tuple(rows)


def pooled_hits(counts: Counts, k: Cutoff) -> float:
    """Return pooled hits at a cutoff: a whole number unless the matching gives partial credit."""
    place = [str(cutoff) for cutoff in counts.cutoffs].index(str(k))
    hits: float = counts.hits[:, place].sum().item()
    return hits


Score: TypeAlias = Callable[[Protocol], Report]  # the report of one run on one gold, under any protocol
SELECTIONS: Final = frozenset({"name", "golds", "measures", "means", "classes"})
"""Fields that select what is reported, and change no number of it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One rule in which the protocols differ."""

    rule: str
    before: str = field(metadata={"key": "from"})  # its value in the first protocol, as signatures write it
    after: str = field(metadata={"key": "to"})  # in the second
    changes: Mapping[str, float]  # change of each value, with all earlier rules changed already; fractions by value
    alone: Mapping[str, float]  # change of each value when no other rule is changed


@dataclass(frozen=True, slots=True)
class Explanation:
    """The difference of two protocols on one run."""

    first: str = field(metadata={"key": "from"})  # signature of the protocol that the walk starts from
    second: str = field(metadata={"key": "to"})  # signature of the protocol that it ends at
    run: str
    gold: tuple[str, ...]  # ``kind@fingerprint`` of each gold set
    start: Mapping[str, float]  # values under the first, fractions by the names that both report
    end: Mapping[str, float]
    steps: tuple[Step, ...]  # the rules that differ, in the order of the walk

    @property
    def difference(self) -> Mapping[str, float]:
        """Second minus first; the sum of the steps except for rounding errors."""
        return _subtract_values(self.end, self.start)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values; all numbers are fractions."""
        record: dict[str, Any] = encode(self)
        return record | {"difference": self.difference, "steps": record.pop("steps")}


def explain(first: Protocol, second: Protocol, score: Score) -> Explanation:
    """Change one protocol into another rule by rule. Raises BadParameter: the two report no value in common."""
    run = score(first).run
    score(second)  # raises what the protocol itself raises; below, rules that refuse or stop are lenient
    here, there = _align_protocols(first, second)
    texts = sign_fields(first), sign_fields(second)
    begin, finish = score(here), score(there)
    names = [name for name in begin.values if name in finish.values]
    if not names:
        raise _nothing_shared(first, second, "report no value in common")
    start, end = ({name: report.values[name] for name in names} for report in (begin, finish))
    steps, before, walking = [], start, here
    for rule in _list_differing(*texts):
        change = {name: getattr(there, name) for name in ((rule, "unit") if rule == "decimals" else (rule,))}
        walking = replace(walking, **change)
        after, alone = score(walking).values, score(replace(here, **change)).values
        effects = _subtract_values(after, before), _subtract_values(alone, start)
        steps.append(Step(rule, texts[0][rule], texts[1][rule], *effects))
        before = {name: after[name] for name in names}
    return Explanation(first.signature, second.signature, run, begin.gold, start, end, tuple(steps))


def _list_differing(first: Mapping[str, str], second: Mapping[str, str]) -> list[str]:
    """Return the rules in which protocols differ, in the order of the walk."""
    names = [each.name for each in fields(Protocol) if each.name not in SELECTIONS]
    names = [name for name in names if first[name] != second[name]]
    if "decimals" in names and "unit" in names:
        names.remove("unit")
    if {"write", "normalise"} <= set(names) and second["write"] == unchanged.__name__:
        names.remove("write")
        names.insert(names.index("normalise") + 1, "write")
    return names


def _align_protocols(first: Protocol, second: Protocol) -> tuple[Protocol, Protocol]:
    """Give both protocols the same selection, and no rule that refuses or stops: both ends gave numbers."""
    whole = (PhraseClass.ALL,)
    chosen = [each.classes or whole for each in (first, second)]
    classes = tuple(part for part in PhraseClass if all(part in each for each in chosen))
    if not classes:
        raise _nothing_shared(first, second, "score different phrases")
    golds = first.golds or second.golds  # an empty tuple means all kinds
    if first.golds and second.golds:
        golds = tuple(kind for kind in first.golds if kind in second.golds)
    measures = tuple(measure for measure in first.measures if measure in second.measures)
    if not measures or ((first.golds or second.golds) and not golds):
        raise _nothing_shared(first, second, "report no value in common")
    shared: dict[str, Any] = {
        "golds": golds,
        "measures": measures,
        "means": tuple(family for family in first.means if family in second.means),
        "classes": () if classes == whole else classes,
        **dict.fromkeys(("repeated_ids", "unknown_ids", "missing_ids"), OddIds.COUNTED),
        "zero_divisor": ZeroDivisor.ZERO,
    }
    here, there = (
        replace(each, no_gold=NoGold.ZERO if each.no_gold is NoGold.STOP else each.no_gold, **shared)
        for each in (first, second)
    )
    return here, there


def _subtract_values(after: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    return {name: after[name] - value for name, value in before.items()}


def _nothing_shared(first: Protocol, second: Protocol, problem: str) -> BadParameter:
    chosen = (f"{protocol.name} has {', '.join(map(str, protocol.measures))}" for protocol in (first, second))
    hint = f"{', '.join(chosen)}: choose two that share a measure"
    return BadParameter(f"{first.name} and {second.name} {problem}", hint)
