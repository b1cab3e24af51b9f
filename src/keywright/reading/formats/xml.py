"""Untrusted XML: parsed without entities, network or external definitions, and its running text."""

import re
from collections.abc import Callable, Iterator, Sequence
from html.entities import html5
from typing import Any, Final

from keywright.core.documents import Document
from keywright.core.errors import BrokenFile, KeywrightError
from keywright.core.predictions import Failure
from keywright.core.word_lists import read_sections
from keywright.reading.bare_text.cleaning import join_unspaced
from keywright.reading.limits import Limits

Element = Any  # an lxml element; the library has no types
LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"  # Attribute ``xml:lang``
_EMPTIED = re.compile(r"\s?(?:\[[\s,;–-]*\]|\((?:[\s,;–-]|e\.g\.,?|see)*\))")
_BEFORE_STOP = re.compile(r"\s+([,.;:!?](?:\s|$))")
_RAISED = re.compile(r"[\s\d,;–-]*\d[\s\d,;–-]*|[*†‡§¶]+|\s*(?:\[[^\[\]]{1,80}\]\s*)+")
_AFTER_WORD = re.compile(r"[^\W\d_]{3}[.,;:)”\"]?$")
MARKED: Final = frozenset({"a", "sup", "xref", "ref"})  # elements that can be marks
_BEFORE: Final = 8  # characters before a raised mark in which the end of a word is looked for; arbitrary
_MARKS: Final = frozenset({"bibr", "fn", "aff", "corresp"})
"""Kinds of links to a reference, footnote, affiliation or address."""
_APART: Final = frozenset(read_sections("reading/elements.txt")["APART"].split())


def parse_xml(data: bytes, name: str, limits: Limits, *, recovers: bool = False) -> Element:
    """Return the root of an XML file, refused if it declares entities: small files could grow, or include others.

    ``recovers``: whether what is not well-formed is read as far as it can be.
    """
    from lxml import etree  # noqa: PLC0415 - heavy, only XML needs it

    limits.check_file(len(data), name)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True,
        recover=recovers,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BrokenFile(f"{name} is not well-formed XML: {error}", "repair the file") from error
    if root is None:
        raise BrokenFile(f"{name} is not well-formed XML: it has no elements", "repair the file")
    declared: Any = root.getroottree().docinfo.internalDTD  # the stubs know no entities
    if declared is not None and any(True for _ in declared.iterentities()):
        raise BrokenFile(
            f"{name} declares entities of its own, which are not read from untrusted files",
            "write the entities out, for instance with `xmllint --noent`",
        )
    return root


def read_members(
    elements: Sequence[Element], name: str, read: Callable[[Element, str], Document]
) -> Document | Iterator[Document | Failure]:
    """Return the document of the only element; of several, those of each, and failures, named by their numbers."""

    def read_member(element: Element, label: str) -> Document | Failure:
        try:
            return read(element, label)
        except KeywrightError as error:
            return Failure.from_error(label, error)

    if len(elements) == 1:
        return read(elements[0], name)
    return (read_member(element, f"{name}:{number}") for number, element in enumerate(elements, start=1))


def remove_element(element: Element) -> None:
    """Take an element out of its parent, and leave the text behind it."""
    before, parent = element.getprevious(), element.getparent()
    if before is None:
        parent.text = (parent.text or "") + (element.tail or "")
    else:
        before.tail = (before.tail or "") + (element.tail or "")
    parent.remove(element)


def insert_first(parent: Element, name: str, text: str = "") -> Element:
    """Put a new element before all others of its parent, and return it."""
    element = parent.makeelement(name, {}, {})
    element.text = text
    parent.insert(0, element)
    return element


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace; empty for comments, entities and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def find_children(element: Element, *names: str) -> list[Element]:
    """Return child elements with one of the names."""
    return [child for child in element if local_name(child) in names]


def find_first(element: Element, path: str) -> Element | None:
    """Return the first element on a path of names, such as ``front/article-meta``, in any namespace; else None."""
    steps = "/".join(f"{{*}}{step}" if step.isidentifier() or "-" in step else step for step in path.split("/"))
    return element.find(steps)


def find_alternative(element: Element) -> Element:
    """Return the alternative that programs of today show, of elements that have several; others unchanged."""
    if local_name(element) != "AlternateContent":
        return element
    with_text = (part for part in element if any(True for _ in part.iter("{*}t")))
    return next(with_text, element[0] if len(element) else element)


def running_text(element: Element | None, skip: frozenset[str] = frozenset()) -> str:
    """Return an element's text with single blanks, "" for None; ``skip`` and citation marks ("[12]") are left out."""
    pieces: list[str] = []
    if element is not None:
        _collect_pieces(element, skip, pieces)
    return join_pieces("".join(pieces))


def join_pieces(text: str) -> str:
    """Return a text with single blanks, without brackets that marks have left empty and blanks before stops."""
    text = " ".join(join_unspaced(text).split())
    if "[" in text or "(" in text:
        text = _EMPTIED.sub("", text)
    is_apart = " ." in text or " ," in text or " ;" in text or " :" in text or " !" in text or " ?" in text
    return _BEFORE_STOP.sub(r"\1", text) if is_apart else text


def count_text(element: Element) -> int:
    """Return the number of characters of all text in an element, with single blanks."""
    return len(" ".join("".join(element.itertext()).split()))


def _collect_pieces(element: Element, skip: frozenset[str], pieces: list[str]) -> None:
    before = element.text or ""
    pieces.append(before)
    for child in element:
        name = local_name(child)
        if not name:
            pieces.append(html5.get(f"{getattr(child, 'name', '')};", ""))
        elif name not in skip and not (name in MARKED and is_citation_mark(child, name, before)):
            blank = " " if name in _APART else ""
            pieces.append(blank)
            _collect_pieces(child, skip, pieces)
            pieces.append(blank)
        before = child.tail or ""
        pieces.append(before)


def is_citation_mark(element: Element, name: str, before: str) -> bool:
    """Return whether an element after the text ``before`` is a raised number or remark that links to a note."""
    if name == "a" and len(element) == 1 and local_name(element[0]) == "sup":
        around = f"{element.text or ''}{element[0].tail or ''}"
        return not around.strip() and is_citation_mark(element[0], "sup", before)
    if name == "sup":  # raised after a word or its stop; after a short symbol it is an exponent
        return bool(_RAISED.fullmatch("".join(element.itertext()))) and bool(_AFTER_WORD.search(before[-_BEFORE:]))
    is_mark = name in {"xref", "ref"} and element.get("ref-type", element.get("type")) in _MARKS
    return is_mark and not any(map(str.isalpha, "".join(element.itertext())))
