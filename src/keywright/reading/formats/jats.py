"""JATS, the XML of journal articles, in all of its tag sets: archiving, publishing, authoring."""

from collections.abc import Iterator
from typing import Final

from keywright.core.documents import Document, SectionKind
from keywright.core.errors import UnsupportedFormat
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, blocks_under, from_blocks
from keywright.reading.citations import jats_citation, jats_title
from keywright.reading.formats.xml import (
    LANGUAGE,
    Element,
    count_text,
    find_children,
    find_first,
    local_name,
    parse_xml,
    running_text,
)
from keywright.reading.limits import Limits

_FORMULAS: Final = frozenset({"tex-math", "annotation", "disp-formula", "graphic", "media", "object-id"})
_LEFT_OUT: Final = {
    "disp-formula": "formula",
    "disp-formula-group": "formula",
    "code": "code listing",
    "preformat": "code listing",
    "fn-group": "group of footnotes",
    "trans-abstract": "translated abstract",
    "supplementary-material": "supplement",
}
_DIVISIONS: Final = frozenset(
    "sec app boxed-text ack notes glossary list list-item def-list def-item def disp-quote app-group".split()
)
_NESTED: Final = frozenset({"list", "disp-quote", "boxed-text", "fig", "table-wrap", "def-list", "verse-group"})


def read_jats(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a JATS file.

    Tables, display formulas, code and footnotes are left out; captions stay. Keywords are those of the authors;
    ``meta`` has title, authors, DOI, journal and year.
    """
    root = parse_xml(data, name, limits)
    article = root if local_name(root) == "article" else next(iter(root.iter("{*}article")), None)
    if article is None:
        raise UnsupportedFormat(f"{name} is XML with root <{local_name(root)}>, not JATS", "JATS and TEI are read")
    left = LeftOut()
    meta = find_first(article, "front/article-meta")
    keywords = _keywords(meta) if meta is not None else []
    body = (part for each in find_children(article, "body") for part in _flow(each, 1, left))
    parts = [*_front(meta, keywords, left), *body, *_back(article, left)]
    about = Particulars(article.get(LANGUAGE), tuple(keywords), jats_citation(article).as_meta())
    return from_blocks(blocks_under(parts), name, limits, left, about)


def _keywords(meta: Element) -> list[str]:
    """Return author keywords, without groups of other kinds (subject codes, abbreviations)."""
    groups = [
        group
        for group in find_children(meta, "kwd-group")
        if (group.get("kwd-group-type") or "author").lower() in {"author", "author-keywords", "author-generated", "kwd"}
    ]
    return [text for group in groups for kwd in group.iter("{*}kwd") if (text := running_text(kwd))]


def _front(meta: Element | None, keywords: list[str], left: LeftOut) -> Iterator[Heading | Block]:
    if meta is None:
        return
    yield Block(SectionKind.TITLE, jats_title(meta))
    names = []
    for contributor in meta.iterfind("{*}contrib-group/{*}contrib"):
        parts = [running_text(find_first(contributor, f"name/{part}")) for part in ("given-names", "surname")]
        names.append(" ".join(filter(None, parts)) or running_text(find_first(contributor, "collab")))
    yield Block(SectionKind.AUTHORS, ", ".join(filter(None, names)))
    for abstract in find_children(meta, "abstract", "trans-abstract"):
        if local_name(abstract) == "trans-abstract":
            left.add(_LEFT_OUT["trans-abstract"], count_text(abstract))
            continue
        for paragraph in abstract.iter("{*}title", "{*}p"):
            yield Block(SectionKind.ABSTRACT, running_text(paragraph, _FORMULAS))
    yield Block(SectionKind.KEYWORDS, "; ".join(keywords))


def _flow(parent: Element, level: int, left: LeftOut) -> Iterator[Heading | Block]:
    """Yield headings and paragraphs within an element, in reading order."""
    for element in parent:
        kind = local_name(element)
        if kind in _LEFT_OUT:
            left.add(_LEFT_OUT[kind], count_text(element))
        elif kind in _DIVISIONS:
            if kind == "ack" and find_first(element, "title") is None:
                yield Heading("Acknowledgements", level)
            nested = kind == "sec" and local_name(parent) in {"sec", "app"}
            yield from _flow(element, level + nested, left)
        elif kind == "title":
            yield Heading(running_text(element), level)
        elif kind in {"fig", "table-wrap", "fig-group", "table-wrap-group"}:
            yield from _floats(element, left)
        elif kind == "p":
            yield from _paragraph(element, level, left)
        elif kind == "ref-list":
            yield from _references(element, level)
        elif kind in {"term", "attrib"}:
            yield Block(SectionKind.BODY, running_text(element, _FORMULAS))


def _paragraph(element: Element, level: int, left: LeftOut) -> Iterator[Heading | Block]:
    """Yield a paragraph, and after it the lists, figures and the like inside it."""
    for formula in element.iter("{*}disp-formula"):
        left.add("formula", count_text(formula))
    yield Block(SectionKind.BODY, running_text(element, _FORMULAS | _NESTED))
    nested = [child for child in element if local_name(child) in _NESTED]
    for child in nested:
        if local_name(child) in {"fig", "table-wrap"}:
            yield from _floats(child, left)
        else:
            yield from _flow(child, level, left)


def _floats(element: Element, left: LeftOut) -> Iterator[Block]:
    for part in [element] if local_name(element) in {"fig", "table-wrap"} else list(element):
        label = running_text(find_first(part, "label"))
        caption = running_text(find_first(part, "caption"), _FORMULAS)
        yield Block(SectionKind.CAPTION, f"{label.rstrip('.')}. {caption}" if label and caption else label or caption)
        if local_name(part) == "table-wrap":
            left.add("table", sum(count_text(table) for table in part.iter("{*}table", "{*}table-wrap-foot")))


def _back(article: Element, left: LeftOut) -> Iterator[Heading | Block]:
    for back in find_children(article, "back"):
        yield from _flow(back, 1, left)
    for group in find_children(article, "floats-group"):
        for element in group:
            if local_name(element) in {"fig", "table-wrap"}:
                yield from _floats(element, left)


def _references(element: Element, level: int) -> Iterator[Heading | Block]:
    title = running_text(find_first(element, "title"))
    yield Heading(title or "References", level)
    for reference in element.iter("{*}ref"):
        citations = [child for child in reference if "citation" in local_name(child)]
        text = " ".join(_citation(citation) for citation in citations[:1]) or running_text(reference)
        yield Block(SectionKind.REFERENCES, text)


def _citation(element: Element) -> str:
    """Return the text of a citation, with blanks between elements if there is no punctuation between them."""
    punctuated = any((child.tail or "").strip() for child in element.iter())
    if punctuated:
        return running_text(element)
    return " ".join(text for leaf in element.iter() if (text := (leaf.text or "").strip()))
