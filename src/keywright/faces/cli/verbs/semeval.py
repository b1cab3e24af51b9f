"""keywright semeval: stands in for the official script of SemEval-2010 Task 5."""

import enum
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from keywright.faces.cli.guard import guarded

app = typer.Typer(
    help="Stands in for the official scorer of SemEval-2010 Task 5.",
    epilog="Example: keywright semeval score answers.txt --gold test_answer",
)


@app.callback()
def semeval() -> None:
    """Stands in for the official scorer of SemEval-2010 Task 5."""


class Lists(enum.StrEnum):
    """Lists shorter than a cutoff."""

    COUNT = "count"


class Dedup(enum.StrEnum):
    """Where repeats are dropped."""

    CANDIDATES = "candidates"
    GOLD = "gold"


class Alternatives(enum.StrEnum):
    """Which alternatives of a gold entry are accepted."""

    ALL = "all"


class Divisor(enum.StrEnum):
    """By how many documents precision divides."""

    AUTO = "auto"


def score(  # noqa: PLR0913 - one argument for each option
    answers: Annotated[Path | None, typer.Argument(metavar="ANSWERS", help="One line a document: id : a,b,c")] = None,
    *,
    gold: Annotated[
        Path, typer.Option("--gold", metavar="DIR", help="Folder of test.author.final, test.reader.final ...")
    ] = Path(),
    strict: Annotated[bool, typer.Option("--strict", help="As the script, bug for bug, its deaths included.")] = False,
    short_lists: Annotated[Lists | None, typer.Option("--short-lists", help="Lists shorter than a cutoff.")] = None,
    dedup: Annotated[list[Dedup] | None, typer.Option("--dedup", help="Drop repeats; may be given twice.")] = None,
    alternatives: Annotated[
        Alternatives | None, typer.Option("--alternatives", help="More than two alternatives of a gold entry.")
    ] = None,
    documents: Annotated[
        Divisor | None, typer.Option("--documents", help="Divide by the gold's documents, not by 100.")
    ] = None,
    exact_f: Annotated[bool, typer.Option("--exact-f", help="F from P and R before they are rounded.")] = False,
    raw_bytes: Annotated[
        bool, typer.Option("--raw-bytes", help="Keep byte order marks and carriage returns, as the script does.")
    ] = False,
    strict_errors: Annotated[bool, typer.Option("--strict-errors", help="Fail where the script dies.")] = False,
) -> None:
    """Print what the official script prints, byte for byte; options correct its accidents. A failure ends it with 1."""
    from dataclasses import replace  # noqa: PLC0415 - help does without

    from keywright.evaluation import rules  # noqa: PLC0415
    from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_STRICT  # noqa: PLC0415
    from keywright.evaluation.reference.semeval2010_text import official_text  # noqa: PLC0415

    asked: list[tuple[object, dict[str, Any]]] = [
        (short_lists, {"short_list": rules.ShortList.OF_CUTOFF}),
        (Dedup.CANDIDATES in (dedup or ()), {"repeats": rules.Repeats.FIRST}),
        (Dedup.GOLD in (dedup or ()), {"gold_repeats": rules.Repeats.FIRST}),
        (alternatives, {"alternatives": rules.every}),
        (documents, {"documents": rules.Documents.COUNTED}),
        (exact_f, {"f_from": rules.FScore.EXACT}),
        (raw_bytes, {"marks": rules.ByteMarks.KEPT}),
        (strict_errors, {"no_gold": rules.NoGold.STOP, "zero_divisor": rules.ZeroDivisor.STOP}),
    ]
    changes = {name: value for wanted, rule in asked if wanted for name, value in rule.items()}
    done = official_text(answers, gold, replace(SEMEVAL2010_STRICT if strict else SEMEVAL2010, **changes))
    sys.stdout.flush()
    sys.stdout.buffer.write(done.text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    for message in done.messages:
        sys.stderr.write(message.encode("utf-8", "backslashreplace").decode() + "\n")
    raise typer.Exit(done.status)


app.command("score", epilog="Example: keywright semeval score answers.txt --gold test_answer --strict")(guarded(score))
