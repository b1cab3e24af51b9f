"""keywright train: fit a system on labelled documents."""

from pathlib import Path
from typing import Annotated

import typer

from keywright.faces.cli.gains import print_gain
from keywright.faces.cli.options import Json, Language, Parameters, Quiet, pairs
from keywright.faces.cli.printing import print_json, say
from keywright.faces.cli.progress import progress
from keywright.faces.errors import PARTLY


def train(  # noqa: PLR0913 - one argument for each option
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="A name of `keywright systems`, or a folder.")],
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="Such as semeval2010/train, or a JSON Lines file.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the trained system.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the trained system that is in the folder.")] = False,
    anyway: Annotated[bool, typer.Option("--anyway", help="Keep `default` even where no gain can be shown.")] = False,
    language: Language = None,
    param: Parameters = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit a system; the folder then stands wherever a system's name can.

    `default` goes on from what it knows, and what that gains is measured on held-out documents. Where no gain can be
    shown nothing is written, and the command ends with 1.
    """
    from keywright import api  # noqa: PLC0415 - help does without

    chosen = api.parametrised(system, pairs(param))
    with progress("documents", quiet=quiet) as tell:
        found = api.train_and_tell(chosen, dataset, output, language, force=force, anyway=anyway, progress=tell)
    if json:
        print_json({**found.card, "saved": found.saved} if found.gain else found.card)
    elif found.gain:
        print_gain(found.gain.as_json())
    for note in found.notes:
        say(f"note: {note}", quiet=quiet)
    if found.gain:
        say(found.gain.verdict, quiet=quiet)
    if not found.saved:
        say(f"nothing was written to {output}; --anyway keeps it all the same", quiet=quiet)
        raise typer.Exit(PARTLY)
    say(f"trained on {dataset}: use it with --system {output}", quiet=quiet)
