"""Main text of an HTML page, without menus and page furniture: by trafilatura where it is installed, else plainly.

The plain manner looks in the page's one article or main element, if it declares one; elsewhere it judges each block by
its own words and links and by the words of its neighbours (Kohlschütter, Fankhauser and Nejdl 2010: Boilerplate
detection using shallow text features, algorithm 2).
"""

import importlib.util
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from keywright.reading.xml import Element, local, running_text

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BLOCKS: Final = HEADINGS.union("body p li dt dd blockquote figcaption div section article main ul ol".split())
"""Elements whose own text is a block."""
APART: Final = frozenset({"table", "pre", "form", "button", "nav", "aside", "footer", "figure"})
"""Elements whose text is not part of the block around them."""
FURNITURE: Final = frozenset({"nav", "aside", "footer", "form", "table", "pre"})
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
_MOST: Final = 0.5
"""Share of a page's text that its main element has, and a part of the furniture has not; arbitrary."""
_LINKED: Final = 0.333333
"""Highest share of a block's text in links; this number and those that follow are those of the paper's tree."""
_LINKED_BEFORE: Final = 0.555556
"""Highest share of links in the block before, where that block says nothing against this one; of the paper."""
_LONG: Final = 16
"""Words above which a block is content; of the paper."""
_LONG_AFTER_LINKS: Final = 40
"""The same after a block of links; of the paper."""
_LONG_NEXT: Final = 15
"""Words of the next block above which a block is content; of the paper."""
_LONG_NEXT_AFTER_LINKS: Final = 17
"""The same after a block of links; of the paper."""
_SHORT_BEFORE: Final = 4
"""Words of the block before above which a block is content; of the paper."""


def main_text(page: Element) -> list[str]:
    """Return the paragraphs, list items and headings of the main text; none for a page too small to have one."""
    return _by_trafilatura(page) if has_trafilatura() else [block.text for block in plain_main_blocks(page)]


@cache
def has_trafilatura() -> bool:
    """Return whether the extra html is installed."""
    return importlib.util.find_spec("trafilatura") is not None


def _by_trafilatura(page: Element) -> list[str]:
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


class TextBlock(NamedTuple):
    """Text of an element without that of blocks inside it, its number of words, and the share of it in links."""

    text: str
    words: int
    linked: float


_NONE: Final = TextBlock("", 0, 0.0)


def plain_main_blocks(page: Element) -> list[TextBlock]:
    """Return the blocks of the main text by lxml alone."""
    body = page.find("body")
    if body is None:
        return []
    size = len(running_text(body))
    within = _declared(body, size)
    blocks = list(_text_blocks(body if within is None else within, size))
    if within is not None:
        return [block for block in blocks if block.linked <= _LINKED]
    neighbours = zip([_NONE, *blocks], blocks, [*blocks[1:], _NONE], strict=False)
    return [block for before, block, following in neighbours if _is_content(before, block, following)]


def _declared(body: Element, size: int) -> Element | None:
    """Return the only article, or else the only main element, if it has most of the text; else None."""
    for elements in (body.xpath(".//article"), body.xpath(".//main | .//*[@role='main']")):
        if len(elements) == 1 and len(running_text(elements[0])) > _MOST * size:
            return elements[0]
    return None


def _is_content(before: TextBlock, block: TextBlock, following: TextBlock) -> bool:
    """Return whether a block is content: the decision tree of the paper."""
    if block.linked > _LINKED:
        return False
    if before.linked > _LINKED_BEFORE:
        return block.words > _LONG_AFTER_LINKS or following.words > _LONG_NEXT_AFTER_LINKS
    return block.words > _LONG or following.words > _LONG_NEXT or before.words > _SHORT_BEFORE


def _text_blocks(within: Element, size: int) -> Iterator[TextBlock]:
    """Yield the blocks of text in reading order, without page furniture."""
    furniture = {element for element in within.iter() if element is not within and _is_furniture(element, size)}
    for element in within.iter(*BLOCKS):
        if furniture.isdisjoint(ancestors(element, within)) and (text := running_text(element, BLOCKS | APART)):
            plain = len(running_text(element, BLOCKS | APART | {"a"}))
            yield TextBlock(text, len(text.split()), 1 - plain / len(text))


def ancestors(element: Element, within: Element) -> Iterable[Element]:
    """Yield an element and those around it, up to ``within``."""
    while element is not None and element is not within:
        yield element
        element = element.getparent()


def _is_furniture(element: Element, size: int) -> bool:
    """Return whether an element is not part of the text, by its tag, role, class or id, or because it is hidden."""
    if local(element) in FURNITURE:
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
