"""keywright compare and combine: several runs under one protocol, or as one run."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from keywright import api
from keywright.core.choices import CombineMethod, PairedTest
from keywright.core.errors import BadParameter
from keywright.core.signatures import short_signature
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import SIGNATURES, ReportOutput, check_new, draw_labelled, draw_table
from keywright.faces.cli.printing import Console, print_json, tell_failures
from keywright.faces.exit_codes import choose_exit_code
from keywright.faces.outputs.output_formats import JSON, TABLE
from keywright.faces.outputs.screen import Screen, draw_rows, escape_controls


@declare(
    "keywright compare kpminer.jsonl tfidf.jsonl --protocol semeval2010",
    run_format="[RUN=]NAME | Format of the runs, or of one of them; may be given several times.",
    id_field="[RUN=]NAME | Key or column of the ids in files of rows, or in one of them; may be given several times.",
    phrases_field="[RUN=]NAME | Key or column of the phrases in files of rows, or in one of them; may be given several "
    "times.",
    separator="[RUN=]TEXT | Text between the phrases of one cell or line, of all runs or one; may be given several "
    "times.",
    test="Significance test; t and wilcoxon apply to means of document scores only.",
    resamples="N | Number of samples for the test and the intervals.",
    encoder="minilm|FOLDER|URL | Encoder of the semantic measures, in place of the shipped one of English.",
)
def compare(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], "RUN RUN... | Runs, or files or folders of other tools."],
    *,
    protocol: Annotated[str | None, "-p NAME | Protocol to score under (default: the usual one for the gold)."] = None,
    gold: str | None = None,
    test: PairedTest = PairedTest.RANDOMISATION,
    resamples: int = 10_000,  # as in evaluation.statistics.bootstrap
    seed: Annotated[int, "N | Seed of the samples."] = 12_345,
    per_document: Annotated[bool, "Also show the scores of each document."] = False,
    measures: str | None = None,
    encoder: str | None = None,
    run_format: list[str] | None = None,
    id_field: list[str] | None = None,
    phrases_field: list[str] | None = None,
    separator: list[str] | None = None,
    report: ReportOutput,
) -> None:
    """Compare runs: differences with intervals and paired tests; p is corrected for the number of pairs (Holm)."""
    if report.choose(*runs, gold) not in {TABLE, JSON} and per_document:
        raise BadParameter(f"--per-document with format {report.format.name}", "use it with table or json")
    options = (run_format, id_field, phrases_field, separator)
    layouts = [api.Layout(*(_choose_value(run, values or (), runs) for values in options)) for run in runs]
    sampling = {"resamples": resamples, "seed": seed}
    rules: Any = protocol if encoder is None else api.with_encoder(protocol or "keywright-1-semantic", encoder)
    comparison = api.compare(runs, rules, gold, layouts, measures=measures, test=test.value, **sampling)
    report.write(
        lambda: _make_record(comparison, per_document=per_document),
        lambda screen: _draw_comparison(comparison, screen, per_document=per_document),
        lambda form: api.publish_comparison(comparison, api.Publication(form)),
    )
    if encoder is not None and (host := api.host_of(encoder)):
        report.note(f"phrases were sent to {host}")
    report.note(*dict.fromkeys(warning for each in comparison.reports.values() for warning in each.warnings))


def _choose_value(run: Path, values: Sequence[str], runs: Sequence[Path]) -> str | None:
    """Return the value of an option for a run: the last one that names it as ``RUN=VALUE``, else the last for all."""
    names = {name for each in runs for name in (str(each), each.name)}
    chosen: str | None = None
    for value in sorted(values, key=lambda value: value.partition("=")[0] in names):
        name, _, text = value.partition("=")
        if name not in names:
            chosen = value
        elif name in (str(run), run.name):
            chosen = text or None
    return chosen


def _make_record(comparison: "api.Comparison", *, per_document: bool) -> dict[str, Any]:
    record: dict[str, Any] = comparison.to_dict()
    if per_document:
        record["per_document"] = [
            {**row._asdict(), "scores": dict(zip(comparison.reports, row.scores, strict=True))}
            for row in api.pair_document_scores(comparison)
        ]
    return record


def _draw_comparison(comparison: "api.Comparison", screen: Screen, *, per_document: bool) -> Iterator[str]:
    strata = ", categories sampled separately" if comparison.stratified else ""
    lines = [("protocol", short_signature(comparison.protocol)), ("gold", ", ".join(comparison.gold))]
    lines += [("run", f"{name}: {short_signature(each.run)}") for name, each in comparison.reports.items()]
    lines.append(("test", f"{comparison.test}, intervals {comparison.intervals_by}{strata}"))
    yield from (draw_labelled(screen, *line) for line in lines)
    for table in (api.comparison_table(comparison), api.difference_table(comparison)):
        yield draw_table(table, screen) + screen.wrap(escape_controls(table.caption))
    if smallest := comparison.detectable_note:
        yield draw_labelled(screen, "power", smallest)
    yield draw_labelled(screen, "note", SIGNATURES)
    if per_document:
        names = tuple(comparison.reports)
        rows = (
            (row.gold, row.id, row.measure, *("" if score is None else f"{score:.4f}" for score in row.scores))
            for row in api.pair_document_scores(comparison)
        )
        yield "\n" + draw_rows(screen, ("gold", "document", "measure", *names), rows, names)


@declare(
    "keywright combine kpminer.jsonl tfidf.jsonl -o both.jsonl",
    method="-m | Rank phrases by number of runs, by ranks, by mean probability, or by a model trained on gold.",
    texts="DATASET | Documents whose texts decide which phrases are present (default: as the runs say).",
)
def combine(  # noqa: PLR0913 - one argument for each option
    runs: Annotated[list[Path], "RUN RUN... | Runs, or files or folders of other tools."],
    *,
    output: Annotated[Path, "-o RUN | File to write the combined run to."],
    method: CombineMethod = CombineMethod.VOTES,
    gold: Annotated[str | None, "DATASET | Labelled documents, for meta-ranker and probabilities."] = None,
    texts: str | None = None,
    save: Annotated[Path | None, "MODEL | File to write the meta-ranker to, trained on all of the gold."] = None,
    model: Annotated[Path | None, "MODEL | Rank with this meta-ranker, without training."] = None,
    run_format: str | None = None,
    force: bool = False,
    console: Console,
) -> None:
    """Combine runs over the same documents into one; phrases are matched by stem.

    With --method meta-ranker, each labelled document is ranked by trees trained on other documents; --save writes the
    model trained on all of them, and --model ranks runs of the same systems over other documents with it.
    """
    for written in (output, save):
        check_new(written, [*runs, gold, texts, model], force=force)
    notes: list[str] = []
    how: dict[str, Any] = {"gold": gold, "texts": texts, "save": save, "model": model, "form": run_format}
    run = api.combine(runs, method.value, output, tell=notes.append, **how)
    tell_failures(run.failures)
    count = len(run.predictions)
    if console.json:
        record = {"run": str(output), "system": run.system, "data": run.data, "analyser": run.analyser}
        print_json({**record, "done": count, "failed": len(run.failures), "notes": notes})
    console.note(*notes)
    console.say(f"{count} documents of {len(runs)} runs: {output}")
    raise typer.Exit(choose_exit_code(run.failures, count))
