"""keywright summaries: summaries evaluated by keyphrases and by other measures."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keywright.core.errors import BadParameter
from keywright.faces.cli.guard import guarded
from keywright.faces.cli.options import Json, Language, Output, Quiet
from keywright.faces.cli.printing import (
    on_terminal,
    opened,
    print_json,
    print_table,
    progress,
    say,
    table,
    tell_error,
    to_json,
)
from keywright.faces.cli.reports import drawn
from keywright.faces.exit_codes import exit_code

if TYPE_CHECKING:
    from keywright.api import SummaryReport, SummaryScores

_ABOUT = "Evaluate summaries by their keyphrases, with ROUGE and with n-gram graphs."

PairsFile = Annotated[
    Path | None,
    typer.Argument(metavar="PAIRS", help="JSON Lines of summaries with references or sources; - is standard input."),
]
Evaluators = Annotated[
    list[str] | None,
    typer.Option(
        "--evaluator",
        "-e",
        metavar="SPEC",
        help="Evaluator, NAME or NAME:key=value,...; may be given several times (default: kpeval).",
    ),
]

app = typer.Typer(help=_ABOUT, epilog="Example: keywright summaries score pairs.jsonl --evaluator kpeval")


@app.callback(help=_ABOUT)
def summaries() -> None:
    """Group the commands."""


def score(  # noqa: PLR0913 - one argument for each option
    pairs: PairsFile = None,
    *,
    evaluator: Evaluators = None,
    list_evaluators: Annotated[bool, typer.Option("--list", help="List evaluators with their options.")] = False,
    language: Language = None,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score each summary; print the means of each system, or with -o write one JSON line for each score."""
    from keywright import api  # noqa: PLC0415 - help does without

    if list_evaluators:
        _print_evaluators(json=json)
        return
    if pairs is None:
        raise BadParameter("no file of pairs", "expected `keywright summaries score PAIRS.jsonl`")
    with progress("summaries", quiet=quiet) as tell:
        result = api.score_summaries(str(pairs), evaluator or api.USUAL_EVALUATORS, language, progress=tell)
    if output:
        with opened(output, [pairs]) as file:
            file.writelines(to_json(record.as_json()) + "\n" for record in result.scores)
    if json:
        print_json(result.as_json())
    elif str(output) != "-":
        with opened(None) as file:
            file.write(drawn(api.summary_table(result), terminal=on_terminal(file)))
    _tell(result, quiet=quiet)
    raise typer.Exit(exit_code(result.failures, len(result.scores)))


def report(  # noqa: PLR0913 - one argument for each option
    pairs: Annotated[Path, typer.Argument(metavar="PAIRS", help="JSON Lines of summaries; - is standard input.")],
    *,
    evaluator: Evaluators = None,
    system: Annotated[
        str | None, typer.Option("--system", metavar="NAME", help="Show the summaries of this system only.")
    ] = None,
    topic: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Show the summaries of this topic only.")
    ] = None,
    language: Language = None,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show keyphrases that summaries keep, lose and invent, with the ranking of systems, as an HTML page."""
    from keywright import api  # noqa: PLC0415 - help does without

    if not (output or json):
        raise BadParameter("no file to write the page to", "expected -o FILE.html, or --json")
    with progress("summaries", quiet=quiet) as tell:
        result = api.report_summaries(
            str(pairs), evaluator or api.USUAL_EVALUATORS, language, chosen=(system, topic), progress=tell
        )
    if output:
        with opened(output, [pairs]) as file:
            file.write(result.html())
        say(f"written: {output}", quiet=quiet)
    if json:
        print_json(result.as_json())
    _tell(result, quiet=quiet)
    raise typer.Exit(exit_code(result.failures, len(result.scores)))


def _tell(result: "SummaryScores | SummaryReport", *, quiet: bool) -> None:
    """Print failures, notes on the file, and how many summaries have each note."""
    for failure in result.failures:
        tell_error(failure.message, failure.hint, failure.document_id)
    for note in result.notes:
        say(f"note: {note}", quiet=quiet)
    counts = Counter(note for each in result.scores for note in each.notes)
    for note, count in counts.most_common():
        say(f"note: {count} of {len(result.scores)} scores: {note}", quiet=quiet)


def _print_evaluators(*, json: bool) -> None:
    from keywright import api  # noqa: PLC0415 - help does without

    described = api.describe_evaluators()
    if json:
        print_json(
            [
                {"name": name, "about": about, "options": {option.name: option.values for option in options}}
                for name, (about, options) in described.items()
            ]
        )
        return
    rows = table("evaluator", "option", "values", "default")
    for name, (_, options) in described.items():
        for at, option in enumerate(options):
            rows.add_row(name if at == 0 else "", *option)
    print_table(rows)


app.command("score", epilog="Example: keywright summaries score pairs.jsonl --evaluator kpeval -o scores.jsonl")(
    guarded(score)
)
app.command("report", epilog="Example: keywright summaries report pairs.jsonl --system mine -o report.html")(
    guarded(report)
)
