"""Formats of output: one entry for each, with the endings of files that choose it and the function that writes it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from pkgutil import resolve_name
from typing import Any, Final, TypeAlias

from keywright.core.errors import UnknownName

Pieces: TypeAlias = Iterator[str] | Iterator[bytes]  # output piece by piece, written while the work continues

_JSON, _XML, _HTML, _CSV = "application/json", "application/xml", "text/html; charset=utf-8", "text/csv; charset=utf-8"
_BYTES: Final = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """A format of output."""

    name: str  # value of ``--format``
    title: str  # name for people
    # endings of files that choose it, in lower case; several formats may share all but the first
    endings: tuple[str, ...]
    media_type: str = _BYTES  # media type of its files, as a browser saves them
    # ``module:function`` of this package that writes keyphrases in it: from a ``Writer`` and its results to pieces
    # of text; empty where keyphrases are not written in it
    keyphrases: str = ""
    _: KW_ONLY
    # whether the function takes outcomes and the name of the people who reviewed them instead
    bibliographic: bool = False
    whole_text: bool = False  # whether keyphrases are written with the documents, which are kept for that
    tabular: bool = False  # whether keyphrases are rows, of one or of many columns
    binary: bool = False  # whether the pieces are bytes
    records: bool = False  # whether they are made of JSON records, which are finished where the work is done

    def writer(self) -> Callable[..., Iterator[Any]]:
        """Return the function that writes keyphrases, loaded now."""
        writer: Callable[..., Iterator[Any]] = resolve_name(f"keywright.faces.outputs.{self.keyphrases}")
        return writer


TABLE: Final = OutputFormat("table", "Table", (".txt",), _BYTES, "results:write_tables", whole_text=True)
JSON: Final = OutputFormat("json", "JSON", (".json",), _JSON, "results:write_json", records=True)
JSONL: Final = OutputFormat(
    "jsonl", "JSON Lines", (".jsonl", ".ndjson"), _BYTES, "results:write_json_lines", records=True
)
CSV: Final = OutputFormat("csv", "CSV", (".csv",), _CSV, "result_tables:write_csv", tabular=True)
TSV: Final = OutputFormat("tsv", "TSV", (".tsv", ".tab"), _BYTES, "result_tables:write_tsv", tabular=True)
MARKDOWN: Final = OutputFormat("markdown", "Markdown", (".md", ".markdown"), _BYTES, "result_tables:write_markdown")
LATEX: Final = OutputFormat("latex", "LaTeX", (".tex",), _BYTES, "result_tables:write_latex")
PARQUET: Final = OutputFormat(
    "parquet", "Parquet", (".parquet",), _BYTES, "result_tables:write_parquet", tabular=True, binary=True
)
XLSX: Final = OutputFormat(
    "xlsx", "Excel (XLSX)", (".xlsx",), _BYTES, "result_tables:write_xlsx", tabular=True, binary=True
)
PDF: Final = OutputFormat(
    "pdf", "PDF with marks", (".pdf",), "application/pdf", "results:write_marked_pdf", whole_text=True, binary=True
)
HTML: Final = OutputFormat("html", "HTML", (".html", ".htm"), _HTML, "results:write_page", whole_text=True)

RECORDS: Final = tuple(
    OutputFormat(name, title, endings, media_type, function, bibliographic=True, binary=name == "marc")
    for name, title, endings, media_type, function in (
        ("bib", "BibTeX", (".bib",), _BYTES, "citation_formats:write_bibtex"),
        ("ris", "RIS", (".ris",), _BYTES, "citation_formats:write_ris"),
        ("csl", "CSL-JSON", (".csl.json", ".csljson"), _JSON, "citation_formats:write_csl_json"),
        ("jsonld", "JSON-LD", (".jsonld",), _BYTES, "metadata_formats:write_json_ld"),
        ("turtle", "Turtle", (".ttl",), _BYTES, "metadata_formats:write_turtle"),
        ("marc", "MARC", (".mrc", ".marc"), _BYTES, "metadata_formats:write_marc21"),
        ("marcxml", "MARCXML", (".marc.xml", ".marcxml", ".xml"), _XML, "metadata_formats:write_marcxml"),
        ("jats", "JATS", (".jats.xml", ".xml"), _XML, "metadata_formats:write_jats"),
        ("dc", "Dublin Core", (".dc.xml", ".xml"), _XML, "metadata_formats:write_dublin_core"),
    )
)
"""Formats of bibliographic records."""

LABELLED: Final = OutputFormat(
    "labelled", "Labelled documents", (".jsonl",), _BYTES, "results:write_labelled", whole_text=True
)
KEYPHRASES: Final = (TABLE, JSON, JSONL, CSV, TSV, MARKDOWN, LATEX, HTML, PARQUET, XLSX, PDF, *RECORDS)
"""Formats of extracted keyphrases."""
REVIEWED: Final = (LABELLED, *RECORDS)  # Formats of reviewed keyphrases
REPORTS: Final = (TABLE, JSON, CSV, TSV, MARKDOWN, LATEX, HTML)  # Formats of scores, comparisons and reproduced tables
LINES: Final = (JSONL,)  # Formats of scores of summaries
GRAPHML: Final = OutputFormat("graphml", "GraphML", (".graphml",), _XML)
GEXF: Final = OutputFormat("gexf", "GEXF", (".gexf",), _XML)
VOSVIEWER: Final = OutputFormat("vosviewer", "VOSviewer", (".vosviewer",))
COLLECTIONS: Final = (TABLE, HTML, JSON, CSV, GRAPHML, GEXF, VOSVIEWER)
"""Formats of collections; VOSviewer's are two files in a folder."""
PAGES: Final = (HTML,)  # Formats of pages


def find_format(formats: Sequence[OutputFormat], name: str) -> OutputFormat:
    """Return a format by its name, or by an ending that no other format has, such as ``md``."""
    matches = [form for form in formats if name == form.name or f".{name}" in form.endings]
    if len(matches) == 1:
        return matches[0]
    names = ", ".join(form.name for form in formats)
    raise UnknownName(f"no output format called {name!r} here", f"expected one of: {names}")
