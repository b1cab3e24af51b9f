"""``keywright extract --parts``: options, and the report at the end."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from keywright.core.errors import BadParameter
from keywright.core.predictions import Failure
from keywright.faces.cli.printing import print_json, say, show_progress, tell_error
from keywright.faces.exit_codes import choose_exit_code
from keywright.faces.outputs.output_formats import JSONL, PARQUET, OutputFormat, find_format

if TYPE_CHECKING:
    from keywright.api import ExtractJob, PartsReport

_PANEL: Final = "Inputs of any size"

Parts: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--parts",
        rich_help_panel=_PANEL,
        help="Write results to the folder -o FOLDER, one file for each part of the input; if the command is "
        "interrupted, the same command does the rest.",
    ),
]
PartSize: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--part-size", metavar="N", rich_help_panel=_PANEL, help="Number of documents in a part (default: 2,000)."
    ),
]


def part_format(output: Path | None, form: str | None, keep: Sequence[str], *, resume: bool) -> OutputFormat:
    """Return the format of results in parts.

    Raises:
        BadParameter: there is no folder for them, or an option has no meaning with parts.
        UnknownName: the format cannot be written in parts.
    """
    if output is None or str(output) == "-" or output.is_file():
        raise BadParameter("--parts without a folder", "expected -o FOLDER, new or from the same command")
    if resume:
        raise BadParameter("--resume together with --parts", "leave out --resume: parts that are done stay")
    chosen = find_format((JSONL, PARQUET), form) if form else JSONL
    if keep and chosen is PARQUET:
        message = "--keep-column with parts of Parquet, whose columns have the same types in all files"
        raise BadParameter(message, "write JSON Lines, or join the columns by id")
    return chosen


def write_parts(job: "ExtractJob", output: Path, how: Mapping[str, Any], *, quiet: bool, json: bool) -> int:
    """Write results in parts and report; return the exit code. ``how``: other keywords of ``extract_parts``."""
    with show_progress("documents", quiet=quiet) as tell:
        report = job.write_parts(output, progress=tell, **how)
    if json:
        print_json(report.to_dict())
    for failure in report.examples:
        tell_error(failure.message, failure.hint, failure.document_id)
    say(summary(report), quiet=quiet)
    return failed_code(report)


def summary(report: "PartsReport") -> str:
    """Return a report in one line."""
    before = f" ({report.before:,} done before)" if report.before else ""
    text = f"{_counted(report.documents, 'document')} in {_counted(report.parts, 'part')}{before}: {report.folder}"
    if not report.failed:
        return text
    codes = ", ".join(f"{code} {count:,}" for code, count in report.failures.most_common())
    named = f"; the first {len(report.examples)} are above" if report.failed > len(report.examples) else ""
    return (
        f"{text}\n{_counted(report.failed, 'document')} failed ({codes}){named}; the results have each with its reason"
    )


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def failed_code(report: "PartsReport") -> int:
    """Return the exit code of a report: as for the same failures without parts."""
    failures = [Failure("", code, "", "") for code in report.failures]
    return choose_exit_code(failures, report.documents - report.failed)
