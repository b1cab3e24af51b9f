"""Words in a text that are not of its subject, marked as notices, and lines that are sentences of their own."""

import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Final

from keywright.core.documents import Section, SectionKind
from keywright.reading.bare_text.bare_lines import find_header, find_mail, is_cut_short

_REMARKS: Final = (
    r"citation needed|clarification needed|better source needed|failed verification|according to whom\?|by whom\?|who\?"
    r"|when\?|where\?|which\?|why\?|sic|edit|page needed|dubious[^\]]{0,20}|beleg fehlt|einzelnachweis fehlt|quelle\?"
    r"|réf\. (?:nécessaire|souhaitée|à confirmer)|cita requerida|senza fonte|carece de fontes|falta fonte|bron\?"
    r"|potrzebny przypis|источник не указан[^\]]{0,30}|джерело\?|zdroj\?|källa behövs|kilde mangler|trenger referanse"
    r"|lähde\?|forrás\?|necesită citare|kaynak belirtilmeli|butuh rujukan|petikan diperlukan|cần dẫn nguồn|cal citació"
    r"|erreferentzia behar|cómpre referencia|източник\?|nedostaje izvor|navedi vir|chýba zdroj|reikalingas šaltinis"
    r"|nepieciešama atsauce|viide\?|mankas fonto|fons desideratur"
)
"""Remarks of the editors of encyclopaedias in brackets; others are recognised by the missing blank before them."""
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
)
"""The head of a mail inside another."""
_SUBJECTS: Final = ("Subject:", "Betreff:", "Objet :", "Objet:", "Asunto:")
_WIDEST: Final = 0.95  # share of the lines that are no longer than the text is wide; arbitrary, as what follows
_FEWEST_ITEMS, _LONGEST_ITEM = 3, 60  # lines of a list, and characters of each, that begin without a small letter
_COOKIES: Final = re.compile(
    r"^(?=[^\n]{0,400}$)(?=[^\n]*\bcookies?\b)[^\n]*\b(?:accept|consent|agree|by continuing|akzeptier\w+|zustimm\w+"
    r"|accepte[rz]?|acept\w+|accett\w+|aceit\w+|preferences|settings)\b[^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)


def mark_asides(text: str, sections: Sequence[Section], *, is_bare: bool = False) -> tuple[Section, ...]:
    """Return the sections of a text with what is not of its subject as notices; titles stay whole.

    ``is_bare``: whether its lines mean something as well: speeches begin in them, and short ones are sentences.

    >>> [section.kind.value for section in mark_asides("It drips.[citation needed] (Applause)", ())]
    ['notice', 'notice']
    """
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
    usual = lengths[int(_WIDEST * len(lengths))] if lengths else 0
    end = 0
    for filled, group in groupby(lines, key=bool):
        paragraph = list(group)
        if filled and len(paragraph) > 1:
            yield from (end + at for at in _find_broken(paragraph, usual))
        end += sum(map(len, paragraph)) + len(paragraph)


def _find_broken(paragraph: Sequence[str], usual: int) -> list[int]:
    """Return the ends of the lines of a paragraph that end a sentence; ``usual``: how wide the text is."""
    longest = max(map(len, paragraph))
    short = list(_find_ends(paragraph, max(usual, longest)))
    is_ragged = 2 * len(short) >= len(paragraph) > _FEWEST_ITEMS
    if is_ragged or (len(paragraph) >= _FEWEST_ITEMS and longest <= _LONGEST_ITEM):
        broken = list(_find_ends(paragraph, sys.maxsize))
        return broken if is_ragged or len(broken) == len(paragraph) - 1 else short
    return short


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
