"""keywright compare: several runs under one protocol."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keywright.core.choices import PairedTest
from keywright.core.errors import BadParameter
from keywright.core.signatures import short_signature
from keywright.faces.cli.options import declare
from keywright.faces.cli.output_options import SIGNATURES, ReportOutput, draw_labelled, draw_table
from keywright.faces.outputs.output_formats import JSON, TABLE
from keywright.faces.outputs.screen import Screen, draw_rows, escape_controls

if TYPE_CHECKING:
    from keywright.api import Comparison


@declare(
    "keywright compare kpminer.jsonl tfidf.jsonl --protocol semeval2010",
    runs="RUN RUN... | Runs, or files or folders of other tools.",
    protocol="-p NAME | Protocol to score under.",
    test="Significance test; t and wilcoxon apply to means of document scores only.",
    resamples="N | Number of samples for the test and the intervals.",
    seed="N | Seed of the samples.",
    per_document="Also show the scores of each document.",
)
def compare(  # noqa: PLR0913 - one argument for each option
    runs: list[Path],
    *,
    protocol: str,
    gold: str | None = None,
    test: PairedTest = PairedTest.RANDOMISATION,
    resamples: int = 10_000,  # as in evaluation.statistics.bootstrap
    seed: int = 12_345,
    per_document: bool = False,
    measures: str | None = None,
    run_format: str | None = None,
    id_field: str | None = None,
    phrases_field: str | None = None,
    separator: str | None = None,
    report: ReportOutput,
) -> None:
    """Compare runs: differences with intervals and paired tests; p is corrected for the number of pairs (Holm)."""
    from keywright import api  # noqa: PLC0415 - help does without

    if report.choose(*runs, gold) not in {TABLE, JSON} and per_document:
        raise BadParameter(f"--per-document with format {report.format.name}", "use it with table or json")
    layout = api.Layout(run_format, id_field, phrases_field, separator)
    sampling = {"resamples": resamples, "seed": seed}
    comparison = api.compare(runs, protocol, gold, layout, measures=measures, test=test.value, **sampling)
    report.write(
        lambda: _make_record(comparison, per_document=per_document),
        lambda screen: _draw_comparison(comparison, screen, per_document=per_document),
        lambda form: api.publish_comparison(comparison, api.Publication(form)),
    )
    report.note(*dict.fromkeys(warning for each in comparison.reports.values() for warning in each.warnings))


def _make_record(comparison: "Comparison", *, per_document: bool) -> dict[str, Any]:
    from keywright import api  # noqa: PLC0415 - help does without

    record: dict[str, Any] = comparison.to_dict()
    if per_document:
        record["per_document"] = [
            {**row._asdict(), "scores": dict(zip(comparison.reports, row.scores, strict=True))}
            for row in api.pair_document_scores(comparison)
        ]
    return record


def _draw_comparison(comparison: "Comparison", screen: Screen, *, per_document: bool) -> Iterator[str]:
    """Yield the inputs, the runs side by side, every pair, the smallest difference that can be detected; documents."""
    from keywright import api  # noqa: PLC0415 - help does without

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
