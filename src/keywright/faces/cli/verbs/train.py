"""keywright train and adapt: fit a system on labelled documents, or add counts of unlabelled ones."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from keywright.core.errors import BadParameter
from keywright.faces.cli.options import Json, Language, Parameters, Quiet, SystemName, parse_pairs
from keywright.faces.cli.printing import print_gain, print_json, say, show_progress, tell_error
from keywright.faces.exit_codes import PARTLY, choose_exit_code


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
    with show_progress("steps", quiet=quiet) as advance:

        def tell(step: Any) -> None:
            advance(step.done, step.steps)
            if step.validation:
                say(_format_validation(step.done, step.validation), quiet=quiet)

        trained = api.train_generator(
            generator,
            datasets,
            output,
            options["profile"] or "small",
            validation=options["validation"],
            recipe=parse_pairs(options["recipe"]),
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
        raise typer.Exit(choose_exit_code(trained.failures, trained.card["documents"]))


def _format_validation(step: int, values: Mapping[str, float]) -> str:
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


def train(  # noqa: PLR0913 - one argument for each option
    system: SystemName,
    datasets: Annotated[
        list[str],
        typer.Argument(
            metavar="DATASET...", help="Labelled documents; generators take several data sets, or texts to restore."
        ),
    ],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write the trained system to.")
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace a trained system in the folder.")] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Write `default` even without a gain on held-out documents.")
    ] = False,
    language: Language = None,
    param: Parameters = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="tiny|small|paper", help="Size and recipe of a generator (default: small)."),
    ] = None,
    recipe: Annotated[
        list[str] | None,
        typer.Option("--recipe", metavar="NAME=VALUE", help="Value of a generator's recipe, such as steps=500."),
    ] = None,
    validation: Annotated[
        str | None,
        typer.Option("--validation", metavar="DATASET", help="Documents that choose a generator's best weights."),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="N", help="Stop a generator's training then; the same command resumes it."),
    ] = None,
    device: Annotated[
        str | None, typer.Option("--device", help="Device of a generator, such as cuda (default: a GPU if any).")
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option("--start", metavar="DIR", help="Folder of a generator whose weights the training starts from."),
    ] = None,
    vocabulary: Annotated[
        Path | None,
        typer.Option("--vocabulary", metavar="DIR", help="Index of the concepts that `subject` learns to rank."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit a system; its folder is then accepted anywhere a system name is.

    `default` fine-tunes the shipped model, and the gain is measured on held-out documents. Without a gain nothing is
    written, and the command exits with status 1. `subject` learns to rank the concepts of a vocabulary.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    chosen = api.parse_system(system, parse_pairs(param))
    if vocabulary is not None:
        chosen = api.with_vocabulary(chosen, vocabulary)
    options = {
        "profile": profile, "recipe": recipe, "validation": validation, "minutes": minutes, "device": device,
        "start": start,
    }  # fmt: skip
    if api.is_generator(chosen):
        train_generator(chosen, datasets, output, options, force=force, json=json, quiet=quiet)
        return
    check_plain(system, datasets, options)
    dataset = datasets[0]
    with show_progress("documents", quiet=quiet) as tell:
        trained = api.train_with_notes(chosen, dataset, output, language, force=force, anyway=anyway, progress=tell)
    if json:
        print_json({**trained.card, "saved": trained.saved} if trained.gain else trained.card)
    elif trained.gain:
        print_gain(trained.gain.as_json())
    for note in trained.notes:
        say(f"note: {note}", quiet=quiet)
    if figures := trained.card.get("cross-validated"):
        measures = ", ".join(f"{name} {value:.3f}" for name, value in figures.items() if name != "folds")
        say(f"cross-validated in {figures['folds']} folds: {measures}", quiet=quiet)
    if trained.gain:
        say(trained.gain.verdict, quiet=quiet)
    if not trained.saved:
        say(f"nothing was written to {output}; --anyway writes it regardless", quiet=quiet)
        raise typer.Exit(PARTLY)
    say(f"trained on {dataset}: use it with --system {output}", quiet=quiet)


def adapt(  # noqa: PLR0913 - one argument for each option
    paths: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Folders and files of documents.")],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write the adapted system to.")
    ],
    system: Annotated[
        str,
        typer.Option(
            "--system", "-s", metavar="NAME", help="System to adapt: default, or folder of an adapted system."
        ),
    ] = "default",
    force: Annotated[bool, typer.Option("--force", help="Replace a trained system in the folder.")] = False,
    language: Language = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count how rare phrases are in unlabelled documents, and add the counts to those of `default`.

    Trees and probabilities stay the same. The folder is then accepted anywhere a system name is.
    """
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.saving import read_card  # noqa: PLC0415 - help does without

    with show_progress("documents", quiet=quiet) as tell:
        adapted = api.adapt(
            paths, output, system, language, force=force, progress=lambda done, _total: tell(done, None)
        )
    for failure in adapted.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    if json:
        print_json({**read_card(output), "repeats": adapted.repeats, "failed": len(adapted.failures)})
    after, before = adapted.phrases
    counted = f"{adapted.documents} counted ({adapted.system.language}), {len(adapted.failures)} failed"
    say(f"documents      {counted}", quiet=quiet)
    if adapted.left_out:
        others = ", ".join(f"{other} {count}" for other, count in adapted.left_out.items())
        say(f"left out       {adapted.left_out.total()} in other languages: {others}", quiet=quiet)
    if adapted.repeats:
        say(f"repeats        {adapted.repeats} with the text of another were not counted again", quiet=quiet)
    say(f"phrases        {after:,} with a known frequency, {before:,} before", quiet=quiet)
    say("probabilities  not recalibrated: those of the trees as they were trained", quiet=quiet)
    if adapted.note:
        say(f"note: {adapted.note}", quiet=quiet)
    say(f"use it with --system {output}", quiet=quiet)
    raise typer.Exit(choose_exit_code(adapted.failures, adapted.documents))
