"""The difference of two protocols on one run, as tables for people or as JSON."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from keywright.faces.cli.printing import printable, rendered, table, to_json

if TYPE_CHECKING:
    from keywright.evaluation.scoring.explaining import Explanation

_NOTHING = 5e-5
"""What is smaller is not seen in four decimals."""


def explained(found: "Explanation", *, json: bool, terminal: bool) -> str:
    """One JSON value; or identities, the walk rule by rule, and what each rule does alone."""
    from keywright.evaluation.scoring.explaining import explanation_as_json  # noqa: PLC0415 - help does without

    if json:
        return to_json(explanation_as_json(found), indent=1) + "\n"
    identities = {"from": found.first, "to": found.second, "run": found.run, "gold": ", ".join(found.gold)}
    head = "".join(printable(f"{name:5} {text}\n") for name, text in identities.items())
    idle = [step.rule for step in found.steps if not (_moves(step.changes) or _moves(step.alone))]
    said = f"less than {_NOTHING:.5f} on this run: {', '.join(idle)}\n" if idle else ""
    walk = "\nOne rule after the other; fractions. Each step stands on those above it.\n"
    alone = "Each rule alone, changed in the first protocol only.\n"
    return f"{head}{walk}{_walk(found, terminal=terminal)}{alone}{_alone(found, terminal=terminal)}{said}"


def _walk(found: "Explanation", *, terminal: bool) -> str:
    """From the first protocol's values through every step that moves one to the second's."""
    names = _shown(found.start)
    made = table("rule", "from", "to", *names, numbers=names)
    made.add_row(printable(found.first.partition("|")[0]), "", "", *(f"{found.start[name]:.4f}" for name in names))
    for step in found.steps:
        if _moves(step.changes):
            made.add_row(*map(printable, (step.rule, step.before, step.after)), *_signed(step.changes, names))
    made.add_row(printable(found.second.partition("|")[0]), "", "", *(f"{found.end[name]:.4f}" for name in names))
    return rendered(made, terminal=terminal)


def _alone(found: "Explanation", *, terminal: bool) -> str:
    """What each rule that moves a value does by itself."""
    names = _shown(found.start)
    made = table("rule", "from", "to", *names, numbers=names)
    for step in found.steps:
        if _moves(step.alone):
            made.add_row(*map(printable, (step.rule, step.before, step.after)), *_signed(step.alone, names))
    return rendered(made, terminal=terminal)


def _shown(values: Mapping[str, float]) -> tuple[str, ...]:
    """F under the protocol's first average, or everything where there is none."""
    from keywright.evaluation.publishing.tables import shown  # noqa: PLC0415 - help does without

    return shown(values)


def _moves(changes: Mapping[str, float]) -> bool:
    return any(abs(change) > _NOTHING for change in changes.values())


def _signed(changes: Mapping[str, float], names: tuple[str, ...]) -> list[str]:
    """Changes with their signs; nothing where a value stays."""
    return [f"{changes[name]:+.4f}" if abs(changes[name]) > _NOTHING else "" for name in names]
