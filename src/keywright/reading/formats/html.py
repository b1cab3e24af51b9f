"""HTML pages: the main text without navigation, scripts and styles; nothing is downloaded.

Menus and page furniture are recognised by trafilatura where it is installed, else by a plain rule: it looks in the
page's one article or main element, if it declares one; elsewhere it judges each block by its own words and links and
by the words of its neighbours (Kohlschütter, Fankhauser and Nejdl 2010: Boilerplate detection using shallow text
features, algorithm 2).
"""

import importlib.util
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from keywright.core.citations import Author, Citation, make_citation
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import EmptyInput, describe_install
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, from_parts
from keywright.reading.encodings import declared_encoding, decode
from keywright.reading.formats.xml import LANGUAGE, Element, count_text, local_name, running_text
from keywright.reading.headings import drop_repeated, split_keywords
from keywright.reading.limits import Limits

_KEYWORD_NAMES: Final = frozenset(
    {"keywords", "citation_keywords", "dc.subject", "dcterms.subject", "article:tag", "news_keywords", "parsely-tags"}
)
_TITLE_NAMES: Final = ("citation_title", "dc.title", "og:title")
_CITED: Final = ("author", "doi", "journal_title", "publication_date", "date", "year")
"""Names of ``citation_...`` elements of pages."""
_NO_TEXT: Final = frozenset({"script", "style", "noscript", "template", "svg", "math"})
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS: Final = _HEADINGS.union("body p li dt dd blockquote figcaption div section article main ul ol".split())
"""Elements whose own text is a block."""
_NOT_OWN: Final = _BLOCKS.union("table pre form button nav aside footer figure".split())
"""Elements whose text is not part of the block around them."""
_FURNITURE: Final = frozenset({"nav", "aside", "footer", "form", "table", "pre"})
"""Elements without any block of the text."""
_ROLES: Final = frozenset("navigation banner contentinfo complementary search dialog menu menubar alert".split())
"""Roles (WAI-ARIA) of parts that are not the text of a page."""
_NAMES: Final = frozenset(
    (
        "nav navbar navigation menu breadcrumb breadcrumbs sidebar footer cookie cookies consent share sharing social "
        "comments related recommended newsletter subscribe promo advert advertisement ads popup modal pagination login"
    ).split()
)
"""Words in classes and ids that name such parts; arbitrary, the usual ones."""
_WORDS_OF_NAMES: Final = re.compile(r"[A-Za-z][a-z]*")
_MOST: Final = 0.5  # share of a page's text that its main element has, and furniture has not; arbitrary
_OPENING: Final = 40  # letters and digits by which a text is recognised whatever became of its spaces; arbitrary
_OPENING_SAMPLE: Final = 3 * _OPENING  # characters in which they are looked for; arbitrary

# The decision tree of the paper: highest shares of a block's text in links, and words above which a block is content.
_LINKED: Final = 0.333333
_LINKED_BEFORE: Final = 0.555556  # in the block before, where that says nothing against this one
_LONG, _LONG_AFTER_LINKS = 16, 40  # words of the block itself, and after a block of links
_LONG_NEXT, _LONG_NEXT_AFTER_LINKS = 15, 17  # words of the next block, and after a block of links
_SHORT_BEFORE: Final = 4  # words of the block before


