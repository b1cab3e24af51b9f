"""keywright train: fit a system on labelled documents."""

from pathlib import Path
from typing import Annotated

import typer

from keywright.faces.cli.options import DataName, Json, Language, Parameters, Quiet, SystemName, pairs
from keywright.faces.cli.printing import print_gain, print_json, progress, say
from keywright.faces.exit_codes import PARTLY


def train(  # noqa: PLR0913 - one argument for each option
    system: SystemName,
    dataset: DataName,
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
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit a system; its folder is then accepted anywhere a system name is.

    `default` fine-tunes the shipped model, and the gain is measured on held-out documents. Without a gain nothing is
    written, and the command exits with status 1.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    chosen = api.parametrised(system, pairs(param))
    with progress("documents", quiet=quiet) as tell:
        trained = api.train_with_notes(chosen, dataset, output, language, force=force, anyway=anyway, progress=tell)
    if json:
        print_json({**trained.card, "saved": trained.saved} if trained.gain else trained.card)
    elif trained.gain:
        print_gain(trained.gain.as_json())
    for note in trained.notes:
        say(f"note: {note}", quiet=quiet)
    if trained.gain:
        say(trained.gain.verdict, quiet=quiet)
    if not trained.saved:
        say(f"nothing was written to {output}; --anyway writes it all the same", quiet=quiet)
        raise typer.Exit(PARTLY)
    say(f"trained on {dataset}: use it with --system {output}", quiet=quiet)
