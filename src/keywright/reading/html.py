"""HTML pages: the main text without navigation, scripts and styles; nothing is downloaded."""

from collections.abc import Iterator
from typing import Final

from keywright.core.documents import Document, SectionKind
from keywright.core.errors import EmptyInput
from keywright.core.extras import installing
from keywright.reading.blocks import (
    Block,
    Heading,
    LeftOut,
    Particulars,
    blocks_under,
    from_blocks,
    with_run_in_headings,
)
from keywright.reading.citations import html_citation
from keywright.reading.encodings import declared_encoding, decode
from keywright.reading.formats import Limits
from keywright.reading.headings import split_keywords, unique
from keywright.reading.html_text import APART, BLOCKS, FURNITURE, HEADINGS, has_trafilatura, main_text
from keywright.reading.xml import LANGUAGE, Element, count_text, local, running_text

_KEYWORD_NAMES: Final = frozenset(
    {"keywords", "citation_keywords", "dc.subject", "dcterms.subject", "article:tag", "news_keywords", "parsely-tags"}
)
_TITLE_NAMES: Final = ("citation_title", "dc.title", "og:title")
_NO_TEXT: Final = frozenset({"script", "style", "noscript", "template", "svg", "math", "head"})
_PLAINLY: Final = "menus and the like were left out by a plain rule; the extra html recognises more"
_OPENING: Final = 40  # letters and digits by which a text is recognised whatever became of its spaces; arbitrary
_OPENING_SAMPLE: Final = 3 * _OPENING  # characters in which they are looked for; arbitrary


def read_html(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in an HTML page.

    Tables, code blocks, navigation and page furniture are left out. Keywords come from the page's ``meta`` elements,
    and so do authors, DOI, journal and year (``citation_author`` and the like).
    """
    limits.check_file(len(data), name)
    text, notes = decode(data, name, declared_encoding(data))
    page = _parse(text, name)
    for element in list(page.iter(*_NO_TEXT - {"head"})):
        try:
            element.drop_tree() if hasattr(element, "drop_tree") else None
        except ValueError:  # the text behind it holds a character such as &#1;, which lxml reads and does not move
            element.clear(keep_tail=True)
    left = LeftOut()
    for table in page.iter("table"):
        left.add("table", count_text(table))
    for listing in page.iter("pre"):
        left.add("code block", count_text(listing))
    metas = _metas(page)
    title = _title(page, metas)
    blocks = list(with_run_in_headings(blocks_under(_parts(page, title))))
    keywords = unique(part for key, value in metas if key in _KEYWORD_NAMES for part in split_keywords(value))
    about = Particulars(page.get("lang") or page.get(LANGUAGE), tuple(keywords), html_citation(title, metas).as_meta())
    body = page.find("body")
    total = count_text(body) if body is not None else 0
    left.characters = max(total - sum(len(block.text) for block in blocks), 0)
    document = from_blocks(blocks, name, limits, left, about)
    if left.characters and not has_trafilatura():
        return document.warned(*notes, f"{_PLAINLY}: {installing('html')}")
    return document.warned(*notes)


def _parse(text: str, name: str) -> Element:
    from lxml import etree, html  # noqa: PLC0415 - heavy, only HTML needs it

    if not text.strip():
        raise EmptyInput(f"{name} is empty", "give a page with text")
    try:  # bytes, because lxml refuses a declaration of an encoding in a string
        parser = html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, huge_tree=False)
        return html.document_fromstring(text.encode("utf-8", errors="replace"), parser=parser)
    except (etree.ParserError, ValueError) as error:
        raise EmptyInput(f"{name} holds no text: {error}", "give a page with text") from error


def _metas(page: Element) -> list[tuple[str, str]]:
    """Return names, in lower case, and contents of the page's ``meta`` elements."""
    named = [
        ((meta.get("name") or meta.get("property") or "").lower(), meta.get("content")) for meta in page.iter("meta")
    ]
    return [(key, value) for key, value in named if key and value]


def _title(page: Element, metas: list[tuple[str, str]]) -> str:
    headings = [running_text(heading) for heading in page.iter("h1")]
    if len(headings) == 1 and headings[0]:
        return headings[0]
    for wanted in _TITLE_NAMES:
        for key, value in metas:
            if key == wanted:
                return " ".join(value.split())
    return next((text for element in page.iter("title") if (text := running_text(element))), "")


def _parts(page: Element, title: str) -> Iterator[Heading | Block]:
    """Yield headings and paragraphs of the main text; of all text on pages too small to have one.

    The main text lacks headings and captions of many pages; so the page itself is walked, and a heading stays when a
    paragraph of the main text follows it.
    """
    yield Block(SectionKind.TITLE, title)
    walked = list(_blocks(page))
    main = main_text(page)
    if main:
        openings = frozenset(map(_opening, main))
        walked = [
            part
            for part in walked
            if isinstance(part, Heading) or part.kind == SectionKind.CAPTION or _opening(part.text) in openings
        ]
    if 2 * sum(len(part.text) for part in walked if isinstance(part, Block)) < sum(map(len, main)):
        walked = [Block(SectionKind.BODY, text) for text in main]  # most was missed: a page of another shape
    pending: list[Heading] = []
    for part in walked:
        if isinstance(part, Heading):
            pending = [*(above for above in pending if above.level < part.level), part]
        elif part.text != title:
            yield from (heading for heading in pending if heading.text != title)
            pending = []
            yield part


def _blocks(page: Element) -> Iterator[Heading | Block]:
    for element in page.iter(*BLOCKS):
        if any(local(above) in FURNITURE for above in element.iterancestors()):
            continue
        text = running_text(element, BLOCKS | APART)
        if text and element.tag in HEADINGS:
            yield Heading(text, int(element.tag[1]))
        elif text:
            yield Block(SectionKind.CAPTION if element.tag == "figcaption" else SectionKind.BODY, text)


def _opening(text: str) -> str:
    return "".join(filter(str.isalnum, text[:_OPENING_SAMPLE]))[:_OPENING]
