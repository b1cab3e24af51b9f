"""The training of a generator, seen on a terminal."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from keywright.core.errors import BadParameter
from keywright.faces.cli.options import pairs
from keywright.faces.cli.printing import print_json, progress, say, tell_error
from keywright.faces.exit_codes import exit_code


def train_generator(  # noqa: PLR0913 - what the verb was given
    generator: Any,
    datasets: Sequence[str],
    output: Path,
    options: Mapping[str, Any],
    *,
    force: bool,
    json: bool,
    quiet: bool,
) -> None:
    """Train a generator, or resume its training; show each validation."""
    from keywright import api  # noqa: PLC0415 - help does without

    minutes = options["minutes"]
    with progress("steps", quiet=quiet) as advance:

        def tell(step: Any) -> None:
            advance(step.done, step.steps)
            if step.validation:
                say(_line(step.done, step.validation), quiet=quiet)

        trained = api.train_generator(
            generator,
            datasets,
            output,
            options["profile"] or "small",
            validation=options["validation"],
            recipe=pairs(options["recipe"]),
            seconds=None if minutes is None else 60 * minutes,
            device=options["device"],
            start=options["start"],
            force=force,
            tell=tell,
        )
    if json:
        print_json(trained.card)
    for note in trained.notes:
        say(f"note: {note}", quiet=quiet)
    for failure in trained.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    use = "--start" if "objective" in trained.card else "--system"
    say(f"trained on {', '.join(datasets)}: use it with {use} {output}", quiet=quiet)
    if trained.failures:
        raise typer.Exit(exit_code(trained.failures, trained.card["documents"]))


def _line(step: int, values: Mapping[str, float]) -> str:
    """Return a validation in one line."""
    loss = f"step {step:,}: loss {values['loss']:.3f}"
    if "present/F@5" not in values:
        return loss
    return f"{loss}; F@5 {values['present/F@5']:.3f} present, {values['absent/F@5']:.3f} absent"


def check_plain(system: str, datasets: Sequence[str], options: Mapping[str, Any]) -> None:
    """Check that no option of generators was given for another system, and one data set."""
    used = [name for name, value in options.items() if value is not None]
    if used:
        raise BadParameter(f"--{used[0]} is for generators, and {system} is not one", f"leave out --{used[0]}")
    if len(datasets) > 1:
        raise BadParameter(f"{len(datasets)} data sets for {system}", "name one; generators take several")
