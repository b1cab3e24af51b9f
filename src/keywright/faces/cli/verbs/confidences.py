"""keywright analyse and calibrate: how far confidences can be trusted, and probabilities for any system."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

from keywright import api
from keywright.core.choices import CalibrationMethod, Confidence
from keywright.core.errors import BadParameter
from keywright.core.signatures import short_signature
from keywright.faces.cli import output_options
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import ReportOutput
from keywright.faces.cli.printing import Console, open_output, print_json
from keywright.faces.outputs.output_formats import CSV, HTML
from keywright.faces.outputs.screen import Screen, draw_rows, escape_controls, find_screen, format_rows


@declare(
    "keywright analyse run.jsonl --gold papers.jsonl --report analysis.html",
    protocol="-p NAME | Protocol that decides which phrases are present and correct (default: kpg on whole texts).",
)
def analyse(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], "RUN... | Runs, or files of generators."],
    *,
    gold: str | None = None,
    protocol: str | None = None,
    score_field: Annotated[Confidence | None, "Score field to analyse (default: the best available)."] = None,
    calibrator: Path | None = None,
    plots: Annotated[Path | None, "DIR | Folder to write plots to, as SVG and PNG files."] = None,
    report: Annotated[Path | None, "FILE | File for one HTML page with all numbers and plots."] = None,
    run_format: str | None = None,
    out: ReportOutput,
) -> None:
    """Measure how far the confidences of runs can be trusted: calibration, perplexity, positions, degenerate output.

    Present and absent phrases are analysed separately. Runs without token probabilities are analysed by their
    probabilities, runs with scores alone by their order.
    """
    is_page = out.choose(*runs, gold, calibrator) is HTML
    if is_page:
        if out.output is None or report is not None:
            raise BadParameter("an analysis as HTML needs one file", "name it with -o FILE.html or --report FILE")
        report, out.output = out.output, None
    output_options.check_new(report, [*runs, gold, calibrator, out.output], force=out.force or is_page)
    how: dict[str, Any] = {"protocol": protocol, "score_field": score_field and score_field.value}
    how |= {"calibrator": calibrator, "form": run_format, "plots": plots, "report": report}
    with out.progress("analysing") as tell:
        analyses = api.analyse(runs, gold, progress=tell, **how)
    if not is_page:
        out.write(
            lambda: {"runs": {name: analysis.to_dict() for name, analysis in analyses.items()}},
            lambda screen: _draw_analyses(analyses, screen),
            lambda form: _format_analyses(analyses, form),
        )
    for name, analysis in analyses.items():
        for missing in analysis.missing:
            out.say(f"{name}: not shown: {missing}")
        out.note(*(f"{name}: {note}" for note in analysis.notes))
    for written in (plots, report):
        if written is not None:
            out.say(f"written: {written}")


def _format_analyses(analyses: "dict[str, api.Analysis]", form: str) -> str:
    if form != CSV.name:
        return output_options.format_tables(tuple(api.draw_tables(analyses)), form, "Analysis of confidences")
    records = [{"run": name, **row} for name, analysis in analyses.items() for row in analysis.rows()]
    rows = ([("" if value is None else value) for value in record.values()] for record in records)
    return format_rows(tuple(records[0]) if records else ("run",), rows)


def _draw_analyses(analyses: "dict[str, api.Analysis]", screen: Screen) -> Iterator[str]:
    for name, analysis in analyses.items():
        system = f"{name}: {short_signature(analysis.system)}, confidence {analysis.confidence}"
        yield output_options.draw_labelled(screen, "run", system)
    for protocol in dict.fromkeys(analysis.protocol for analysis in analyses.values()):
        yield output_options.draw_labelled(screen, "protocol", short_signature(protocol))
    yield output_options.draw_labelled(screen, "note", output_options.SIGNATURES)
    for each in api.draw_tables(analyses):
        caption = screen.characters(screen.wrap(escape_controls(each.caption)))
        yield f"\n{caption}{output_options.draw_table(each, screen).rstrip()}\n"


FOLDS: Final = 5  # folds of cross-validation, as in ``calibration.calibrators.cross_fitting``


@declare("keywright calibrate run.jsonl --gold papers.jsonl -o calibrator.json")
def calibrate(  # noqa: PLR0913 - one argument for each option
    run: Annotated[Path, "RUN | A run, or a file of a generator with token probabilities."],
    *,
    output: Annotated[Path, "-o FILE | File to write the calibrator to; with --apply, the run."],
    gold: str | None = None,
    method: Annotated[CalibrationMethod | None, "-m | Calibration method (default: by number of documents)."] = None,
    folds: Annotated[int, "N | Number of cross-validation folds that measure the calibrator."] = FOLDS,
    score_field: Annotated[Confidence | None, "Score field to calibrate (default: the best available)."] = None,
    apply: Annotated[Path | None, "FILE | Write RUN with probabilities of this calibrator; fit nothing."] = None,
    run_format: str | None = None,
    force: bool = False,
    console: Console,
) -> None:
    """Fit a calibrator for a system's phrases on labelled documents: 10 for probabilities, 50 to 100 for scores.

    The table shows calibration before and after, on documents that were left out of the fit, beside the noise floor.
    --apply writes a run of the same system with probabilities. It is for files of generators: `extract` and `run`
    accept calibrators themselves.
    """
    output_options.check_new(output, [run, gold, apply], force=force)
    if apply:
        if (method, folds, score_field) != (None, FOLDS, None):
            raise BadParameter("--apply together with options for fitting", "a calibrator is applied as it was fitted")
        applied = api.apply_calibrator(run, apply, output, texts=gold, form=run_format)
        if console.json:
            summary = {"run": str(output), "system": applied.run.system, "done": len(applied.run.predictions)}
            print_json({**summary, "stability": applied.stability, "warnings": list(applied.warnings)})
        console.note(*applied.warnings)
        console.say(f"{len(applied.run.predictions)} documents with probabilities: {output}")
        return
    fields: dict[str, Any] = {"method": method and method.value, "score_field": score_field and score_field.value}
    calibration = api.calibrate(run, gold, output, folds=folds, form=run_format, **fields)
    if console.json:
        print_json(calibration.as_json())
    else:
        _print_calibration(calibration, folds)
    console.note(*dict.fromkeys((*calibration.notes, *calibration.after.notes)))
    console.say(f"use it with --calibrator {output}")


def _print_calibration(calibration: "api.Calibration", folds: int) -> None:
    card = calibration.calibrator.card
    numbers = ("before", "after", "95 % interval", "noise floor")
    with open_output(None) as file:
        screen = find_screen(file)
        lines = {
            "fitted": f"{card.method} on {card.confidence}: {short_signature(card.system)}",
            "phrases": f"{card.phrases:,} of {card.documents:,} documents, {card.correct:,} correct",
            "after": f"on {min(folds, card.documents)} folds of documents, each by a fit on the others",
        }
        file.writelines(output_options.draw_labelled(screen, name, text) for name, text in lines.items())
        file.write(draw_rows(screen, ("measure", *numbers), calibration.rows(), numbers))
        file.write(_draw_guarantees(calibration, screen))


def _draw_guarantees(calibration: "api.Calibration", screen: Screen) -> str:
    guarantees = calibration.guarantees
    if not guarantees:
        return "no precision can be guaranteed; more documents may help\n"
    head = ("--min-precision", "phrases from", "phrases per document", "empty lists", "precision of all")
    rows = (
        (
            *(f"{each.target:g}", f"{each.threshold:.2f}", f"{each.phrases:.1f}", f"{100 * each.empties:.0f} %"),
            "" if each.pooled is None else f"{each.pooled:.2f}",
        )
        for each in guarantees
    )
    level = f"guarantees possible at confidence level {guarantees[0].confidence:g}"
    return f"{level}\n{draw_rows(screen, head, rows, head)}"
