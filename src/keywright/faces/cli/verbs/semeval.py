"""keywright semeval: drop-in replacement for the official script of SemEval-2010 Task 5."""

import enum
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from keywright.faces.cli.printing import guard_verb

_ABOUT: Final = "Drop-in replacement for the official scorer of SemEval-2010 Task 5."

app = typer.Typer(help=_ABOUT, epilog="Example: keywright semeval score answers.txt --gold test_answer")


@app.callback(help=_ABOUT)
def semeval() -> None:
    """Keep ``score`` a command of its own; typer would merge a single command."""


class Lists(enum.StrEnum):
    """Ways to count lists shorter than a cutoff."""

    COUNT = "count"


class Dedup(enum.StrEnum):
    """Lists from which repeated phrases are dropped."""

    CANDIDATES = "candidates"
    GOLD = "gold"


class Alternatives(enum.StrEnum):
    """Accepted alternatives of a gold entry."""

    ALL = "all"


class Divisor(enum.StrEnum):
    """Number of documents that precision divides by."""

    AUTO = "auto"


def score(  # noqa: PLR0913 - one argument for each option
    answers: Annotated[
        Path | None, typer.Argument(metavar="ANSWERS", help="File of answers, one line per document: id : a,b,c")
    ] = None,
    *,
    gold: Annotated[
        Path, typer.Option("--gold", metavar="DIR", help="Folder of test.author.final, test.reader.final ...")
    ] = Path(),
    strict: Annotated[
        bool, typer.Option("--strict", help="Reproduce the script bug for bug, including its crashes.")
    ] = False,
    short_lists: Annotated[
        Lists | None,
        typer.Option("--short-lists", help="Let lists shorter than a cutoff count with the phrases they have."),
    ] = None,
    dedup: Annotated[
        list[Dedup] | None,
        typer.Option("--dedup", help="Drop repeated phrases of candidates or gold; may be given twice."),
    ] = None,
    alternatives: Annotated[
        Alternatives | None,
        typer.Option("--alternatives", help="Accept all alternatives of a gold entry, not only the first two."),
    ] = None,
    documents: Annotated[
        Divisor | None, typer.Option("--documents", help="Divide by the number of documents in the gold, not by 100.")
    ] = None,
    exact_f: Annotated[bool, typer.Option("--exact-f", help="Compute F from P and R before they are rounded.")] = False,
    raw_bytes: Annotated[
        bool, typer.Option("--raw-bytes", help="Keep byte order marks and carriage returns, as the script does.")
    ] = False,
    strict_errors: Annotated[bool, typer.Option("--strict-errors", help="Fail where the script crashes.")] = False,
) -> None:
    """Print the output of the official script, byte for byte; options fix its known bugs. Failure has status 1."""
    from keywright import api  # noqa: PLC0415 - help does without

    drop = dedup or ()
    options = {
        "short_lists": short_lists,
        "dedup_candidates": Dedup.CANDIDATES in drop,
        "dedup_gold": Dedup.GOLD in drop,
        "alternatives": alternatives,
        "documents": documents,
        "exact_f": exact_f,
        "raw_bytes": raw_bytes,
        "strict_errors": strict_errors,
    }
    output = api.semeval_text(answers, gold, [name for name, value in options.items() if value], strict=strict)
    sys.stdout.flush()
    sys.stdout.buffer.write(output.text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    for message in output.messages:
        sys.stderr.write(message.encode("utf-8", "backslashreplace").decode() + "\n")
    raise typer.Exit(output.status)


app.command("score", epilog="Example: keywright semeval score answers.txt --gold test_answer --strict")(
    guard_verb(score)
)
