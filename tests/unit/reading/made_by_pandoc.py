"""The example in Markdown in each format that pandoc reads, written by pandoc."""

import os
import subprocess
from functools import cache
from pathlib import Path

from keywright.reading.formats.pandoc import find_pandoc

EXAMPLES = Path(__file__).parents[3] / "examples"
FORMATS = {
    "epub": "epub",
    "odt": "odt",
    "pptx": "pptx",
    "rtf": "rtf",
    "tex": "latex",
    "rst": "rst",
    "adoc": "asciidoc",
    "org": "org",
    "mediawiki": "mediawiki",
    "dbk": "docbook5",
}
"""Endings of files, and pandoc's names of the formats."""


@cache
def make_file(ending: str, source: str = "article.md") -> bytes:
    """Return an example in the format of an ending; the bytes are the same each time."""
    command = (find_pandoc(), "--standalone", "--metadata=identifier=1", f"--to={FORMATS[ending]}", "--output=-")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}
    return subprocess.run((*command, EXAMPLES / source), check=True, capture_output=True, env=environment).stdout
