"""keywright semeval: stands in for the official script of SemEval-2010 Task 5."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from keywright.faces.cli.guard import guarded

app = typer.Typer(
    help="Stands in for the official scorer of SemEval-2010 Task 5.",
    epilog="Example: keywright semeval score answers.txt --gold test_answer",
)


@app.callback()
def semeval() -> None:
    """Stands in for the official scorer of SemEval-2010 Task 5."""


def score(
    answers: Annotated[Path | None, typer.Argument(metavar="ANSWERS", help="One line a document: id : a,b,c")] = None,
    *,
    gold: Annotated[
        Path, typer.Option("--gold", metavar="DIR", help="Folder of test.author.final, test.reader.final ...")
    ] = Path(),
    strict: Annotated[bool, typer.Option("--strict", help="As the script, bug for bug, its deaths included.")] = False,
) -> None:
    """Print what the official script prints, byte for byte. It ends with 1 where the script fails."""
    from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_STRICT  # noqa: PLC0415
    from keywright.evaluation.protocols.semeval2010_text import official_text  # noqa: PLC0415

    done = official_text(answers, gold, SEMEVAL2010_STRICT if strict else SEMEVAL2010)
    sys.stdout.flush()
    sys.stdout.buffer.write(done.text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    for message in done.messages:
        sys.stderr.write(message.encode("utf-8", "backslashreplace").decode() + "\n")
    raise typer.Exit(done.status)


app.command("score", epilog="Example: keywright semeval score answers.txt --gold test_answer --strict")(guarded(score))
