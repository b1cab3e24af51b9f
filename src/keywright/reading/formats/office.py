"""Books, texts of OpenDocument and slides: EPUB, ODT and PPTX, whose members are read as pages of HTML."""

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from posixpath import basename, dirname, join, normpath
from typing import Final
from urllib.parse import unquote

from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BrokenFile, KeywrightError, ProtectedFile
from keywright.core.word_lists import read_pairs, read_words
from keywright.reading.blocks import Block, Heading, LeftOut
from keywright.reading.encodings import declared_encoding, decode
from keywright.reading.formats import xml
from keywright.reading.formats.html import parse_page
from keywright.reading.formats.html_blocks import find_blocks, remove_unseen
from keywright.reading.formats.markup import divide_part, divide_xml, make_document
from keywright.reading.limits import DAMAGED, SAVE_AGAIN, Limits

_ENCRYPTED: Final = {"META-INF/manifest.xml": b"encryption-data", "META-INF/encryption.xml": b"xmlenc#aes"}
"""Signs of contents that only a password opens, in the members of office files and books that have them."""
_TAGS: Final = read_pairs("reading/file_types.txt", "OFFICE_TAGS")
_BOXES: Final = read_words("reading/elements.txt", "OFFICE_BOXES")
_OF_BOOKS: Final = read_pairs("reading/file_types.txt", "EPUB_PARTS")
_TITLES, _FOOTERS = frozenset({"title", "ctrTitle"}), frozenset({"dt", "ftr", "hdr", "sldNum"})  # types of shapes
_PROPERTY_NAMES: Final = read_pairs("reading/file_types.txt", "PROPERTIES")
_DRAWINGS: Final = ("{*}relIds", "{*}chart")
_DEEPEST: Final = 50  # styles based on each other; arbitrary, bounds the time
_LINE: Final = 228_600  # a quarter of an inch, in which shapes are side by side; arbitrary


@contextmanager
def _open_archive(data: bytes, name: str, form: str, limits: Limits) -> Iterator[zipfile.ZipFile]:
    limits.check_archive(data, name, form)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = frozenset(archive.namelist())
            if any(sign in archive.read(member) for member, sign in _ENCRYPTED.items() if member in members):
                raise ProtectedFile(f"{name} is encrypted", "save a copy without a password")
            yield archive
    except KeywrightError:
        raise
    except DAMAGED as error:
        raise BrokenFile(f"{name} is not a readable {form} file: {error}", SAVE_AGAIN) from error


