"""keywright summaries: summaries evaluated by keyphrases and by other measures."""

from collections import Counter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from keywright.core.choices import Coefficient, Level, Resampled
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.faces.cli.options import Json, Language, Output, Quiet
from keywright.faces.cli.output_options import Force, check_ending
from keywright.faces.cli.printing import (
    guard_verb,
    open_output,
    print_json,
    print_table,
    say,
    show_progress,
    tell_error,
)
from keywright.faces.cli.reports import draw_table
from keywright.faces.exit_codes import choose_exit_code
from keywright.faces.outputs.output_formats import LINES, PAGES
from keywright.faces.outputs.screen import escape_controls, find_screen, make_table

if TYPE_CHECKING:
    from keywright.api import SummaryReport, SummaryScores, Table

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
    force: Force = False,
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
    check_ending(LINES, output, [pairs], force=force)
    with show_progress("summaries", quiet=quiet) as tell:
        result = api.score_summaries(str(pairs), evaluator or api.USUAL_EVALUATORS, language, progress=tell)
    if output:
        with open_output(output, [pairs]) as file:
            file.writelines(to_json(record.as_json()) + "\n" for record in result.scores)
    if json:
        print_json(result.as_json())
    elif str(output) != "-":
        with open_output(None) as file:
            _write_table(api.draw_system_table(result.scores), file)
    _tell_notes(result, quiet=quiet)
    raise typer.Exit(choose_exit_code(result.failures, len(result.scores)))


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
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show keyphrases that summaries keep, lose and invent, with the ranking of systems, as an HTML page."""
    from keywright import api  # noqa: PLC0415 - help does without

    if not (output or json):
        raise BadParameter("no file to write the page to", "expected -o FILE.html, or --json")
    check_ending(PAGES, output, [pairs], force=force)
    with show_progress("summaries", quiet=quiet) as tell:
        result = api.report_summaries(
            str(pairs), evaluator or api.USUAL_EVALUATORS, language, chosen=(system, topic), progress=tell
        )
    if output:
        with open_output(output, [pairs]) as file:
            file.write(result.html())
        say(f"written: {output}", quiet=quiet)
    if json:
        print_json(result.as_json())
    _tell_notes(result, quiet=quiet)
    raise typer.Exit(choose_exit_code(result.failures, len(result.scores)))


def correlate(  # noqa: PLR0913 - one argument for each option
    scores: Annotated[
        Path,
        typer.Argument(metavar="SCORES", help="File that `keywright summaries score -o` wrote; - is standard input."),
    ],
    *,
    value: Annotated[
        list[str] | None,
        typer.Option("--value", metavar="NAME", help="Value of evaluators that have P, R and F (default: R)."),
    ] = None,
    level: Annotated[
        list[Level] | None,
        typer.Option("--level", help="Correlate means of systems, or within topics, or within systems (default: all)."),
    ] = None,
    coefficient: Annotated[
        list[Coefficient] | None, typer.Option("--coefficient", help="Coefficient (default: all).")
    ] = None,
    resample: Annotated[
        Resampled, typer.Option("--resample", help="Items that the bootstrap of the intervals draws.")
    ] = Resampled.DOCUMENTS,
    samples: Annotated[
        int, typer.Option("--samples", metavar="N", help="Number of resamples and permutations.")
    ] = 1000,
    controlled_for: Annotated[
        str | None,
        typer.Option(
            "--controlled-for", metavar="SPEC", help="Partial correlations, independent of this evaluator, as length."
        ),
    ] = None,
    constant_as_zero: Annotated[
        bool,
        typer.Option("--constant-as-zero", help="Count topics where a side is constant as 0, as ROSE's script does."),
    ] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Test whether evaluators differ in their correlation with people.")
    ] = False,
    plots: Annotated[
        Path | None, typer.Option("--plots", metavar="DIR", help="Folder for a heat map of the evaluators.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Correlate evaluators with people and with each other, and rank the systems under each."""
    from keywright import api  # noqa: PLC0415 - help does without

    agreement = api.correlate_summaries(
        str(scores),
        values=tuple(value or ("R",)),
        levels=[each.value for each in level or Level],
        coefficients=[each.value for each in coefficient or _choose_coefficients(controlled_for)],
        resample=resample.value,
        samples=samples,
        controlled_for=controlled_for,
        constant_as_zero=constant_as_zero,
        compare=compare,
    )
    if json:
        print_json(agreement.as_json())
    else:
        with open_output(None) as file:
            for each in agreement.tables():
                _write_table(each, file)
    if plots:
        for path in agreement.write_plots(plots):
            say(f"written: {path}", quiet=quiet)
    for note in agreement.notes:
        say(f"note: {note}", quiet=quiet)


def _choose_coefficients(controlled_for: str | None) -> tuple[Coefficient, ...]:
    """Return the coefficients by default: partial correlation is not defined for Kendall's."""
    return tuple(each for each in Coefficient if controlled_for is None or each is not Coefficient.KENDALL)


def _write_table(content: "Table", file: IO[str]) -> None:
    """Write a table for people: its caption, its lines, its notes."""
    screen = find_screen(file)
    text = draw_table(content, screen).rstrip()
    file.write(f"{screen.wrap(escape_controls(content.caption))}{text}\n")
    file.writelines(f"{escape_controls(note)}\n" for note in content.notes)
    file.write("\n")


def _tell_notes(result: "SummaryScores | SummaryReport", *, quiet: bool) -> None:
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
    rows = make_table("evaluator", "option", "values", "default")
    for name, (_, options) in described.items():
        for at, option in enumerate(options):
            rows.add_row(name if at == 0 else "", *option)
    print_table(rows)


app.command("score", epilog="Example: keywright summaries score pairs.jsonl --evaluator kpeval -o scores.jsonl")(
    guard_verb(score)
)
app.command("report", epilog="Example: keywright summaries report pairs.jsonl --system mine -o report.html")(
    guard_verb(report)
)
app.command("correlate", epilog="Example: keywright summaries correlate scores.jsonl --level system")(
    guard_verb(correlate)
)
