"""keywright semeval: drop-in replacement for the official script of SemEval-2010 Task 5."""

import enum
import sys
from pathlib import Path
from typing import Literal

import typer

from keywright.faces.cli.options import declare


class Dedup(enum.StrEnum):
    """Lists from which repeated phrases are dropped."""

    CANDIDATES = "candidates"
    GOLD = "gold"


@declare(
    "keywright semeval score answers.txt --gold test_answer --strict",
    answers="ANSWERS | File of answers, one line per document: id : a,b,c",
    gold="DIR | Folder of test.author.final, test.reader.final ...",
    strict="Reproduce the script bug for bug, including its crashes.",
    short_lists="Let lists shorter than a cutoff count with the phrases they have.",
    dedup="Drop repeated phrases of candidates or gold; may be given twice.",
    alternatives="Accept all alternatives of a gold entry, not only the first two.",
    documents="Divide by the number of documents in the gold, not by 100.",
    exact_f="Compute F from P and R before they are rounded.",
    raw_bytes="Keep byte order marks and carriage returns, as the script does.",
    strict_errors="Fail where the script crashes.",
)
def score(  # noqa: PLR0913 - one argument for each option
    answers: Path | None = None,
    *,
    gold: Path = Path(),
    strict: bool = False,
    short_lists: Literal["count"] | None = None,
    dedup: list[Dedup] | None = None,
    alternatives: Literal["all"] | None = None,
    documents: Literal["auto"] | None = None,
    exact_f: bool = False,
    raw_bytes: bool = False,
    strict_errors: bool = False,
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
