"""Blocks of an HTML page: all text that a person sees, divided as it is shown; parts that are no text are counted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import SectionKind
from keywright.core.word_lists import read_pairs, read_sections
from keywright.reading.blocks import LeftOut
from keywright.reading.formats.xml import MARKED, Element, count_text, is_citation_mark, join_pieces, running_text
from keywright.reading.headings import is_prose

_ELEMENTS: Final = {name: frozenset(names.split()) for name, names in read_sections("reading/elements.txt").items()}
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_KINDS: Final = {
    **dict.fromkeys(("figcaption", "caption"), SectionKind.CAPTION),
    **{f"x-{kind}": kind for kind in (SectionKind.NOTICE, SectionKind.REFERENCES)},
}
"""Elements and kinds of their text; those with "x-" are of other XML than HTML."""
_KNOWN: Final = _ELEMENTS["CONTAINERS"] | _HEADINGS | _ELEMENTS["BLOCKS"] | _KINDS.keys()
"""Elements that divide the text everywhere."""
_LEFT_OUT: Final = read_pairs("reading/file_types.txt", "HTML_LEFT_OUT")
"""Elements without any block of the text, and their names in warnings."""
_SHOWN: Final = {"svg": "drawing", "textarea": "field", "iframe": "frame"}
_UNSEEN_CLASSES: Final = "//*[@class and ({})]".format(
    " or ".join(
        f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"
        for name in sorted(_ELEMENTS["UNSEEN_CLASSES"])
    )
)  # one search: a union of several compares what they found in pairs
_ALWAYS: Final = frozenset({"select", "button", "math"})
"""Elements that are left out even where they hold most of the text."""
_WORDS_OF_NAMES: Final = re.compile(r"[A-Za-z][a-z]*")
_HIDDEN_STYLE: Final = re.compile(r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_BRACE: Final = re.compile(r"([{}])")
_DISPLAY: Final = re.compile(r"\bdisplay\s*:\s*(\w+)", re.IGNORECASE)
_OPENING: Final = read_sections("reading/element_paths.txt")["OPENING"]
_LITTLE: Final = 300  # characters beside hidden text, such as *Loading*, of a page without scripts; arbitrary
_MOST: Final = 0.5  # share of a page's text that its main element has, and furniture has not; arbitrary
_AFTER_SENTENCE: Final = re.compile(r"(?<=[.!?…؟।])\s+|(?<=[。！？])")
_SENTENCE_END: Final = re.compile(r"(?:[.!?…؟।][\"'”’»)\]]*|[。！？][」』）]*)\Z")
_SENTENCE_WORDS: Final = 5  # words of a sentence; arbitrary
_BREAK: Final = "\x1e"  # a line break in pieces of text; pages have no such control
_SHORT_LINE: Final = 60  # characters of a line that its writer broke, as in an address; arbitrary


@dataclass(frozen=True, slots=True)
class PageBlock:
    """Text of a page between two borders: level, share in links, number of furniture, in the declared main element."""

    text: str
    kind: SectionKind = SectionKind.BODY
    level: int = 0
    linked: float = 0.0
    part: int = 0
    is_declared: bool = False

    @property
    def words(self) -> int:
        """Return the number of words."""
        return len(self.text.split())

    @property
    def is_sentence(self) -> bool:
        """Return whether it ends as a sentence does and is as long as one."""
        end = _SENTENCE_END.search(self.text)
        return end is not None and (self.words >= _SENTENCE_WORDS or end[0][0] in "。！？")


def holds_sentence(text: str) -> bool:
    """Return whether a sentence ends in a text, such as that of a cell."""
    return any(PageBlock(part.strip()).is_sentence for part in _AFTER_SENTENCE.split(text))


def remove_unseen(page: Element, left: LeftOut) -> None:
    """Remove the elements whose text is not shown; hidden ones only where more than a notice is shown.

    Tabs and the like that a click shows stay. Words in drawings, fields and frames, or without scripts, are counted.
    """
    trees = {tree.getparent(): tree for tree in reversed(page.xpath("//template[@shadowrootmode]"))}
    for host, tree in trees.items():  # a tree of its own that browsers show, the first of an element
        tree.tag = "div"
        slots = {slot.get("name"): slot for slot in reversed(list(tree.iter("slot")))}
        for child in list(host):
            if child is not tree and child.get("slot") in slots:
                slots[child.get("slot")].append(child)
    body = next(page.iter("body"), page)
    shows = _read_sheets(page)
    opened = set(re.findall(r"[\w:-]+", " ".join(page.xpath(_OPENING))))
    hidden = [
        element
        for element in page.xpath(
            f"//body//*[@hidden or @aria-hidden or @popover or @style{' or @class or @id' if shows else ''}]"
        )
        if (
            element.get("hidden", "until-found") != "until-found"
            or element.get("aria-hidden") == "true"
            or element.get("popover") is not None
            or _HIDDEN_STYLE.search(element.get("style", ""))
            or _is_hidden_by_sheet(element, shows)
        )
        and not (element.get("id") in opened or _is_named(element, "OPENED"))
    ]
    hidden += page.xpath(_UNSEEN_CLASSES)
    hidden += [element for element in page.iter("dialog", "noscript") if element.get("open") is None]
    among = set(hidden)
    outermost = [element for element in hidden if among.isdisjoint(element.iterancestors())]
    rest = count_text(body) - sum(map(count_text, body.iter("script", "style"))) - sum(map(count_text, outermost))
    if rest <= 0 or (rest < _LITTLE and not _shows_sentence(body, among)):
        outermost = []
    for element in [*page.iter(*_ELEMENTS["UNSEEN"]), *outermost]:
        shown = _SHOWN.get(element.tag, "hidden part" if element in among else None)
        shown = "symbol" if element.get("aria-hidden") == "true" else shown
        text = (element.get("srcdoc") or " ".join(element.itertext())) if shown else ""
        if shown and len(text.split()) >= _SENTENCE_WORDS and among.isdisjoint(element.iterancestors()):
            left.add(shown, 0 if shown == "hidden part" else len(text))
        try:
            if element.getparent() is not None:
                element.drop_tree()
        except ValueError:  # the text behind it holds a character such as &#1;, which lxml reads and does not move
            element.clear(keep_tail=True)


def _shows_sentence(body: Element, hidden: set[Element]) -> bool:
    """Return whether a sentence is in an element outside of hidden ones and scripts."""
    shown = body.xpath("descendant-or-self::*[not(self::script or self::style)]/text()")
    parents = ((text, text.getparent().getparent() if text.is_tail else text.getparent()) for text in shown)
    blocks = ((PageBlock(text.strip()), parent) for text, parent in parents)
    return any(
        (block.is_sentence or block.words > 2 * _SENTENCE_WORDS)
        and hidden.isdisjoint((parent, *parent.iterancestors()))
        for block, parent in blocks
    )


def _read_sheets(page: Element) -> dict[str, bool]:
    """Return classes and ids that rules of the page's own sheets name, and whether these show elements.

    A rule for a state, such as ``.tab.active``, shows what another rule hides.
    """
    shows: dict[str, bool] = {}
    states: dict[str, bool] = {}
    for sheet in page.xpath("//style[not(ancestor::noscript)]"):
        first, *comments = (sheet.text or "").split("/*")
        parts = _BRACE.split(first + "".join(comment.partition("*/")[2] for comment in comments))
        selectors, depth = "", 0
        for text, brace in zip(parts[::2], parts[1::2], strict=False):
            if brace == "{":
                selectors, depth = text, depth + 1
            else:
                rule = _DISPLAY.search(text) if depth == 1 else None  # rules for some devices are inside others
                is_shown = rule is not None and rule[1].lower() != "none"
                for selector in map(str.strip, selectors.split(",") if rule else ()):
                    shows[selector] = is_shown
                    names = re.findall(r"[.#][\w-]+", selector.split()[-1]) if selector and is_shown else []
                    states |= {} if names == [selector] else dict.fromkeys(names, True)
                depth = max(0, depth - 1)
    return {} if all(shows.values()) else shows | states


def _is_hidden_by_sheet(element: Element, shows: Mapping[str, bool]) -> bool:
    names = [f".{name}" for name in element.get("class", "").split()] + [f"#{element.get('id', '')}"]
    said = [shows[name] for name in names if name in shows] if shows else []
    return bool(said) and not any(said)


def _is_named(element: Element, section: str) -> bool:
    """Return whether a class, the id or the role has a word of a section of the list of elements."""
    named = " ".join(element.get(name, "") for name in ("class", "id", "role"))
    return any(word.lower() in _ELEMENTS[section] for word in _WORDS_OF_NAMES.findall(named))


def find_blocks(page: Element, left: LeftOut) -> list[PageBlock]:
    """Return the blocks of a page without unseen elements, in the order of the page; what is left out is counted."""
    return _Walk(page, left).blocks


class _Walk:
    """A walk over the elements of a page, in which each piece of text is met once."""

    def __init__(self, page: Element, left: LeftOut) -> None:
        from lxml import etree  # noqa: PLC0415 - heavy, only HTML needs it

        self.blocks: list[PageBlock] = []
        self._left = left
        self._size = count_text(page) - sum(map(count_text, page.findall("head")))
        # The only article, or else the only main element, is the main text if it has most of the text.
        declared = (page.xpath("//article"), page.xpath("//main | //*[@role='main']"))
        large = (each[0] for each in declared if len(each) == 1 and count_text(each[0]) > _MOST * self._size)
        self._declared = next(large, None)
        # Tables of the page's layout, and those with sentences in their cells, are read.
        self._read_tables = set(page.xpath("//table[@role='presentation' or @role='none']"))
        for block in page.xpath("//*[ancestor::table]"):  # //table//* compares what it finds in pairs
            if block.tag in _KNOWN and holds_sentence(running_text(block, _KNOWN)):
                self._read_tables.update(block.iterancestors("table"))
        self._are_among_text: dict[Element, bool] = {}
        self._pieces: list[str] = []
        self._links = self._linked = self._parts = 0
        self._preformatted = 0  # number of open elements whose line ends are shown
        self._borders = 0  # number of inline elements that have begun or ended right before
        self._around: list[PageBlock] = [PageBlock("")]  # open blocks, whose values those inside take over
        events = etree.iterwalk(page, events=("start", "end"))
        skipped = None
        for event, element in events:
            if event == "end":
                if element is not skipped:
                    if not self._divides(element):
                        self._borders += 1
                        self._links -= element.tag == "a"
                    else:
                        self._close_block()
                        self._preformatted -= element.tag == "pre"
                        self._around.pop()
                self._append(element.tail)
            elif element.tag == "head" or self._is_left_out(element):
                skipped = element
                events.skip_subtree()
            else:
                self._enter(element)
        self._close_block()

    def _enter(self, element: Element) -> None:
        tag, around = element.tag, self._around[-1]
        if tag == "br":
            self._pieces.append(_BREAK)
        elif not self._divides(element):
            self._borders += 1
            self._links += tag == "a"
        else:
            self._close_block()
            self._preformatted += tag == "pre"
            level = int(tag[1]) if tag in _HEADINGS else around.level
            kind = _KINDS.get(tag, around.kind)
            part = around.part
            if not part and self._is_named_furniture(element):
                part = self._parts = self._parts + 1
            is_declared = around.is_declared or element is self._declared
            self._around.append(PageBlock("", kind, level, 0.0, part, is_declared))
        self._append(element.text)

    def _append(self, text: str | None) -> None:
        if not text:
            return
        last = self._pieces[-1][-1:] if self._borders and self._pieces and text[0].isupper() else ""
        if last and (last in ".!?:" or (self._borders > 1 and (last.islower() or last.isdigit()))):
            self._pieces.append(" ")  # two sentences, or links and labels, that only their styles keep apart
        self._pieces.append(text.replace("\n", _BREAK) if self._preformatted else text)
        self._borders, self._linked = 0, self._linked + (len(text.strip()) if self._links else 0)

    def _close_block(self) -> None:
        """End the block: its lines, or more blocks where breaks divide it."""
        around, whole = self._around[-1], "".join(self._pieces)
        linked = self._linked / max(1, len(whole.strip()))
        lines = [join_pieces(whole.replace(_BREAK, " "))] if around.level else _divide_at_breaks(whole)
        for text in filter(None, lines):
            self.blocks.append(PageBlock(text, around.kind, around.level, linked, around.part, around.is_declared))
        self._pieces, self._linked, self._borders = [], 0, 0

    def _divides(self, element: Element) -> bool:
        """Return whether an element divides the text; one of an unknown name does so unless it is among text."""
        tag = element.tag
        if tag in _KNOWN or tag in _ELEMENTS["INLINE"]:
            return tag in _KNOWN
        parent = element.getparent()
        if parent is None:
            return True
        if parent not in self._are_among_text:
            texts = (parent.text, *(child.tail for child in parent))
            is_container = parent.tag in _ELEMENTS["CONTAINERS"] or (
                parent.tag not in _KNOWN | _ELEMENTS["INLINE"] and self._divides(parent)
            )
            self._are_among_text[parent] = not is_container or any(text and text.strip() for text in texts)
        return not self._are_among_text[parent]

    def _is_left_out(self, element: Element) -> bool:
        """Return whether an element is skipped: a mark of a note, or furniture, a table or code, which are counted."""
        tag = element.tag
        if tag in MARKED and is_citation_mark(element, tag, "".join(self._pieces[-3:])):
            return True
        if tag not in _LEFT_OUT or (tag == "table" and element in self._read_tables):
            return False
        size = count_text(element)
        is_text = tag == "pre" and element.find(".//code") is None and is_prose("".join(element.itertext()))
        if is_text or (tag not in _ALWAYS and size > _MOST * self._size):
            return False
        if tag != "math":
            self._close_block()
        for caption in element.iter("caption"):
            self.blocks.append(PageBlock(running_text(caption), SectionKind.CAPTION, part=self._around[-1].part))
            size -= count_text(caption)
        if size:
            self._left.add(_LEFT_OUT[tag], size)
        return True

    def _is_named_furniture(self, element: Element) -> bool:
        # A frame around everything may be called "with-sidebar".
        is_named = _is_named(element, "NAMES") or element.get("role") in _ELEMENTS["ROLES"]
        return is_named and count_text(element) <= _MOST * self._size


def _divide_at_breaks(whole: str) -> list[str]:
    """Return the lines of a block that are apart: at two breaks, after sentences, and short ones above a capital."""
    if _BREAK not in whole:
        return [join_pieces(whole)] if whole else []
    texts: list[str] = [""]
    for line in map(join_pieces, whole.split(_BREAK)):
        last = texts[-1]
        is_apart = not line or last[-1:] in {*".!?:;…。！？"} or (len(last) < _SHORT_LINE and not line[0].islower())
        if is_apart or not last:
            texts.append(line)
        else:
            texts[-1] = f"{last} {line}"
    return texts
