"""Lines of a bare text that its author did not write, by their wording, or repeated at the distance of pages."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import pairwise
from statistics import median
from typing import Final

from keywright.reading.bare_text.bare_lines import Lines, is_dated, is_label
from keywright.reading.headings import kind_of_heading
from keywright.reading.page_numbers import TEXT

_NOTE_LINES: Final = 12  # lines of a note that are looked at: bounds the time
_NOTE = re.compile(
    r"[\W\d_]{0,3}(?:(?:this \w+ (?:was |is )?)?downloaded (?:from|by|on)\b|copyright\b|all rights reserved"
    r"|(?:\w+ )?(?:print |online )?e?-?issn\b|e?isbn\b|doi:? ?(?:https?:|10\.)|https?://\S+$|www\.\S+$|arxiv:\d"
    r"|(?:first |originally )?published (?:online|by|in:?$)|available online|vol(?:ume|\.) ?\d+.{0,60}$"
    r"|this article cites|e-?mail alert|receive free e-?mail|to (?:order|request) reprints|to subscribe to"
    r"|updated information (?:and|&) services|the following resources related|rapid responses?$|topic collections?$"
    r"|articles on similar topics|additional services and information|for personal use only|reprints?(?: and|:| of)"
    r"|printed (?:in|and published|by)\b|for copies write|cover (?:design|photo)"
    r"|the designations employed|no part of this (?:publication|book|work)|reproduction (?:and dissemination )?of this"
    r"|this is an open[- ]access|(?:th(?:is|e) (?:article|work|paper|book|document) )?(?:is |was )?(?:an )?"
    r"(?:open[- ]access|distributed under|licen[cs]ed under)"
    r"|permission (?:is (?:hereby )?granted|to reproduce)|some rights reserved"
    r"|electronic supplementary material|supplementary (?:information|data|material) (?:is|are) available"
    r"|(?:subscription|permissions) (?:information|requests)"
    r"|todos los derechos reservados|tous droits réservés|alle rechte vorbehalten|todos os direitos reservados"
    r"|wszelkie prawa zastrzeżone|derechos reservados)"
    r"|(?:[©#&Qcr]|\(c\)) ?(?:19|20)\d\d [A-Z]|© ",
    re.IGNORECASE,
)
_BEGINNINGS: Final = frozenset(
    """acc add all an ang arx art ava c cop cov der dis doi dow e-i e-m ein eis ele ema fir for htt is isb iss lic man
    no onl ope ori otr per pri pub q r rap rec rep rev reç som sub sup the thi to tod top tou upd vol was wsz
    www""".split()
)
"""First three letters of notes; they settle most lines."""
_SMALL: Final = ("http", "www", "doi", "arxiv", "e-", "email", "issn", "isbn", "c ", "q ", "r ")
"""Beginnings of notes with a small letter."""
_NO_HEAD = re.compile(
    r"[•·–-] .*|\d{1,2}(?:\.\d{1,2})+\.? .*|\d{1,2}\. .*"
    r"|\(?[A-Z][\w'’-]+(?: (?:and|&) [\w'’ -]+| et al\.?)?,? \(?(?:19|20)\d\d[a-z]?\)?",
    re.IGNORECASE,
)
"""Numbered headings and citations, which have numbers around them as well."""
_RIGHTS = re.compile(r"© ?\w|all rights reserved|\(print issn", re.IGNORECASE)
_SIGNS: Final = ("©", "ights reserved", "Downloaded from", "reative Commons", "ISSN")
"""Parts of notes that are looked for in the whole text."""
_AROUND_HEADS: Final = "0123456789 ·•|-–—/()[]\t\x0c\u00ad"
"""Page numbers around running heads, and the signs between."""


def find_furniture(lines: Lines) -> list[int]:
    """Return the lines, in order, that are notes of the publisher, or running heads and feet."""
    return sorted({*_find_notes(lines), *_find_repeated(lines)})


def _find_notes(lines: Lines) -> set[int]:
    """Return lines of notes: at the front by their beginning, elsewhere by a sign of rights."""
    notes: set[int] = set()
    front = bisect_right(lines.starts, min(TEXT.front, lines.starts[-1] - 1))
    end = 0
    for at, line in enumerate(lines.texts[:front]):
        if line and at >= end and _may_be_note(line) and _is_note(line):
            end = _end_of_note(lines, at)
            notes.update(range(at, end))
    for sign in _SIGNS:
        place = lines.text.find(sign, TEXT.front)
        while place >= 0:
            at = bisect_right(lines.starts, place) - 1
            line = lines.texts[at]
            if len(line) <= TEXT.longest_note and (
                (_may_be_note(line) and _is_note(line))
                or (len(line) <= TEXT.longest_publisher and _RIGHTS.search(line))
            ):
                notes.update(range(at, _end_of_note(lines, at)))
            place = lines.text.find(sign, lines.starts[at + 1])
    return notes


def _may_be_note(line: str) -> bool:
    return line[:3].lower().strip() in _BEGINNINGS or not line[0].isalpha()


def _is_note(line: str) -> bool:
    if len(line) > TEXT.longest_note or (line[0].islower() and not line.startswith(_SMALL)):
        return False
    return bool(_NOTE.match(line)) or is_dated(line)


def _end_of_note(lines: Lines, first: int) -> int:
    """Return the line after a note, which continues while lines are full and do not end a sentence."""
    last = first
    while last + 1 < min(len(lines), first + _NOTE_LINES):
        line, following = lines.texts[last], lines.texts[last + 1]
        full = TEXT.full * lines.width <= len(line) <= TEXT.longest_publisher
        if not following or not full or (line[-1] in ".!?" and not following[0].islower()):
            break
        last += 1
    return last + 1


def _find_repeated(lines: Lines) -> set[int]:
    """Return lines that are repeated as running heads are: alone, about once on each page or second page."""
    if lines.starts[-1] < TEXT.fewest_heads * TEXT.page:
        return set()
    cores = [line.strip(_AROUND_HEADS) for line in lines.texts]
    often = {core for core, count in Counter(cores).items() if count >= TEXT.fewest_heads and _may_be_head(core)}
    if not often:
        return set()
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, core in enumerate(cores):
        if core in often and not _NO_HEAD.fullmatch(lines.texts[at]):
            places[core].append(at)
    return {at for core, repeated in places.items() if _are_at_pages(lines, core, repeated) for at in repeated}


def _may_be_head(core: str) -> bool:
    if not TEXT.shortest_head <= len(core) <= TEXT.longest_head or core[0].islower():
        return False
    if core[-1] in ".,;:!?" and not core.endswith(("al.", "Ltd.", "Inc.")):
        return False
    if " " not in core and not (is_label(core) or "." in core):  # cells of tables, terms in italics
        return False
    return kind_of_heading(core) is None


def _are_at_pages(lines: Lines, core: str, places: list[int]) -> bool:
    """Return whether lines are as far apart as pages, and most are beside a blank line or have a page number."""
    if len(places) < TEXT.fewest_heads:
        return False
    distances = [lines.starts[later] - lines.starts[earlier] for earlier, later in pairwise(places)]
    if median(distances) < TEXT.page or min(distances) < TEXT.nearest_heads:
        return False
    alone = sum(
        not lines.before(at) or at + 1 == len(lines) or not lines.texts[at + 1] or len(lines.texts[at]) > len(core)
        for at in places
    )
    return alone >= TEXT.isolated * len(places)
