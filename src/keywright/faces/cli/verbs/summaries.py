"""keywright summaries: summaries evaluated by keyphrases and by other measures."""

from collections import Counter
from pathlib import Path
from typing import IO, Annotated, Any, Final

import typer

from keywright import api
from keywright.core.choices import Coefficient, Level, Resampled
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import FileOutput, draw_table
from keywright.faces.cli.printing import Console, open_output, print_json, print_rows, tell_failures
from keywright.faces.exit_codes import choose_exit_code
from keywright.faces.outputs.output_formats import LINES, PAGES
from keywright.faces.outputs.screen import escape_controls, find_screen

_EVALUATOR: Final = "-e SPEC | Evaluator, NAME or NAME:key=value,...; may be given several times (default: kpeval)."


@declare(
    "keywright summaries score pairs.jsonl --evaluator kpeval -o scores.jsonl",
    pairs="PAIRS | JSON Lines of summaries with references or sources; - is standard input.",
)
def score(
    pairs: Path | None = None,
    *,
    evaluator: Annotated[list[str] | None, _EVALUATOR] = None,
    list_evaluators: Annotated[bool, "--list | List evaluators with their options."] = False,
    language: str | None = None,
    out: FileOutput,
) -> None:
    """Score each summary; print the means of each system, or with -o write one JSON line for each score."""
    if list_evaluators:
        _print_evaluators(json=out.json)
        return
    if pairs is None:
        raise BadParameter("no file of pairs", "expected `keywright summaries score PAIRS.jsonl`")
    out.check(LINES, pairs)
    with out.progress("summaries") as tell:
        result = api.score_summaries(str(pairs), evaluator or api.USUAL_EVALUATORS, language, progress=tell)
    if out.output:
        with out.open() as file:
            file.writelines(to_json(record.as_json()) + "\n" for record in result.scores)
    if out.json:
        print_json(result.as_json())
    elif str(out.output) != "-":
        with open_output(None) as file:
            _write_table(api.draw_system_table(result.scores), file)
    _finish(result, out)


@declare("keywright summaries report pairs.jsonl --system mine -o report.html")
def report(
    pairs: Annotated[Path, "PAIRS | JSON Lines of summaries; - is standard input."],
    *,
    evaluator: Annotated[list[str] | None, _EVALUATOR] = None,
    system: Annotated[str | None, "NAME | Show the summaries of this system only."] = None,
    topic: Annotated[str | None, "--id ID | Show the summaries of this topic only."] = None,
    language: str | None = None,
    out: FileOutput,
) -> None:
    """Show keyphrases that summaries keep, lose and invent, with the ranking of systems, as an HTML page."""
    if not (out.output or out.json):
        raise BadParameter("no file to write the page to", "expected -o FILE.html, or --json")
    out.check(PAGES, pairs)
    with out.progress("summaries") as tell:
        result = api.report_summaries(
            str(pairs), evaluator or api.USUAL_EVALUATORS, language, chosen=(system, topic), progress=tell
        )
    if out.output:
        with out.open() as file:
            file.write(result.html())
        out.say(f"written: {out.output}")
    if out.json:
        print_json(result.as_json())
    _finish(result, out)


@declare(
    "keywright summaries correlate scores.jsonl --level system",
    level="Correlate means of systems, or within topics, or within systems (default: all).",
    controlled_for="SPEC | Partial correlations, independent of this evaluator, as length.",
)
def correlate(  # noqa: PLR0913 - one argument for each option
    scores: Annotated[Path, "SCORES | File that `keywright summaries score -o` wrote; - is standard input."],
    *,
    value: Annotated[list[str] | None, "NAME | Value of evaluators that have P, R and F (default: R)."] = None,
    level: list[Level] | None = None,
    coefficient: Annotated[list[Coefficient] | None, "Coefficient (default: all)."] = None,
    resample: Annotated[Resampled, "Items that the bootstrap of the intervals draws."] = Resampled.DOCUMENTS,
    samples: Annotated[int, "N | Number of resamples and permutations."] = 1000,
    controlled_for: str | None = None,
    constant_as_zero: Annotated[bool, "Count topics where a side is constant as 0, as ROSE's script does."] = False,
    compare: Annotated[bool, "Test whether evaluators differ in their correlation with people."] = False,
    plots: Annotated[Path | None, "DIR | Folder for a heat map of the evaluators."] = None,
    console: Console,
) -> None:
    """Correlate evaluators with people and with each other, and rank the systems under each."""
    # Partial correlation is not defined for Kendall's coefficient.
    defined = [each for each in Coefficient if controlled_for is None or each is not Coefficient.KENDALL]
    how: dict[str, Any] = {"samples": samples, "controlled_for": controlled_for, "constant_as_zero": constant_as_zero}
    how |= {"coefficients": [each.value for each in coefficient or defined], "resample": resample.value}
    how |= {"levels": [each.value for each in level or Level], "compare": compare}
    agreement = api.correlate_summaries(str(scores), values=tuple(value or ("R",)), **how)
    if console.json:
        print_json(agreement.as_json())
    else:
        with open_output(None) as file:
            for each in agreement.tables():
                _write_table(each, file)
    if plots:
        for path in agreement.write_plots(plots):
            console.say(f"written: {path}")
    console.note(*agreement.notes)


def _write_table(content: "api.Table", file: IO[str]) -> None:
    screen = find_screen(file)
    file.write(f"{screen.wrap(escape_controls(content.caption))}{draw_table(content, screen).rstrip()}\n")
    file.writelines(f"{escape_controls(note)}\n" for note in content.notes)
    file.write("\n")


def _finish(result: "api.SummaryScores | api.SummaryReport", console: Console) -> None:
    """Print failures, notes on the file, and how many summaries have each note; end with the exit code."""
    tell_failures(result.failures)
    console.note(*result.notes)
    counts = Counter(note for each in result.scores for note in each.notes)
    console.note(*(f"{count} of {len(result.scores)} scores: {note}" for note, count in counts.most_common()))
    raise typer.Exit(choose_exit_code(result.failures, len(result.scores)))


def _print_evaluators(*, json: bool) -> None:
    described = api.describe_evaluators()
    if json:
        print_json(
            [
                {"name": name, "about": about, "options": {option: values for option, values, _ in options}}
                for name, (about, options) in described.items()
            ]
        )
        return
    rows = (
        (name if index == 0 else "", *option)
        for name, (_, options) in described.items()
        for index, option in enumerate(options)
    )
    print_rows(("evaluator", "option", "values", "default"), rows)
