"""keywright train: fit a system on labelled documents."""

from pathlib import Path
from typing import Annotated

import typer

from keywright.faces.cli.options import Json, Language, Parameters, Quiet, pairs
from keywright.faces.cli.printing import print_json, say


def train(  # noqa: PLR0913 - one argument for each option
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="A name of `keywright systems`.")],
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="Such as semeval2010/train, or a JSON Lines file.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the trained system.")],
    language: Language = None,
    param: Parameters = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit a system; the folder then stands wherever a system's name can."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.saving import read_card  # noqa: PLC0415 - help does without

    api.train(api.parametrised(system, pairs(param)), dataset, output, language)
    if json:
        print_json(read_card(output))
    say(f"trained on {dataset}: use it with --system {output}", quiet=quiet)
