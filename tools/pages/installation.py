"""Write the page on installation from stored sizes.

python benchmarks/sizes/run.py --json benchmarks/results/sizes.json    (make sizes)
python -m tools.pages.installation          writes docs/reference/installation.md
python -m tools.pages.installation --check  exits with status 1 if it differs
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

from tools.pages.writing import write_or_check

from keywright.core import VERSION

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "reference" / "installation.md"
RESULTS: Final = ROOT / "benchmarks" / "results" / "sizes.json"
EXTRAS: Final = {
    "llm": "language models and embeddings behind an address",
    "collection": "clusters and maps of the phrases of many documents, and BibTeX",
    "marc": "records of MARC",
    "mcp": "tools for assistants",
    "formats": "RTF, LaTeX, reStructuredText, AsciiDoc, Org, MediaWiki, DocBook, FB2: pandoc",
    "html": "HTML pages without an article element: trafilatura finds the main text of more of them",
    "tables": "tables of pandas, polars or pyarrow, which you install, and XLSX",
    "parquet": "Parquet files",
    "skos": "thesauri in Turtle, RDF/XML, N-Triples and JSON-LD",
    "graphs": "systems that rank graphs or cluster candidates, such as `textrank`, `topicrank` and `buap`",
    "scripts": "words of Chinese, Japanese, Thai, Lao, Khmer and Burmese texts",
    "korean": "Korean nouns without their particles",
    "lemmas": "lemmas of Polish, Czech and other languages without a stemmer; of labels in nine more",
    "arabic": "lemmas and part-of-speech tags of Arabic",
    "onnx": "generators of keyphrases that were exported, without torch",
    "embed": "`embedrank` and protocols that compare meanings",
    "eval": "plots and pages, calibration measures, t and Wilcoxon tests, partial credit, BLEU and chrF",
    "train": "training systems, fitting calibrators, guarantees, adapting the default",
    "tags": "part-of-speech tags of English, for systems such as `textrank`",
    "serve": "the HTTP service, `keywright serve`",
    "neural": "generators of keyphrases: training, running and exporting them",
    "all": "everything above",
}
"""What each extra is for."""
_SKIPPED: Final = "Python alone"


def page() -> str:
    """Return the whole page."""
    stored = json.loads(RESULTS.read_text("utf-8"))
    rows = stored["rows"]
    values = {
        "version": VERSION,
        "extras": extras(rows),
        "tools": tools(rows),
        "python": f"Python {stored['python']}",
        "platform": stored["platform"],
        "characters": f"{stored['text_characters']:,}",
        "bare": f"{rows[_SKIPPED]['import_seconds']:.2f}",
        "wheel": f"{stored['wheel_megabytes']:g}",
    }
    text = (Path(__file__).parent / "installation.md").read_text("utf-8")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def extras(rows: dict[str, Any]) -> str:
    """Return the table of extras."""
    lines = ["| extra | is needed for | MB |", "|---|---|---|", f"| (core) | | {_size(rows['keywright'])} |"]
    lines += [f"| `{name}` | {use} | {_size(rows[f'keywright[{name}]'])} |" for name, use in EXTRAS.items()]
    return "\n".join(lines)


def tools(rows: dict[str, Any]) -> str:
    """Return the table of tools."""
    lines = ["| tool | MB | packages | import, s | first keyphrases, s | |", "|---|---|---|---|---|---|"]
    shown = {name: row for name, row in rows.items() if not name.startswith("keywright[") or name == "keywright[all]"}
    for name, row in shown.items():
        if name != _SKIPPED:
            seconds = " | ".join(_seconds(row.get(key)) for key in ("import_seconds", "first_seconds"))
            packages = row.get("packages", "–")
            lines.append(f"| {_named(name, row)} | {_size(row)} | {packages} | {seconds} | {row['note']} |")
    return "\n".join(lines)


def _named(name: str, row: dict[str, Any]) -> str:
    """Return a tool's name with the versions of its packages."""
    versions = ", ".join(f"{package} {version}" for package, version in row.get("versions", {}).items())
    return f"{name} ({versions})" if versions and not name.startswith("keywright") else name


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _size(row: dict[str, Any]) -> str:
    return f"{row['megabytes']:,.0f}" if "megabytes" in row else "–"


if __name__ == "__main__":
    write_or_check({PAGE: page()}, check="--check" in sys.argv[1:])
