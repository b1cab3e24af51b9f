"""Typeset texts whose sections are known as PDFs, in five styles in turn, with labels for ``page_numbers.py``.

    pip install typst
    KEYWRIGHT_MIRROR=../shared/data python tools/checks/typeset_pages.py FOLDER

The texts are those of ``docs_sample`` in markup and of six software papers of ``everyday``; running heads, page
numbers, footnotes, tables, formulas and pictures are added, which a reader should leave out. FOLDER gets a PDF for each
text, and beside it a JSON list of ``[kind, text]``.
"""

import io
import json
import os
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from page_numbers import Blocks, blocks_of, read

from keywright.core.zstandard import zstd

SOURCES: Final = ("PMC6398430_jats.xml", "acl_N18-3011.tei.xml", "deep_rules.html")
PAPERS: Final = "everyday/papers_joss.dev.jsonl.zst"
EVERY, MOST = 10, 60  # papers that are taken, of the first ones
HEADING: Final = 40  # characters of a paragraph that is a heading, at most
NOTES, TABLES, FORMULAS = 9, 12, 7  # paragraphs for each footnote, table, formula


class Style(NamedTuple):
    """How a document is set: columns, type, weight of headings, label of references, heading of the abstract."""

    columns: int
    size: float
    font: str
    paper: str
    weight: str
    reference: str
    abstract: str
    numbering: str = '"1.1"'


STYLES: Final = (
    Style(1, 11, "Libertinus Serif", "a4", "bold", "[{}] ", "heading"),
    Style(2, 9, "Libertinus Serif", "us-letter", "bold", "[{}] ", "run-in"),
    Style(2, 10, "New Computer Modern", "a4", "bold", "", "none", "none"),
    Style(1, 12, "New Computer Modern", "us-letter", "regular", "{}. ", "heading", "none"),
    Style(2, 8.5, "Libertinus Serif", "a4", "regular", "[{}] ", "heading"),
)


def main() -> None:
    """Write each text in one of the styles."""
    import typst  # noqa: PLC0415 - only this program needs it

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, blocks) in enumerate(documents(Path(os.environ["KEYWRIGHT_MIRROR"]))):
        source = "\n\n".join(markup(blocks, STYLES[number % len(STYLES)], random.Random(name)))  # noqa: S311 - no secret
        (folder / f"{name}.pdf").write_bytes(typst.compile(source.encode()))
        (folder / f"{name}.json").write_text(json.dumps(blocks, ensure_ascii=False), "utf-8")


def documents(mirror: Path) -> Iterator[tuple[str, Blocks]]:
    """Yield names and labelled paragraphs."""
    for name in SOURCES:
        blocks = blocks_of(read(mirror / "docs_sample" / name))
        parts = ((str(kind), " ".join(part.split())) for kind, text in blocks for part in text.split("\n\n"))
        yield name.partition(".")[0], [part for part in parts if part[1]]
    stream = zstd.open(io.BytesIO((mirror / PAPERS).read_bytes()))
    for number, line in enumerate(stream.read().decode().split("\n")[:MOST:EVERY]):
        record = json.loads(line)
        parts = [" ".join(part.split()) for part in re.split(r"\n\s*\n", record["text"]) if part.strip()]
        body = [("heading" if len(part) < HEADING and part[-1].isalpha() else "body", part) for part in parts]
        yield f"joss{number}", [("title", record["title"]), ("authors", "Ada B. Example and Li Wei"), *body]


def markup(blocks: Blocks, style: Style, chance: random.Random) -> Iterator[str]:
    """Yield the source of a document in the language of typst."""
    running = "#text(8pt)[A study of several things #h(1fr) Journal 12 (2019)]"
    head = f"context {{ if counter(page).get().first() > 1 [{running}] }}"
    yield f'#set page(paper: "{style.paper}", margin: (x: 1.9cm, y: 2.3cm), numbering: "1", header: {head})'
    yield f'#set text(font: "{style.font}", size: {style.size}pt)'
    yield "#set par(justify: true, first-line-indent: 1em, leading: 0.55em, spacing: 0.55em)"
    yield f"#set heading(numbering: {style.numbering})"
    yield f'#show heading: set text({style.size + (style.weight == "bold")}pt, weight: "{style.weight}")'
    front = {kind: _escaped(text) for kind, text in blocks if kind in {"title", "authors"}}
    yield f'#align(center)[#text({style.size * 1.7}pt, weight: "bold")[{front.get("title", "")}]]'
    yield f"#align(center)[{front.get('authors', '')}\\ Department of Things, University of Somewhere]"
    yield f"#columns({style.columns}, gutter: 0.7cm)["
    references = abstracts = paragraphs = 0
    for kind, text in blocks:
        if kind == "abstract":
            abstracts += 1
            heading = {"heading": "#heading(numbering: none)[Abstract]\n", "run-in": "#strong[Abstract—]"}
            yield (heading.get(style.abstract, "") if abstracts == 1 else "") + _escaped(text)
        elif kind == "references":
            references += 1
            label = _escaped(style.reference.format(references))
            yield f"#par(first-line-indent: 0em, hanging-indent: 1.4em)[{label}{_escaped(text)}]"
        elif kind == "heading":
            yield f"= {_escaped(re.sub(r'^[0-9.]+ +', '', text))}"
        elif kind == "caption":
            picture = "rect(width: 70%, height: 3em)[label a #h(1fr) x]"
            yield f"#figure({picture}, supplement: none, numbering: none, caption: [{_escaped(text)}])"
        elif kind not in front:
            paragraphs += 1
            yield _escaped(text) + ("#footnote[A note about this place.]" if paragraphs % NOTES == 1 else "")
            if paragraphs % TABLES == 0:
                cells = ",".join(f"[{chance.random():.3f}]" for _ in range(9))
                yield f"#figure(table(columns: 3, [Method], [P], [R], {cells}), supplement: none, numbering: none)"
            if paragraphs % FORMULAS == 0:
                yield "$ f(x) = sum_(i=1)^n alpha_i k(x, x_i) + b $"
    yield "]"


def _escaped(text: str) -> str:
    return re.sub(r"([\\#$*_`<>@\[\]~/=+\-'\"])", r"\\\1", text)


if __name__ == "__main__":
    main()
