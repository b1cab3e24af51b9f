"""Lines of a bare text that its author did not write, and words that are not of its subject, marked as notices."""

import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from operator import attrgetter
from statistics import median
from typing import Final

from keywright.core.documents import Section, SectionKind
from keywright.reading.bare_text.bare_lines import DATED, Lines, find_header, find_mail, is_cut_short, is_label
from keywright.reading.headings import kind_of_heading
from keywright.reading.page_numbers import TEXT

_REMARKS: Final = (
    r"citation needed|clarification needed|better source needed|failed verification|according to whom\?|by whom\?|who\?"
    r"|when\?|where\?|which\?|why\?|sic|edit|page needed|dubious[^\]]{0,20}|beleg fehlt|einzelnachweis fehlt|quelle\?"
    r"|réf\. (?:nécessaire|souhaitée|à confirmer)|cita requerida|senza fonte|carece de fontes|falta fonte|bron\?"
    r"|potrzebny przypis|источник не указан[^\]]{0,30}|джерело\?|zdroj\?|källa behövs|kilde mangler|trenger referanse"
    r"|lähde\?|forrás\?|necesită citare|kaynak belirtilmeli|butuh rujukan|petikan diperlukan|cần dẫn nguồn|cal citació"
    r"|erreferentzia behar|cómpre referencia|източник\?|nedostaje izvor|navedi vir|chýba zdroj|reikalingas šaltinis"
    r"|nepieciešama atsauce|viide\?|mankas fonto|fons desideratur"
)  # remarks of the editors of encyclopaedias in brackets; others are recognised by the missing blank before them
_DIRECTIONS: Final = (
    r"laugh\w*|applause|cheer\w*|(?:soft |upbeat |theme )?music\b|inaudible|unintelligible|indistinct|crosstalk"
    r"|overlapping|silence|paus\w+|chuckl\w*|sigh\w*|cough\w*|gasp\w*|whisper\w*|clears throat|beifall|heiterkeit"
    r"|lach\w+|gelächter|applau[sd]\w*|zuruf\w*|zwischenruf\w*|musik\b|rires?|sourires|musique|risas?|aplausos|música"
    r"|risate|applausi|musica"
)
_ASIDE: Final = re.compile(
    rf"\[(?:{_REMARKS})\]|\[(?<=[\w.,;:!?。，]\[)(?=[^\]\n]*(?: |\?|[^\x00-\u024f]))[^\[\]\n]{{2,40}}\]"
    rf"|\[(?:{_DIRECTIONS})[^\[\]\n]{{0,60}}\]|\((?:{_DIRECTIONS})[^()\n]{{0,60}}\)|♪[^♪\n]{{1,200}}♪"
    r"|\{\{[^{}]{0,400}\}\}|\{%[^{}\n]{0,300}%\}|\{[:#][^{}\n]{1,60}\}"
    r"|\[-?@[^\[\]\n]{1,200}\]|@(?<![\w.]@)[a-z][\w-]*\d{4}\w*",
    re.IGNORECASE,
)
_FORMULA: Final = re.compile(
    r"\$\$[^$]{1,500}\$\$|\$(?=[^$\n]*[\\^_={}<>])[^$\n]{1,200}\$|\\(?<![\w:\\]\\)[A-Za-z]{2,}(?![\w\\])"
)
_SIGNS: Final = "[({♪@"  # each aside has one; a text without any is not searched
_COLON: Final = re.compile(r":(?=\s|\Z)")
_SPEAKER: Final = re.compile(
    r"[ \t>-]*((?:\[?\d[\d:.]+\]? )?[^\W\d_][^\n:.!?,;(\[]{0,40}?)(?: ?[(\[][^()\[\]\n]{1,30}[)\]]){0,2}"
)
_WHOLE: Final = frozenset({SectionKind.TITLE, SectionKind.NOTICE})  # sections in which nothing is marked
_LONGEST_SPEAKER: Final = 90  # characters of the names and remarks before a colon; bounds the time
_FEWEST_SPEECHES: Final = 3  # lines that begin with the names of speakers, each of whom has two; arbitrary
_WROTE: Final = r"^(?:On|Am|Le|El|Il|Op|Em|Den)\b[^\n]{8,150}:[ \t]*\n\s*(?=>)"
_QUOTE: Final = re.compile(rf"(?:{_WROTE})?(?:^>[^\n]*(?:\n|\Z))+", re.MULTILINE)
"""Lines of another's mail, below the line that says whose they are."""
_MAIL_HEAD: Final = re.compile(
    r"(?:^-{2,}[^\n]{4,40}-{2,}[ \t]*\n)?(?:^(?:from|to|cc|sent|date|subject|von|an|gesendet|datum|betreff|de|à|envoyé"
    r"|objet|para|enviado|asunto) ?:[^\n]*(?:\n|\Z)){3,}",
    re.MULTILINE | re.IGNORECASE,
)  # the head of a mail inside another
_SUBJECTS: Final = ("Subject:", "Betreff:", "Objet :", "Objet:", "Asunto:")
_WIDEST: Final = 0.95  # share of the lines that are no longer than the text is wide; arbitrary, as what follows
_FEWEST_ITEMS, _LONGEST_ITEM = 3, 60  # lines of a list, and characters of each, that begin without a small letter
_COOKIES: Final = re.compile(
    r"^(?=[^\n]{0,400}$)(?=[^\n]*\bcookies?\b)[^\n]*\b(?:accept|consent|agree|by continuing|akzeptier\w+|zustimm\w+"
    r"|accepte[rz]?|acept\w+|accett\w+|aceit\w+|preferences|settings)\b[^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)


def mark_asides(text: str, sections: Sequence[Section], *, is_bare: bool = False) -> tuple[Section, ...]:
    """Return sections with what is not of the text's subject as notices; ``is_bare``: its lines mean something."""
    if is_bare and (find_mail(text) or find_header(text)):  # names of fields
        kinds = {SectionKind.METADATA: SectionKind.NOTICE}
        sections = [replace(section, kind=kinds.get(section.kind, section.kind)) for section in sections]
    asides = [match.span() for match in _ASIDE.finditer(text)] if any(sign in text for sign in _SIGNS) else []
    asides += [match.span() for match in _COOKIES.finditer(text)] if "ookie" in text else []
    if is_bare:
        asides += [match.span() for match in _FORMULA.finditer(text)] if "$" in text or "\\" in text else []
        asides += [*_find_mail_parts(text), *_find_speakers(text)] if ":" in text else []
    whole = [(section.start, section.end) for section in sections if section.kind in _WHOLE]
    ends = [(at, at) for at in _find_line_ends(text)] if is_bare and "\n" in text else []
    return _overlay(sections, _merge(asides, whole), ends) if asides or ends else tuple(sections)


def _merge(asides: list[tuple[int, int]], whole: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return stretches in order, without those that overlap one before or a whole section."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(asides):
        is_inside = any(start < last and first < end for first, last in whole)
        if not is_inside and not (merged and start < merged[-1][1]):
            merged.append((start, end))
    return merged


def _overlay(
    sections: Sequence[Section], asides: list[tuple[int, int]], ends: list[tuple[int, int]]
) -> tuple[Section, ...]:
    """Return sections cut around asides, which are notices, and an empty section of body at each end of a sentence."""
    parts = [Section(SectionKind.NOTICE, start, end) for start, end in asides]
    begins = [start for start, _ in asides]
    for section in sections:
        at = section.start
        first = bisect_left(asides, (at, at)) - 1
        for start, end in asides[max(first, 0) : bisect_left(begins, section.end)]:
            if end > at:
                parts += [Section(section.kind, at, start)] if start > at else []
                at = max(at, end)
        parts += [Section(section.kind, at, section.end)] if at < section.end else []
    parts.sort(key=attrgetter("start"))
    begins = [part.start for part in parts]
    for at, _ in ends:
        before = bisect_right(begins, at) - 1
        if before < 0 or parts[before].end <= at:
            parts.append(Section(SectionKind.BODY, at, at))
    return tuple(sorted(parts, key=attrgetter("start", "end")))


def _find_mail_parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the heads of mails, and of quotes where the text is a mail or says who wrote them."""
    if any(name in text for name in _SUBJECTS):
        yield from (match.span() for match in _MAIL_HEAD.finditer(text))
    if "\n>" in text and (find_mail(text) or re.search(_WROTE, text, re.MULTILINE)):
        yield from (match.span() for match in _QUOTE.finditer(text))


def _find_speakers(text: str) -> list[tuple[int, int]]:
    """Return the places of speakers' names in a transcript; none in a text where few lines begin with names."""
    matches = []
    for colon in _COLON.finditer(text):
        start = text.rfind("\n", 0, colon.start()) + 1
        if colon.start() - start <= _LONGEST_SPEAKER and (match := _SPEAKER.fullmatch(text, start, colon.start())):
            matches.append(match)
    speeches = Counter(match[1] for match in matches)
    often = [match for match in matches if speeches[match[1]] > 1]
    return [(match.start(1), match.end() + 1) for match in often] if len(often) >= _FEWEST_SPEECHES else []


def _find_line_ends(text: str) -> Iterator[int]:
    """Yield ends of lines that end a sentence without a stop: the next word would have found room."""
    lines = text.split("\n")
    lengths = sorted(filter(None, map(len, lines)))
    usual = lengths[int(_WIDEST * len(lengths))] if lengths else 0  # how wide the text is
    end = 0
    for filled, group in groupby(lines, key=bool):
        paragraph = list(group)
        if filled and len(paragraph) > 1:
            longest = max(map(len, paragraph))
            broken = list(_find_ends(paragraph, max(usual, longest)))
            is_ragged = 2 * len(broken) >= len(paragraph) > _FEWEST_ITEMS
            if is_ragged or (len(paragraph) >= _FEWEST_ITEMS and longest <= _LONGEST_ITEM):
                every = list(_find_ends(paragraph, sys.maxsize))
                broken = every if is_ragged or len(every) == len(paragraph) - 1 else broken
            yield from (end + at for at in broken)
        end += sum(map(len, paragraph)) + len(paragraph)


def _find_ends(paragraph: Sequence[str], width: int) -> Iterator[int]:
    """Yield the ends of lines that may end a sentence, and in which the next word would have found room."""
    end = 0
    for line, following in pairwise(paragraph):
        length = len(line)
        end += length + 1
        if length + 1 >= width or following[0].islower():  # settles most lines: no word is short enough
            continue
        words = following.split(None, 1)
        if words and length + 1 + len(words[0]) <= width and not words[0][0].islower() and not is_cut_short(line):
            yield end


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
)  # first three letters of notes; they settle most lines
_SMALL: Final = ("http", "www", "doi", "arxiv", "e-", "email", "issn", "isbn", "c ", "q ", "r ")
"""Beginnings of notes with a small letter."""
_NO_HEAD = re.compile(
    r"[•·–-] .*|\d{1,2}(?:\.\d{1,2})+\.? .*|\d{1,2}\. .*"
    r"|\(?[A-Z][\w'’-]+(?: (?:and|&) [\w'’ -]+| et al\.?)?,? \(?(?:19|20)\d\d[a-z]?\)?",
    re.IGNORECASE,
)  # numbered headings and citations, which have numbers around them as well
_RIGHTS = re.compile(r"© ?\w|all rights reserved|\(print issn", re.IGNORECASE)
_RIGHTS_SIGNS: Final = ("©", "ights reserved", "Downloaded from", "reative Commons", "ISSN")
"""Parts of notes that are looked for in the whole text."""
_AROUND_HEADS: Final = "0123456789 ·•|-–—/()[]\t\x0c\u00ad"  # page numbers around running heads, and the signs between


def find_furniture(lines: Lines) -> list[int]:
    """Return the lines, in order, that are notes of the publisher, or running heads and feet."""
    return sorted({*_find_notes(lines), *_find_repeated(lines)})


def _find_notes(lines: Lines) -> set[int]:
    """Return lines of notes: at the front by their beginning, elsewhere by a sign of rights."""
    notes: set[int] = set()
    front = bisect_right(lines.starts, min(TEXT.front, lines.starts[-1] - 1))
    end = 0
    for at, line in enumerate(lines.texts[:front]):
        if line and at >= end and _is_note(line):
            end = _end_of_note(lines, at)
            notes.update(range(at, end))
    for sign in _RIGHTS_SIGNS:
        place = lines.text.find(sign, TEXT.front)
        while place >= 0:
            at = bisect_right(lines.starts, place) - 1
            line = lines.texts[at]
            if _is_note(line) or (len(line) <= TEXT.longest_publisher and _RIGHTS.search(line)):
                notes.update(range(at, _end_of_note(lines, at)))
            place = lines.text.find(sign, lines.starts[at + 1])
    return notes


def _is_note(line: str) -> bool:
    if line[0].isalpha() and line[:3].lower().strip() not in _BEGINNINGS:
        return False
    if len(line) > TEXT.longest_note or (line[0].islower() and not line.startswith(_SMALL)):
        return False
    return bool(_NOTE.match(line) or DATED.match(line))


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