def read_html(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in an HTML page.

    Tables, code blocks, navigation and page furniture are left out. Keywords come from the page's ``meta`` elements,
    and so do authors, DOI, journal and year (``citation_author`` and the like).
    """
    limits.check_file(len(data), name)
    text, notes = decode(data, name, declared_encoding(data))
    page = _parse(text, name)
    for element in list(page.iter(*_NO_TEXT)):
        try:
            element.drop_tree() if hasattr(element, "drop_tree") else None
        except ValueError:  # the text behind it holds a character such as &#1;, which lxml reads and does not move
            element.clear(keep_tail=True)
    left = LeftOut()
    for tag, what in (("table", "table"), ("pre", "code block")):
        for element in page.iter(tag):
            left.add(what, count_text(element))
    metas = _metas(page)
    title = _title(page, metas)
    parts = list(_parts(page, title))
    keywords = drop_repeated(part for key, value in metas if key in _KEYWORD_NAMES for part in split_keywords(value))
    about = Particulars(page.get("lang") or page.get(LANGUAGE), tuple(keywords), _cite(title, metas).as_meta())
    body = page.find("body")
    total = count_text(body) if body is not None else 0
    left.characters = max(total - sum(len(part.text) for part in parts), 0)
    document = from_parts(parts, name, limits, left, about, run_in=True)
    if left.characters and not has_trafilatura():
        plainly = "menus and the like were left out by a plain rule; the extra html recognises more"
        return document.add_warnings(*notes, f"{plainly}: {describe_install('html')}")
    return document.add_warnings(*notes)


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
    named = (
        ((meta.get("name") or meta.get("property") or "").lower(), meta.get("content")) for meta in page.iter("meta")
    )
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


def _cite(title: str, metas: Sequence[tuple[str, str]]) -> Citation:
    """Return the citation in the elements that publishers write for indexes of papers, with the page's title."""
    values = {name: [value for key, value in metas if key == f"citation_{name}"] for name in _CITED}
    years = (value for name in ("publication_date", "date", "year") for value in values[name])
    doi, journal = (next(iter(values[name]), "") for name in ("doi", "journal_title"))
    return make_citation(title, map(Author.of, values["author"]), doi, journal, next(years, ""))


def _parts(page: Element, title: str) -> Iterator[Heading | Block]:
    """Yield headings and paragraphs of the main text; of all text on pages too small to have one.

    The main text lacks headings and captions of many pages; so the page itself is walked, and a heading stays when a
    paragraph of the main text follows it.
    """
    yield Block(SectionKind.TITLE, title)
    walked = list(_walk(page))
    main = _main_texts(page)
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


def _walk(page: Element) -> Iterator[Heading | Block]:
    for element in page.iter(*_BLOCKS):
        if any(local_name(above) in _FURNITURE for above in element.iterancestors()):
            continue
        text = running_text(element, _NOT_OWN)
        if text and element.tag in _HEADINGS:
            yield Heading(text, int(element.tag[1]))
        elif text:
            yield Block(SectionKind.CAPTION if element.tag == "figcaption" else SectionKind.BODY, text)


def _opening(text: str) -> str:
    return "".join(filter(str.isalnum, text[:_OPENING_SAMPLE]))[:_OPENING]


def _main_texts(page: Element) -> list[str]:
    """Return the paragraphs, list items and headings of the main text; none for a page too small to have one."""
    if not has_trafilatura():
        return [block.text for block in _main_blocks(page)]
    import trafilatura  # noqa: PLC0415 - heavy, an extra, only HTML needs it
    from lxml import etree  # noqa: PLC0415 - the same

    extracted = trafilatura.extract(
        page, output_format="xml", include_tables=False, include_comments=False, favor_recall=True, deduplicate=False
    )
    main = etree.fromstring(extracted.encode()).find("main") if extracted else None
    if main is None:
        return []
    texts = (running_text(element, frozenset({"list", "quote"})) for element in main.iter("p", "head", "item", "quote"))
    return [text for text in texts if text]


@cache
def has_trafilatura() -> bool:
    """Return whether the extra html is installed."""
    return importlib.util.find_spec("trafilatura") is not None


class _TextBlock(NamedTuple):
    """Text of an element without that of blocks inside it, its number of words, and the share of it in links."""

    text: str
    words: int
    linked: float


_NONE: Final = _TextBlock("", 0, 0.0)


def _main_blocks(page: Element) -> list[_TextBlock]:
    body = page.find("body")
    if body is None:
        return []
    size = len(running_text(body))
    within = _find_declared(body, size)
    blocks = list(_text_blocks(body if within is None else within, size))
    if within is not None:
        return [block for block in blocks if block.linked <= _LINKED]
    neighbours = zip([_NONE, *blocks], blocks, [*blocks[1:], _NONE], strict=False)
    return [block for before, block, following in neighbours if _is_content(before, block, following)]


def _find_declared(body: Element, size: int) -> Element | None:
    """Return the only article, or else the only main element, if it has most of the text; else None."""
    for elements in (body.xpath(".//article"), body.xpath(".//main | .//*[@role='main']")):
        if len(elements) == 1 and len(running_text(elements[0])) > _MOST * size:
            return elements[0]
    return None


def _is_content(before: _TextBlock, block: _TextBlock, following: _TextBlock) -> bool:
    if block.linked > _LINKED:
        return False
    if before.linked > _LINKED_BEFORE:
        return block.words > _LONG_AFTER_LINKS or following.words > _LONG_NEXT_AFTER_LINKS
    return block.words > _LONG or following.words > _LONG_NEXT or before.words > _SHORT_BEFORE


def _text_blocks(within: Element, size: int) -> Iterator[_TextBlock]:
    furniture = {element for element in within.iter() if element is not within and _is_furniture(element, size)}
    for element in within.iter(*_BLOCKS):
        around = element
        while around is not None and around is not within and around not in furniture:
            around = around.getparent()
        if (around is None or around is within) and (text := running_text(element, _NOT_OWN)):
            plain = len(running_text(element, _NOT_OWN | {"a"}))
            yield _TextBlock(text, len(text.split()), 1 - plain / len(text))


def _is_furniture(element: Element, size: int) -> bool:
    """Return whether an element is not part of the text, by its tag, role, class or id, or because it is hidden."""
    if local_name(element) in _FURNITURE:
        return True
    named = f"{element.get('class', '')} {element.get('id', '')}"
    apart = (
        element.get("role") in _ROLES
        or element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or any(word.lower() in _NAMES for word in _WORDS_OF_NAMES.findall(named))
    )
    # A frame around everything may be called "with-sidebar".
    return apart and len(running_text(element)) <= _MOST * size