def read_epub(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a book, its parts in their order; without tables of contents, code, formulas and notes."""
    left, parts = LeftOut(), list[Heading | Block]()
    with _open_archive(data, name, "EPUB", limits) as archive:
        members = frozenset(archive.namelist())
        package = next(member for member in (*archive.namelist(), "content.opf") if member.lower().endswith(".opf"))
        root = xml.parse_xml(archive.read(package), name, limits)
        places = {item.get("id"): _find_member(package, item.get("href", "")) for item in root.iter("{*}item")}
        passed_over = {
            _find_member(package, each.get("href", ""))
            for each in root.iter("{*}reference", "{*}item")
            if each.get("type") == "toc" or "nav" in each.get("properties", "").split()
        }
        references = (each.get("idref") for each in root.iter("{*}itemref"))
        for member in dict.fromkeys(places[each] for each in references if each in places):
            if member in members - passed_over:
                parts += _read_chapter(archive.read(member), name, left)
            elif member not in passed_over:
                left.add("missing part", 0)
        return make_document(parts, "", _read_properties(root), name, limits, left)


def _find_member(package: str, href: str) -> str:
    """Return the member that a package refers to, at any place in it."""
    return normpath(join(dirname(package), unquote(href.partition("#")[0])))


def _read_chapter(data: bytes, name: str, left: LeftOut) -> Iterator[Heading | Block]:
    text, _ = decode(data, name, declared_encoding(data))
    if not text.strip():
        return
    page, _ = parse_page(text, name)
    remove_unseen(page, left)
    marked = [(each, _OF_BOOKS.get(each.get("epub:type", "").partition(" ")[0])) for each in page.iter("*")]
    parts = {element: part for element, part in marked if part}
    for element, part in parts.items():
        if parts.keys().isdisjoint(element.iterancestors()):
            if part == "notice":
                yield from (Block(SectionKind.NOTICE, block.text) for block in find_blocks(element, left))
            elif part == "footnote":
                left.add(part, xml.count_text(element))
            element.clear(keep_tail=True)
    for aside in page.iter("aside"):  # a box of a book is of its text
        aside.tag = "div"
    yield from divide_part(page, left)


def read_odt(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a text of OpenDocument with its boxes; without data, formulas, notes and hidden parts."""
    left = LeftOut()
    with _open_archive(data, name, "ODT", limits) as archive:
        members = ("content.xml", *({"styles.xml", "meta.xml"} & set(archive.namelist())))
        roots = {member: xml.parse_xml(archive.read(member), name, limits) for member in members}
    styles = {_value(each, "name"): _read_style(each) for root in roots.values() for each in root.iter("{*}style")}
    texts = xml.find_first(roots["content.xml"], "body/text")
    if texts is None:
        raise BrokenFile(f"{name} has no text of OpenDocument", SAVE_AGAIN)
    for box in reversed(list(texts.iter(*_BOXES))):
        around = next(iter(box.xpath("ancestor::*[local-name()='p' or local-name()='h'][last()]")), box)
        for block in reversed(box):
            if box is not around and xml.local_name(block) in {"p", "h", "list", "table"}:
                block.tail = None
                around.addnext(block)
    titles = []
    for element in list(texts.iter("*")):
        kind = xml.local_name(element)
        above = _find_bases(_value(element, "style-name"), styles) if kind in {"p", "h", "span"} else {}
        is_hidden = "none" in (_value(element, "display"), *above.values()) or _value(element, "is-hidden") == "true"
        if is_hidden or element.prefix == "svg":  # titles and descriptions of pictures
            shown = element.getparent() if kind == "hidden-paragraph" else element
            shown.tag = "hidden"
        elif not above.keys().isdisjoint({"Title", "Subtitle"}):
            titles.append(xml.running_text(element))
        elif kind == "h":
            element.set("n", ".".join("1" * int(_value(element, "outline-level") or 1)))
        elif kind in {"s", "tab"}:
            element.text = " "
    parts = [part for part in divide_xml(texts, _TAGS, left) if part.text not in titles]
    properties = _read_properties(roots["meta.xml"]) if "meta.xml" in roots else {}
    return make_document(parts, ": ".join(titles), properties, name, limits, left)


def _value(element: xml.Element, name: str) -> str:
    """Return an attribute by its name in some namespace; "" without."""
    return next((str(value) for key, value in element.attrib.items() if key.endswith(f"}}{name}")), "")


def _read_style(style: xml.Element) -> tuple[str, str]:
    """Return how a style displays its text, and on which it is based."""
    shown = xml.find_first(style, "text-properties")
    return "" if shown is None else _value(shown, "display"), _value(style, "parent-style-name")


def _find_bases(style: str, styles: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Return a style and those that it is based on, and how each displays its text."""
    above: dict[str, str] = {}
    while style not in above and len(above) < _DEEPEST:
        above[style], style = styles.get(style, ("", style))
    return above


def read_pptx(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in slides, top down, with boxes and diagrams; without data, charts, notes and hidden ones."""
    left, parts = LeftOut(), list[Heading | Block]()
    title, properties = "", dict[str, str]()
    with _open_archive(data, name, "PPTX", limits) as archive:
        show, places = _open_part(archive, "ppt/presentation.xml", name, limits)
        read: set[str] = set()  # drawings, each of which is of one slide
        members = dict.fromkeys(places[_value(each, "id")] for each in show.iter("{*}sldId"))
        for number, member in enumerate(members):
            slide, related = _open_part(archive, member, name, limits)
            if slide.get("show") in {"0", "false"}:
                left.add("hidden slide", 0)
                continue
            body = slide.makeelement("body", {}, {})
            for shape in _order_shapes(xml.find_first(slide, "cSld/spTree")):
                if number == 0 and _find_type(shape) == "ctrTitle":
                    title = _join_paragraphs(shape)
                _append_text(body, shape, left)
                for drawing in shape.iter(*_DRAWINGS):
                    part = related[_value(drawing, "dm") or _value(drawing, "id")]
                    if part not in read:
                        read.add(part)
                        _append_text(body, xml.parse_xml(archive.read(part), name, limits), left)
            parts += divide_xml(body, _TAGS, left)
        for member in archive.namelist():
            if member.startswith(("ppt/notesSlides/notesSlide", "ppt/comments/")):
                note = " ".join(xml.parse_xml(archive.read(member), name, limits).itertext("{*}t", "{*}text")).strip()
                what = "comment" if "comments" in member else "speaker note"
                left.add(what, len(note)) if note and not note.isdigit() else None
            elif member == "docProps/core.xml":
                properties = _read_properties(xml.parse_xml(archive.read(member), name, limits))
    return make_document(parts, title, properties, name, limits, left)


def _open_part(archive: zipfile.ZipFile, member: str, name: str, limits: Limits) -> tuple[xml.Element, dict[str, str]]:
    """Return the root of a part, and the parts that it refers to, by their ids."""
    places: dict[str, str] = {}
    with suppress(KeyError):
        links = xml.parse_xml(archive.read(join(dirname(member), "_rels", f"{basename(member)}.rels")), name, limits)
        for each in links.iter("{*}Relationship"):
            places[each.get("Id", "")] = normpath(join("/", dirname(member), each.get("Target", "")))[1:]
    return xml.parse_xml(archive.read(member), name, limits), places


def _order_shapes(parent: xml.Element) -> Iterator[xml.Element]:
    """Yield the shapes on a slide or in a group: title, placeholders where the layout has them, others top down."""
    shapes = [
        shape
        for child in parent
        for shape in (xml.find_alternative(child) if xml.local_name(child) == "AlternateContent" else [child])
    ]
    for shape in sorted(shapes, key=_find_position):
        details = xml.find_first(shape, "*/cNvPr")
        if details is None or details.get("hidden") not in {"1", "true"}:
            yield from _order_shapes(shape) if xml.local_name(shape) == "grpSp" else [shape]


def _find_type(shape: xml.Element) -> str:
    """Return the type of a placeholder; "" for other shapes."""
    placeholder = xml.find_first(shape, "*/nvPr/ph")
    return "" if placeholder is None else str(placeholder.get("type", "obj"))


def _find_position(shape: xml.Element) -> tuple[int, int, int]:
    offset = next(shape.iter("{*}off"), None)
    if offset is None or _find_type(shape) in _TITLES:
        return _find_type(shape) not in _TITLES, 0, 0
    return 2, int(offset.get("y", 0)) // _LINE, int(offset.get("x", 0))


def _join_paragraphs(content: xml.Element) -> str:
    paragraphs = ("".join(part.text or " " for part in each.iter("{*}t", "{*}br")) for each in content.iter("{*}p"))
    return " ".join(" ".join(paragraphs).split())


def _append_text(body: xml.Element, content: xml.Element, left: LeftOut) -> None:
    """Append the text of a shape or diagram, or the title of a chart, to a page; only ``t`` has text that is shown."""
    placeholder, title = _find_type(content), xml.find_first(content, "chart/title")
    block = next(content.iter("{*}tbl", "{*}txBody"), content)
    if placeholder in _FOOTERS:
        text = _join_paragraphs(content)
        left.add("page footer", len(text)) if text and not text.isdigit() else None
        return
    if placeholder in _TITLES or xml.local_name(content) == "chartSpace":
        block = body.makeelement("h" if placeholder else "figcaption", {}, {})
        block.text = "" if title is None and not placeholder else _join_paragraphs(content if placeholder else title)
        left.add("chart", xml.count_text(content)) if not placeholder else None
    else:
        for element in block.iter("*"):
            is_text = xml.local_name(element) == "t" and not len(element)
            element.text, element.tail = element.text if is_text else None, None
    body.append(block)


def _read_properties(root: xml.Element) -> dict[str, str]:
    """Return title, authors, keywords and language among the properties of a file."""
    texts: dict[str, list[str]] = {}
    for element in root.iter("*"):
        text = xml.running_text(element) if xml.local_name(element) in _PROPERTY_NAMES else ""
        if text:
            texts.setdefault(xml.local_name(element), []).append(text)
    properties: dict[str, str] = {}
    for name, values in texts.items():
        several = _PROPERTY_NAMES[name] in {"author", "keywords"}
        properties.setdefault(_PROPERTY_NAMES[name], "; ".join(values if several else values[:1]))
    return properties
