"""Formats of output: one entry for each, with the endings of files that choose it and the function that writes it."""

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from keywright.core.errors import UnknownName

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
            importlib.import_module(f"keywright.faces.outputs.{module}"), function
        )
        return written


TABLE: Final = OutputFormat("table", (".txt",), "results:write_tables", whole_text=True)
JSON: Final = OutputFormat("json", (".json",), "results:write_json", records=True)
JSONL: Final = OutputFormat("jsonl", (".jsonl", ".ndjson"), "results:write_json_lines", records=True)
CSV: Final = OutputFormat("csv", (".csv",), "result_tables:write_csv", tabular=True)
TSV: Final = OutputFormat("tsv", (".tsv", ".tab"), "result_tables:write_tsv", tabular=True)
MARKDOWN: Final = OutputFormat("markdown", (".md", ".markdown"), "result_tables:write_markdown")
LATEX: Final = OutputFormat("latex", (".tex",), "result_tables:write_latex")
PARQUET: Final = OutputFormat("parquet", (".parquet",), "result_tables:write_parquet", tabular=True, binary=True)
XLSX: Final = OutputFormat("xlsx", (".xlsx",), "result_tables:write_xlsx", tabular=True, binary=True)
HTML: Final = OutputFormat("html", (".html", ".htm"), "results:write_page", whole_text=True)

BIBTEX: Final = OutputFormat("bib", (".bib",), "bibliographic_files:write_bibtex")
RIS: Final = OutputFormat("ris", (".ris",), "bibliographic_files:write_ris")
JSON_LD: Final = OutputFormat("jsonld", (".jsonld",), "bibliographic_files:write_json_ld")
CSL_JSON: Final = OutputFormat("csl", (".csl.json", ".csljson"), "bibliographic_files:write_csl_json")
TURTLE: Final = OutputFormat("turtle", (".ttl",), "bibliographic_files:write_turtle")
MARC: Final = OutputFormat("marc", (".mrc", ".marc"), "bibliographic_files:write_marc", binary=True)
MARCXML: Final = OutputFormat("marcxml", (".marc.xml", ".marcxml", ".xml"), "bibliographic_files:write_marcxml")
JATS: Final = OutputFormat("jats", (".jats.xml", ".xml"), "bibliographic_files:write_jats")
DUBLIN_CORE: Final = OutputFormat("dc", (".dc.xml", ".xml"), "bibliographic_files:write_dublin_core")

LABELLED: Final = OutputFormat("labelled", (".jsonl",), "results:write_labelled", whole_text=True)
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


def find_format(formats: Sequence[OutputFormat], name: str) -> OutputFormat:
    """Return a format by its name, or by an ending that no other format has, such as ``md``.

    Raises:
        UnknownName: there is no such format.
    """
    matches = [form for form in formats if name == form.name or f".{name}" in form.endings]
    if len(matches) == 1:
        return matches[0]
    names = ", ".join(form.name for form in formats)
    raise UnknownName(f"no output format called {name!r} here", f"expected one of: {names}")
