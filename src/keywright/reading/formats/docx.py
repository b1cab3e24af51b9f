"""Word documents (DOCX)."""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BrokenFile
from keywright.core.word_lists import read_pairs, read_sections, read_words
from keywright.reading.blocks import Block, Heading, LeftOut
from keywright.reading.formats.html_blocks import holds_sentence
from keywright.reading.formats.markup import make_document
from keywright.reading.formats.xml import Element, find_alternative, find_first, local_name
from keywright.reading.limits import DAMAGED, Limits

_HEADING = re.compile(r"heading ?(\d)")
_BY_STYLE: Final = {key: SectionKind(kind) for key, kind in read_pairs("reading/file_types.txt", "DOCX_STYLES").items()}
_MAIN_PARTS: Final = read_words("reading/file_types.txt", "DOCX_MAIN")  # macros are not run
_SAVE_AGAIN: Final = "open it in a word processor and save it again"
_SPACE: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALSE: Final = frozenset({"0", "false", "off"})
_CHARACTERS: Final = {"tab": " ", "ptab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-", "softHyphen": ""}
_COUNTED: Final = read_pairs("reading/file_types.txt", "DOCX_COUNTED")
_DROPPED: Final = _COUNTED.keys() | frozenset("del moveFrom instrText pPr rPr sdtPr sdtEndPr rubyPr tblPr".split())
_APART: Final = read_pairs("reading/file_types.txt", "DOCX_APART")
_PRIVATE_USE: Final = frozenset(range(0xE000, 0xF900))  # codes of fonts of signs: the private use area of Unicode
_SIGNS: Final = read_sections("reading/file_types.txt")["SYMBOL_FONT"]
SYMBOL_FONT: Final = dict(zip([*range(0x22, 0x7F), *range(0xA1, 0xE6)], _SIGNS, strict=True))  # Adobe's table of 2002


