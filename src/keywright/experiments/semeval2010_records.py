"""Data files about SemEval-2010 Task 5: scores by system, printed and measured last, and records of the systems.

A record in ``records/`` says for each step of a system where it comes from (``ORIGINS``, in the order of
docs/decisions/0012), which other values were tried, and why a step with a ``literal`` value departs from its paper.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from keywright.core.errors import BadRecord

CUTOFFS: Final = (5, 10, 15)  # cutoffs of the shared task
KINDS: Final = ("combined", "reader", "author")
TABLE: Final = "semeval2010"


def read_printed() -> Mapping[str, Mapping[str, Any]]:
    """Return printed scores by system, in the order of the published ranking, baselines last."""
    return _read_data("task")


@lru_cache
def read_notes() -> Mapping[str, str]:
    """Return explanations of differences between our scores and the published ones, by system."""
    return {name: " ".join(note.split()) for name, note in _read_data("notes").items()}


def list_known_scores(system: str) -> tuple[dict[str, Any], ...]:
    """Return F of a system in percent as ``{"table", "gold", "measure", "published", "ours"}``; either may be None."""
    printed, ours = read_printed().get(system, {}), _read_data("ours").get(system, {})
    return tuple(
        {"table": TABLE, "gold": gold, "measure": f"F@{cutoff}", "published": theirs, "ours": mine}
        for gold in KINDS
        if gold in printed or gold in ours
        for cutoff, theirs, mine in zip(
            CUTOFFS, printed.get(gold, {}).get("F", (None,) * 3), ours.get(gold, (None,) * 3), strict=True
        )
    )


@lru_cache
def _read_data(name: str) -> dict[str, Any]:
    file = files("keywright.experiments").joinpath("published", f"semeval2010_{name}.toml")
    return tomllib.loads(file.read_text("utf-8"))


ORIGINS: Final = ("stated", "authors' program", "usual form", "cross-validated", "invented")
"""Origins of a step, in the order in which they decide."""
LITERAL: Final = "literal"
"""Variant of a system in which every step that its paper states is as stated, as far as there are options for it."""
BEST: Final = "best on training"
"""Variant of a system with the values that cross-validation on the training papers prefers, whatever is stated."""
_NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a system, or one of its parameters.

    Attributes:
        source: where it is stated, or what leaves it open.
        parameter: name of the parameter that sets it, with its default ``value``; empty for a step without one.
        tried: other values that were cross-validated.
        literal: value that is stated, in a tuple, where the default is another, and ``departs`` why; else empty.
        instead: resource or rule that replaces the original's; empty where it is the original's.
    """

    does: str
    origin: str
    source: str = ""
    parameter: str = ""
    value: Any = None
    tried: tuple[Any, ...] = ()
    literal: tuple[Any, ...] = ()
    departs: str = ""
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """The steps of one system, in the order in which it takes them.

    Attributes:
        read: what its steps were read in.
        fitted: parameters that training sets.
        switches: parameters that belong to experiments: features left out, seeds.
        best: values better on the training papers than the default, found by ``tools/train/best_parameters.py``.
    """

    system: str
    paper: str
    read: str
    steps: tuple[Step, ...]
    fitted: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    best: Mapping[str, Any] = field(default_factory=dict)

    @property
    def literal(self) -> Mapping[str, Any]:
        """Parameters whose stated value is not the default."""
        return {step.parameter: step.literal[0] for step in self.steps if step.literal}

    @property
    def tried(self) -> Mapping[str, Sequence[Any]]:
        """Values that were cross-validated beside the default, by parameter."""
        return {step.parameter: step.tried for step in self.steps if step.tried}

    @property
    def variants(self) -> Mapping[str, Mapping[str, Any]]:
        """Parameters of the variants that differ from the default and from each other, by name."""
        return {name: values for name, values in {LITERAL: self.literal, BEST: self.best}.items() if values}


@lru_cache(maxsize=1)
def read_records() -> Mapping[str, Record]:
    """Return the records by system, in alphabetical order."""
    folder = files("keywright.experiments").joinpath("records")
    texts = {path.name.removesuffix(".toml"): path.read_text("utf-8") for path in folder.iterdir()}
    return {name: parse_record(name, texts[name]) for name in sorted(texts)}


def parse_record(system: str, text: str) -> Record:
    """Return the record of a system from its text; a step of an unknown origin is a ``BadRecord``."""
    table = tomllib.loads(text)
    steps = []
    for step in table["step"]:
        if step["origin"] not in ORIGINS:
            message = f"record of {system}: {step['does']!r} has the origin {step['origin']!r}"
            raise BadRecord(message, f"expected one of {', '.join(ORIGINS)}")
        values = {name: _convert_value(value) for name, value in step.items()}
        if "literal" in values:
            values["literal"] = (values["literal"],)
        steps.append(Step(**values))
    names = {name: tuple(table.get(name, ())) for name in ("fitted", "switches")}
    best = {name: _convert_value(value) for name, value in table.get("best", {}).items()}
    return Record(system, table["paper"], table["read"], tuple(steps), **names, best=best)


def _convert_value(value: Any) -> Any:
    """Return a TOML value as parameters have it: tuples for lists, None for the word ``none``."""
    if isinstance(value, list):
        return tuple(map(_convert_value, value))
    return None if value == _NONE else value
