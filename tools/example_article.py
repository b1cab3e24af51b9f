"""Write the example article in the formats that keywright reads, from ``examples/article.md``.

    pip install typst==0.15.0
    python tools/example_article.py

Typesetting is the only part that needs a library of its own. The PDF has two columns, running heads, page numbers and
hyphenation, as papers do.
"""

import re
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

import docx
import typst
from lxml import etree

EXAMPLES: Final = Path(__file__).parents[1] / "examples"
FRONT: Final = 6  # title, authors, institute, "Abstract", abstract, keywords


class Piece(NamedTuple):
    """A heading of the given level, or a paragraph (level 0)."""

    level: int
    text: str


def pieces(markdown: str) -> list[Piece]:
    """Headings and paragraphs, each on one line."""
    found = []
    for block in markdown.strip().split("\n\n"):
        text = block.lstrip("#")
        found.append(Piece(len(block) - len(text), " ".join(text.split())))
    return found


def as_typst(article: list[Piece]) -> str:
    """The article as a two-column paper."""
    title, authors, institute, _, abstract, keywords = (_plain(piece.text) for piece in article[:FRONT])
    body = "\n\n".join(
        "=" * (piece.level - 1) * bool(piece.level) + " " + _plain(piece.text) for piece in article[FRONT:]
    )
    return f"""
#set document(title: "{title}")
#set page(paper: "a4", margin: (x: 2cm, y: 2.4cm), columns: 2, numbering: "1",
  header: text(8pt)[#emph[Examples of keywright] #h(1fr) Listening for leaks])
#set text(font: "Libertinus Serif", size: 11pt, lang: "en", hyphenate: true)
#set par(justify: true, first-line-indent: 1em)
#show heading: set text(size: 10.5pt)
#place(top + center, scope: "parent", float: true)[
  #text(16pt, weight: "bold", hyphenate: false)[{title}] \\ #text(11pt)[{authors}] \\ #emph[{institute}] #v(6pt)]
= Abstract
{abstract}

#emph[{keywords}]

{body}
"""


def _plain(text: str) -> str:
    """Text without meaning to the typesetter."""
    return re.sub(r"([\\#$*_`<>@\[\]])", r"\\\1", text)


def as_html(article: list[Piece]) -> str:
    """The article as a web page, with the navigation and the footer that pages have."""
    tags = (f"h{piece.level}" if piece.level else "p" for piece in article)
    content = "\n".join(f"<{tag}>{escape(piece.text)}</{tag}>" for tag, piece in zip(tags, article, strict=True))
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{escape(article[0].text)}</title></head>
<body>
<nav><a href="/">Home</a> <a href="/issues">All issues</a> <a href="/subscribe">Subscribe</a></nav>
<article>
{content}
</article>
<footer>Cookie settings. Terms of use.</footer>
</body>
</html>
"""


def as_jats(article: list[Piece]) -> bytes:
    """The article as JATS XML: front matter, nested sections, references."""
    title, authors, _, _, abstract, keywords = (piece.text for piece in article[:FRONT])
    root = etree.Element("article", {"article-type": "research-article"})
    meta = _below(_below(root, "front"), "article-meta")
    _below(_below(meta, "title-group"), "article-title", title)
    for name in authors.split(" and "):
        person = _below(_below(_below(meta, "contrib-group"), "contrib"), "name")
        _below(person, "surname", name.split()[1])
        _below(person, "given-names", name.split()[0])
    _below(_below(meta, "abstract"), "p", abstract)
    words = _below(meta, "kwd-group")
    for word in keywords.removeprefix("Keywords: ").split("; "):
        _below(words, "kwd", word)
    open_sections = [_below(root, "body")]
    back = _below(root, "back")
    for piece in article[FRONT:]:
        here = open_sections[-1]
        if piece.text == "Acknowledgements":
            open_sections = [_below(back, "ack")]
        elif piece.text == "References":
            open_sections = [_below(back, "ref-list")]
        elif piece.level:
            open_sections = open_sections[: piece.level - 1]
            open_sections.append(_below(open_sections[-1], "sec"))
            _below(open_sections[-1], "title", piece.text)
        elif here.tag == "ref-list":
            _below(_below(here, "ref"), "mixed-citation", piece.text)
        elif piece.text.startswith("Figure"):
            _below(_below(_below(here, "fig"), "caption"), "p", piece.text)
        else:
            _below(here, "p", piece.text)
    written: bytes = etree.tostring(root, pretty_print=True, xml_declaration=True, encoding="utf-8")
    return written


def _below(parent: etree._Element, tag: str, text: str | None = None) -> etree._Element:
    """A new last child."""
    child = etree.SubElement(parent, tag)
    child.text = text
    return child


def write_docx(article: list[Piece], path: Path) -> None:
    """The article as a word processor's document, with the styles that it has for titles and headings."""
    document = docx.Document()
    document.core_properties.title = article[0].text
    for piece in article:
        if piece.level:
            document.add_heading(piece.text, piece.level - 1)
        else:
            document.add_paragraph(piece.text)
    document.save(str(path))


def main() -> None:
    """Write the PDF, HTML, JATS and DOCX files beside the Markdown."""
    article = pieces((EXAMPLES / "article.md").read_text(encoding="utf-8"))
    (EXAMPLES / "article.pdf").write_bytes(typst.compile(as_typst(article).encode(), timestamp=0))
    (EXAMPLES / "article.html").write_text(as_html(article), encoding="utf-8")
    (EXAMPLES / "article.xml").write_bytes(as_jats(article))
    write_docx(article, EXAMPLES / "article.docx")


if __name__ == "__main__":
    main()