def read_docx(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a DOCX file, as a word processor shows it with all changes accepted.

    Text boxes follow their paragraph. Left out are pictures, formulas, footnotes, comments, page headers and footers,
    deleted and hidden runs, and tables without sentences beside other text. Keywords come from the file's properties,
    and from the text where it prints them. Title and authors in ``meta`` are the paragraphs of these styles, else those
    properties, which have no journal, DOI or date of publication.
    """
    docx: Any = import_module("docx")  # heavy, only DOCX needs it; the stubs know not all of it

    limits.check_archive(data, name, "DOCX")
    try:
        docx.opc.part.PartFactory.part_type_for |= dict.fromkeys(_MAIN_PARTS, docx.parts.document.DocumentPart)
        file = docx.package.Package.open(io.BytesIO(data)).main_document_part.document
        for reads_tables in (False, True):
            left = LeftOut()
            story = _Story(_styles(file.styles.element), left, reads_tables=reads_tables)
            if parts := list(story.read_blocks(file.element.body)):
                break
        for relation in file.part.rels.values():
            what = _APART.get(relation.reltype.rpartition("/")[2])
            if what and not relation.is_external:
                root = docx.oxml.parse_xml(relation.target_part.blob)
                for element in [root] if what.startswith("page") else root:
                    size = sum(len(text.text or "") for text in element.iter("{*}t"))
                    if size:
                        left.add(what, size)
        properties = file.core_properties
        marked = [part for part in parts if isinstance(part, Block)]
        titles = [part.text for part in marked if part.kind == SectionKind.TITLE]
        authors = "; ".join(part.text for part in marked if part.kind == SectionKind.AUTHORS)
        stated = {"author": authors or properties.author, "language": properties.language}
        stated |= {"title": properties.title, "keywords": properties.keywords}
    except DAMAGED as error:
        raise BrokenFile(f"{name} is not a readable DOCX: {error}", _SAVE_AGAIN) from error
    return make_document(parts, ": ".join(titles), stated, name, limits, left)


_Style = tuple[str, bool]  # the name of a style in lower case, and whether its runs are hidden
_PLAIN: Final = ("", False)


def _styles(element: Element) -> dict[str, _Style]:
    """Return styles by id; one that does not say whether it hides its runs does as the style that it is based on."""
    elements = {style.get(f"{_SPACE}styleId"): style for style in element.iterfind("{*}style")}
    styles = {}
    for identifier, style in elements.items():
        name, hides, above = _value(style, "name").lower(), _vanishes(style), set[str]()
        based = _value(style, "basedOn")
        while hides is None and based in elements and based not in above:
            above.add(based)
            hides, based = _vanishes(elements[based]), _value(elements[based], "basedOn")
        styles[identifier] = (name, bool(hides))
    return styles


def _vanishes(element: Element) -> bool | None:
    """Return whether the properties of a run or style hide its text; None where they do not say."""
    mark = find_first(element, "rPr/vanish")
    return None if mark is None else mark.get(f"{_SPACE}val") not in _FALSE


def _value(element: Element, path: str) -> str:
    child = find_first(element, path)
    return "" if child is None else str(child.get(f"{_SPACE}val", ""))


@dataclass(slots=True)
class _Story:
    """A walk over paragraphs in reading order: text that the next one continues, and fields with results begun."""

    styles: Mapping[str, _Style]
    left: LeftOut
    reads_tables: bool
    carried: str = ""
    fields: list[bool] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)

    def read_blocks(self, parent: Element) -> Iterator[Heading | Block]:
        """Yield the paragraphs within an element: the body, a content control, a text box."""
        for element in parent:
            name = local_name(element)
            if name == "p":
                yield from self._read_paragraph(element)
            elif name == "tbl" and not self.reads_tables and not any(map(_has_sentence, element.iter("{*}p"))):
                self.left.add("table", sum(len(text) for text in element.itertext()))
            elif name == "altChunk":
                self.left.add("embedded file", 0)
            elif not self._leave_out(element, name):
                yield from self.read_blocks(find_alternative(element))

    def _read_paragraph(self, element: Element) -> Iterator[Heading | Block]:
        style_name, _ = style = self.styles.get(_value(element, "pPr/pStyle"), _PLAIN)
        self.fields, self.boxes = [], []
        text, self.carried = self.carried + "".join(self._pieces(element, style, hidden=False)), ""
        boxes = self.boxes
        is_followed = next(element.itersiblings(f"{_SPACE}p"), None) is not None
        drop_cap = find_first(element, "pPr/framePr")
        is_cap = drop_cap is not None and drop_cap.get(f"{_SPACE}dropCap", "none") != "none"
        if (is_cap or find_first(element, "pPr/rPr/del") is not None) and is_followed and not boxes:
            self.carried = text
        elif text := " ".join(text.split()):
            if style_name == "title":
                yield Block(SectionKind.TITLE, text)
            elif heading := _HEADING.match(style_name):
                yield Heading(text, int(heading[1]))
            else:
                yield Block(_BY_STYLE.get(style_name, SectionKind.BODY), text)
        for box in boxes:
            yield from self.read_blocks(box)

    def _pieces(self, element: Element, style: _Style, *, hidden: bool) -> Iterator[str]:
        """Yield the text of runs within an element of a paragraph."""
        for child in element:
            name = local_name(child)
            is_shown = not hidden and all(self.fields)
            if name == "fldChar":
                mark = child.get(f"{_SPACE}fldCharType")
                if mark == "begin":
                    self.fields.append(False)
                elif self.fields and mark == "separate":
                    self.fields[-1] = True
                elif self.fields and mark == "end":
                    self.fields.pop()
            elif name in {"txbxContent", "txBody"}:
                self.boxes += [child] if is_shown else []
            elif name in {"t", "sym"} or name in _CHARACTERS:
                yield _CHARACTERS.get(name, "") or _write_signs(child, element) if is_shown else ""
            elif not self._leave_out(child, name):
                hides = hidden or (name == "r" and self._hides(child, style))
                yield from self._pieces(find_alternative(child), style, hidden=hides)

    def _hides(self, run: Element, style: _Style) -> bool:
        """Return whether a run is hidden: as it says, else by one of its two styles; both together show it."""
        vanishes = _vanishes(run)
        _, of_run = self.styles.get(_value(run, "rPr/rStyle"), _PLAIN)
        return of_run != style[1] if vanishes is None else vanishes

    def _leave_out(self, element: Element, name: str) -> bool:
        """Return whether an element is not shown, or not read; count it where it is shown."""
        if name in _COUNTED:
            self.left.add(_COUNTED[name], sum(len(part.text or "") for part in element.iter("{*}t")))
        return name in _DROPPED or (name == "sdt" and find_first(element, "sdtPr/showingPlcHdr") is not None)


def _write_signs(element: Element, run: Element) -> str:
    """Return a text in which codes of the font Symbol are its letters and signs, and those of other fonts blanks."""
    code = element.get(f"{_SPACE}char")
    text, fonts = (chr(int(code, 16)), element) if code else (element.text or "", None)
    if text.isascii() or _PRIVATE_USE.isdisjoint(map(ord, text)):
        return text
    fonts = find_first(run, "rPr/rFonts") if fonts is None else fonts
    signs = SYMBOL_FONT if fonts is not None and "Symbol" in fonts.values() else {}
    return "".join(signs.get(ord(sign) % 0x100, " ") if ord(sign) in _PRIVATE_USE else sign for sign in text)


def _has_sentence(paragraph: Element) -> bool:
    return holds_sentence(
        "".join(" " if local_name(part) == "br" else part.text or "" for part in paragraph.iter("{*}t", "{*}br"))
    )
