"""Options that name the format of the output and the file to write, and their checks before the work begins."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from keywright.core.atomic_files import check_file
from keywright.core.errors import BadParameter
from keywright.faces.outputs.output_formats import JSON, KEYPHRASES, REPORTS, REVIEWED, OutputFormat, find_format

_HELP: Final = "Output format (default: by the ending of the --output file, else table)."
KeyphraseFormat: TypeAlias = Annotated[
    str | None, typer.Option("--format", "-f", metavar="|".join(form.name for form in KEYPHRASES), help=_HELP)
]
ReportFormat: TypeAlias = Annotated[
    str | None, typer.Option("--format", "-f", metavar="|".join(form.name for form in REPORTS), help=_HELP)
]
ReviewedFormat: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="|".join(form.name for form in REVIEWED),
        help="Output format (default: by the ending of the --output file, else labelled).",
    ),
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace an output file that exists.")]


def choose_format(
    formats: Sequence[OutputFormat],
    name: str | None,
    output: Path | None,
    inputs: Iterable[object] = (),
    *,
    json: bool,
    force: bool,
) -> OutputFormat:
    """Return the format to write: JSON if asked for, else by name, by the ending of the file, or the first.

    Raises:
        UnknownName: there is no format of this name.
        BadParameter: the file exists or cannot be written, or its ending belongs to no format.
    """
    check_new(output, inputs, force=force)
    if json:
        return JSON
    if name:
        return find_format(formats, name)
    if output is None or not output.suffix or not is_file_name(output):
        return formats[0]
    return _format_by_ending(formats, output)


def check_ending(
    formats: Sequence[OutputFormat], output: Path | None, inputs: Iterable[object] = (), *, force: bool
) -> None:
    """Check a file that is written in one of some formats; any name without an ending will do.

    Raises:
        BadParameter: the file exists or cannot be written, or its ending belongs to another format.
    """
    check_new(output, inputs, force=force)
    if output is not None and output.suffix and is_file_name(output):
        _format_by_ending(formats, output)


def check_new(output: Path | None, inputs: Iterable[object] = (), *, force: bool) -> None:
    """Check, before the work begins, that a file can be written, and that nothing is lost by it.

    Raises:
        BadParameter: it cannot be written, is one of the inputs, or holds something and may not be replaced.
    """
    if output is None or not is_file_name(output):
        return
    check_file(output, inputs)
    if not force and output.is_file() and output.stat().st_size:
        raise BadParameter(f"{output} exists", "name another file, or replace it with --force")


def _format_by_ending(formats: Sequence[OutputFormat], output: Path) -> OutputFormat:
    name = output.name.lower()
    if first := [form for form in formats if name.endswith(form.endings[0])]:
        return max(first, key=lambda form: len(form.endings[0]))  # .csl.json before .json
    matches = [form for form in formats if name.endswith(form.endings)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        options = " or ".join(f"--format {form.name}" for form in matches)
        endings = " or ".join(form.endings[0] for form in matches)
        raise BadParameter(
            f"{output}: several formats have the ending {output.suffix!r}",
            f"add {options}, or end the name in {endings}",
        )
    endings = ", ".join(form.endings[0] for form in formats)
    hint = f"endings of formats: {endings}" + ("; or name the format with --format" if len(formats) > 1 else "")
    raise BadParameter(f"{output}: nothing is written in a format with the ending {output.suffix!r}", hint)


def is_file_name(output: Path) -> bool:
    """Return whether a name is that of a file, or of one to be; not of standard output, a pipe or a device."""
    outside = str(output) == "-" or str(output).startswith("/dev/")
    return not outside and (output.is_file() or output.is_dir() or not output.exists())
