"""Explain why two protocols give one run different numbers: which rule changes a value, and by how much.

Rules are changed one at a time, in the order of the protocol's fields, until the first has become the second: the steps
add up to the whole difference. Each has also the effect of the rule alone; where the two differ, rules interact. Kinds
of gold, measures and classes are selections, not rules. ``decimals`` are places of the ``unit``, so the two change
together; a writer of forms is dropped only after the normal form has changed, since between the two nothing would
match.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, TypeAlias

from keywright.core.errors import BadParameter
from keywright.core.json_values import encode
from keywright.core.signatures import sign_fields
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import NoGold, OddIds, PhraseClass, ZeroDivisor, unchanged
from keywright.evaluation.scoring.report import Report

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
    classes = tuple(
        part for part in PhraseClass if part in (first.classes or whole) and part in (second.classes or whole)
    )
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
