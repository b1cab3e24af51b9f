"""The difference of two protocols on one run, as tables for people or as JSON."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from keywright.faces.cli.printing import printable, rendered, table, to_json

if TYPE_CHECKING:
    from keywright.api import Explanation

_SMALLEST: Final = 5e-5
"""Smallest change that is shown: below it, four decimals show zero."""


def explained(explanation: "Explanation", *, json: bool, terminal: bool) -> str:
    """Return one JSON value; or the inputs, the changes rule by rule, and the effect of each rule alone."""
    from keywright import api  # noqa: PLC0415 - help does without

    if json:
        return to_json(api.explanation_as_json(explanation), indent=1) + "\n"
    inputs = {"from": explanation.first, "to": explanation.second, "run": explanation.run}
    inputs["gold"] = ", ".join(explanation.gold)
    head = "".join(printable(f"{name:5} {text}\n") for name, text in inputs.items())
    idle = [step.rule for step in explanation.steps if not (_moves(step.changes) or _moves(step.alone))]
    rest = f"less than {_SMALLEST:.5f} on this run: {', '.join(idle)}\n" if idle else ""
    walk = "\nOne rule after the other, as fractions. Each step includes the steps above it.\n"
    alone = "Each rule alone, changed in the first protocol only.\n"
    names = api.shown(explanation.start)
    return (
        f"{head}{walk}{_walk(explanation, names, terminal=terminal)}"
        f"{alone}{_alone(explanation, names, terminal=terminal)}{rest}"
    )


def _walk(explanation: "Explanation", names: tuple[str, ...], *, terminal: bool) -> str:
    """Return the values of the first protocol, the steps that change any, and the values of the second."""
    rows = table("rule", "from", "to", *names, numbers=names)

    def add_values(protocol: str, values: Mapping[str, float]) -> None:
        rows.add_row(printable(protocol.partition("|")[0]), "", "", *(f"{values[name]:.4f}" for name in names))

    add_values(explanation.first, explanation.start)
    for step in explanation.steps:
        if _moves(step.changes):
            rows.add_row(*map(printable, (step.rule, step.before, step.after)), *_signed(step.changes, names))
    add_values(explanation.second, explanation.end)
    return rendered(rows, terminal=terminal)


def _alone(explanation: "Explanation", names: tuple[str, ...], *, terminal: bool) -> str:
    """Return the change that each rule makes by itself, for rules that make one."""
    rows = table("rule", "from", "to", *names, numbers=names)
    for step in explanation.steps:
        if _moves(step.alone):
            rows.add_row(*map(printable, (step.rule, step.before, step.after)), *_signed(step.alone, names))
    return rendered(rows, terminal=terminal)


def _moves(changes: Mapping[str, float]) -> bool:
    return any(abs(change) > _SMALLEST for change in changes.values())


def _signed(changes: Mapping[str, float], names: tuple[str, ...]) -> list[str]:
    """Return changes with their signs; empty texts for values that stay."""
    return [f"{changes[name]:+.4f}" if abs(changes[name]) > _SMALLEST else "" for name in names]
