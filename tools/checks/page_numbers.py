"""Move each number of page reading by a fifth, and write what becomes of labelled pages, as CSV.

    KEYWRIGHT_MIRROR=../shared/data python tools/checks/page_numbers.py [FOLDER] > docs/explanation/page-numbers.csv

Bare text: the SemEval-2010 training papers, with the boundaries of ``section_report.py`` on those a person marked, and
the texts of ``hand_checked_titles.jsonl``. Printed pages: the PDFs of ``docs_sample`` and the project's example, with
other forms of the same papers as labels, and those of FOLDER, each with a JSON list of ``[kind, text]`` beside it
(``typeset_pages.py`` makes them). Numbers are moved in this process only.
"""

import csv
import io
import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from section_report import CHECKED, judge, training_papers

from keywright.core.documents import Document, SectionKind
from keywright.core.zstandard import zstd
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.formats import format_of
from keywright.reading.layout.glyphs import find_style
from keywright.reading.limits import Limits
from keywright.reading.page_numbers import PRINT, TEXT

ROOT: Final = Path(__file__).parents[2]
LABELS: Final = {
    "acl_N18-3011_twocol.pdf": "acl_N18-3011.tei.xml",
    "deep_rules_onecol.pdf": "deep_rules.html",
    "juliacon_00129_twocol.pdf": "",
    "article.pdf": "",
}
"""PDFs, and the other form of each."""
RUN: Final = 4  # words in a row that count as text that was found; fewer occur by chance

Blocks = list[tuple[str, str]]


def main() -> None:
    """Write a row for each number: what changes with a fifth less of it, and with a fifth more."""
    mirror = Path(os.environ["KEYWRIGHT_MIRROR"])
    pages = list(labelled_pages(mirror, Path(sys.argv[1]) if sys.argv[1:] else None))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(
        ["number", "value", *(f"{sign}20%: {name}" for sign in "-+" for name in ("documents changed", *NAMES))]
    )
    tables = (("TextNumbers", TEXT, lambda: bare_text(mirror)), ("PrintNumbers", PRINT, lambda: printed(pages)))
    for title, table, measure in tables:
        base, before = measure()
        out.writerow([f"all of {title}", f"{len(base)} documents", *(["", *before] * 2)])
        for name, value in list(vars(table).items()):
            row: list[Any] = [f"{title}.{name}", value]
            for factor in (0.8, 1.2):
                setattr(table, name, moved(value, factor))
                try:
                    documents, after = measure()
                finally:
                    setattr(table, name, value)
                differences = (round(new - old, 4) for old, new in zip(before, after, strict=True))
                row += [sum(new != old for old, new in zip(base, documents, strict=True)), *differences]
            out.writerow(row)
            sys.stdout.flush()


NAMES: Final = ("boundaries or labelled text", "titles or text that is labelled")
"""Two measures: of bare text right boundaries and titles, of printed pages recall and precision of labelled text."""


def moved(value: float, factor: float) -> float:
    """Return a number moved by a factor; whole numbers by at least 1."""
    if isinstance(value, int):
        return value + max(1, round(abs(value) * 0.2)) * (1 if factor > 1 else -1)
    return value * factor


def bare_text(mirror: Path) -> tuple[list[Any], tuple[float, float]]:
    """Return the sections of all bare texts, and the share of boundaries and titles that are right."""
    papers, titled = _papers(mirror), _titled(mirror)
    documents = {name: Document(name, text, find_sections(text)) for name, text in papers.items()}
    truths = [json.loads(line) for line in CHECKED.read_text("utf-8").splitlines()]
    right = [fine for truth in truths for fine in judge(truth, documents[truth["id"]]).values()]
    read = [Document("", text, find_sections(text)) for text, _ in titled]
    titles = [
        " ".join((document.section(SectionKind.TITLE) or "").split()) == (title or "")
        for document, (_, title) in zip(read, titled, strict=True)
    ]
    sections = [document.sections for document in (*documents.values(), *read)]
    return sections, (sum(right) / len(right), sum(titles) / len(titles))


_papers = cache(training_papers)


@cache
def _titled(mirror: Path) -> list[tuple[str, str | None]]:
    """Return the texts whose titles a person marked, and these."""
    lines = CHECKED.with_name("hand_checked_titles.jsonl").read_text("utf-8").splitlines()
    truths = {(truth["file"], truth["id"]): truth["title"] for truth in map(json.loads, lines)}
    texts = []
    for file in sorted({file for file, _ in truths}):
        stream = zstd.open(io.BytesIO((mirror / file).read_bytes()))
        records = map(json.loads, io.TextIOWrapper(stream, "utf-8"))
        texts += [(record["text"], truths[file, record["id"]]) for record in records if (file, record["id"]) in truths]
    return texts


def labelled_pages(mirror: Path, folder: Path | None) -> Iterator[tuple[Path, Blocks]]:
    """Yield PDFs with the kinds and texts that are in them; no labels for some."""
    for place in (ROOT / "examples", mirror / "docs_sample"):
        for name, other in LABELS.items():
            if (place / name).is_file():
                yield place / name, blocks_of(read(place / other)) if other else []
    for path in sorted(folder.glob("*.pdf")) if folder else ():
        yield path, [tuple(block) for block in json.loads(path.with_suffix(".json").read_text("utf-8"))]


def printed(pages: list[tuple[Path, Blocks]]) -> tuple[list[Any], tuple[float, float]]:
    """Return what is read of all PDFs, and recall and precision of labelled text, in runs of words by kind."""
    results: list[Any] = []
    common = labelled = total = 0
    find_style.cache_clear()  # styles of fonts depend on a number
    for path, labels in pages:
        expected, runs = _runs(labels), set()
        try:
            document = read(path)
        except Exception as error:  # noqa: BLE001 - a number can be moved too far
            results.append(repr(error))
        else:
            results.append((document.text, document.sections, document.warnings))
            runs = _runs(blocks_of(document)) if labels else runs
        common, labelled, total = common + len(expected & runs), labelled + len(expected), total + len(runs)
    return results, (common / labelled, common / total)


def read(path: Path) -> Document:
    """Return the document of a file."""
    data = path.read_bytes()
    return cast("Document", next(format_of(data, path.name).read(data, path.name, Limits())))


def blocks_of(document: Document) -> Blocks:
    """Return the parts of a document with their kinds; body is between the sections."""
    blocks, at = [], 0
    for section in document.sections:
        blocks += [
            ("body", document.text[at : section.start]),
            (section.kind, document.text[section.start : section.end]),
        ]
        at = section.end
    return [*blocks, ("body", document.text[at:])]


def _runs(blocks: Blocks) -> set[tuple[str, ...]]:
    """Return runs of words with their kind, where headings and the kinds of running text count as one."""
    runs = set()
    for kind, text in blocks:
        apart = kind if kind in {"title", "authors", "abstract", "references", "caption"} else "text"
        words = "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()
        runs |= {(apart, *words[at : at + RUN]) for at in range(len(words) - RUN + 1)}
    return runs


if __name__ == "__main__":
    main()
