"""Formats of output: one entry for each, with the endings of files that choose it and the function that writes it."""

import csv
import importlib
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer

from keywright.core.atomic_files import check_file
from keywright.core.errors import BadParameter, UnknownName

Pieces: TypeAlias = Iterator[str] | Iterator[bytes]
"""Output piece by piece, so that it can be written while the work continues."""


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """A format of output.

    Attributes:
        name: value of ``--format``.
        endings: endings of files that choose it, in lower case; several formats may share all but the first.
        keyphrases: ``module:function`` of this package that writes keyphrases in it: from a ``Writer`` and its results
            to pieces of text; empty where keyphrases are not written in it.
        whole_text: whether keyphrases are written with the documents, which are kept for that.
        tabular: whether keyphrases are rows, of one or of many columns.
        binary: whether the pieces are bytes.
        records: whether they are made of JSON records, which are finished where the work is done.
    """

    name: str
    endings: tuple[str, ...]
    keyphrases: str = ""
    whole_text: bool = False
    tabular: bool = False
    binary: bool = False
    records: bool = False

    def writer(self) -> Callable[[Any, Iterable[Any]], Pieces]:
        """Return the function that writes keyphrases, loaded now."""
        module, _, function = self.keyphrases.partition(":")
        written: Callable[[Any, Iterable[Any]], Pieces] = getattr(
            importlib.import_module(f"keywright.faces.cli.{module}"), function
        )
        return written


TABLE: Final = OutputFormat("table", (".txt",), "results:tables", whole_text=True)
JSON: Final = OutputFormat("json", (".json",), "finished_results:json_list", records=True)
JSONL: Final = OutputFormat("jsonl", (".jsonl", ".ndjson"), "finished_results:json_lines", records=True)
CSV: Final = OutputFormat("csv", (".csv",), "result_tables:comma_separated", tabular=True)
TSV: Final = OutputFormat("tsv", (".tsv", ".tab"), "result_tables:tab_separated", tabular=True)
MARKDOWN: Final = OutputFormat("markdown", (".md", ".markdown"), "keyphrase_files:markdown")
LATEX: Final = OutputFormat("latex", (".tex",), "keyphrase_files:latex")
PARQUET: Final = OutputFormat("parquet", (".parquet",), "result_tables:parquet", tabular=True, binary=True)
XLSX: Final = OutputFormat("xlsx", (".xlsx",), "result_tables:spreadsheet", tabular=True, binary=True)
HTML: Final = OutputFormat("html", (".html", ".htm"), "results:web_page", whole_text=True)

BIBTEX: Final = OutputFormat("bib", (".bib",), "bibliographic_files:bibtex")
RIS: Final = OutputFormat("ris", (".ris",), "bibliographic_files:ris")
JSON_LD: Final = OutputFormat("jsonld", (".jsonld",), "bibliographic_files:json_ld")
CSL_JSON: Final = OutputFormat("csl", (".csl.json", ".csljson"), "bibliographic_files:csl_json")
TURTLE: Final = OutputFormat("turtle", (".ttl",), "bibliographic_files:turtle")
MARC: Final = OutputFormat("marc", (".mrc", ".marc"), "bibliographic_files:marc", binary=True)
MARCXML: Final = OutputFormat("marcxml", (".marc.xml", ".marcxml", ".xml"), "bibliographic_files:marcxml")
JATS: Final = OutputFormat("jats", (".jats.xml", ".xml"), "bibliographic_files:jats")
DUBLIN_CORE: Final = OutputFormat("dc", (".dc.xml", ".xml"), "bibliographic_files:dublin_core")

LABELLED: Final = OutputFormat("labelled", (".jsonl",), "labelled_files:labelled", whole_text=True)
RECORDS: Final = (BIBTEX, RIS, CSL_JSON, JSON_LD, TURTLE, MARC, MARCXML, JATS, DUBLIN_CORE)
"""Formats of bibliographic records."""
KEYPHRASES: Final = (TABLE, JSON, JSONL, CSV, TSV, MARKDOWN, LATEX, HTML, PARQUET, XLSX, *RECORDS)
"""Formats of extracted keyphrases."""
REVIEWED: Final = (LABELLED, *RECORDS)
"""Formats of reviewed keyphrases."""
REPORTS: Final = (TABLE, JSON, CSV, TSV, MARKDOWN, LATEX, HTML)
"""Formats of scores, comparisons and reproduced tables."""
LINES: Final = (JSONL,)
"""Formats of scores of summaries."""
PAGES: Final = (HTML,)
"""Formats of pages."""

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


def chosen_format(
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
        return format_named(formats, name)
    if output is None or not output.suffix or not is_file_name(output):
        return formats[0]
    return _by_ending(formats, output)


def format_named(formats: Sequence[OutputFormat], name: str) -> OutputFormat:
    """Return a format by its name, or by an ending that no other format has, such as ``md``.

    Raises:
        UnknownName: there is no such format.
    """
    matches = [form for form in formats if name == form.name or f".{name}" in form.endings]
    if len(matches) == 1:
        return matches[0]
    names = ", ".join(form.name for form in formats)
    raise UnknownName(f"no output format called {name!r} here", f"expected one of: {names}")


def check_ending(
    formats: Sequence[OutputFormat], output: Path | None, inputs: Iterable[object] = (), *, force: bool
) -> None:
    """Check a file that is written in one of some formats; any name without an ending will do.

    Raises:
        BadParameter: the file exists or cannot be written, or its ending belongs to another format.
    """
    check_new(output, inputs, force=force)
    if output is not None and output.suffix and is_file_name(output):
        _by_ending(formats, output)


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


def with_tabs(text: str) -> str:
    """Return CSV with tabs in place of commas."""
    rows = io.StringIO()
    csv.writer(rows, delimiter="\t", lineterminator="\n").writerows(csv.reader(io.StringIO(text)))
    return rows.getvalue()


def _by_ending(formats: Sequence[OutputFormat], output: Path) -> OutputFormat:
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
