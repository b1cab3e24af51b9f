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
from keywright.core.word_lists import read_patterns
from keywright.reading.bare_text.bare_lines import DATED, Lines, find_header, find_mail, is_cut_short, is_label
from keywright.reading.bare_text.line_heads import find_line_heads
from keywright.reading.headings import find_headings, kind_of_heading
from keywright.reading.page_numbers import TEXT

_WORDS: Final = read_patterns("reading/line_wordings.txt")
_CALL, _CALL_SIGNS = re.compile(_WORDS["CALLS"]), _WORDS["CALL_SIGNS"].split("|")
_IN_ALL: Final = (
    (re.compile(_WORDS["ASIDES"]), (*"[({♪@",)),
    (re.compile(_WORDS["EMOJI"]), (":",)),
    (re.compile(_WORDS["COOKIE_LINE"], re.MULTILINE), ("cookie",)),
)
"""Patterns of asides in small letters, and parts of which each match has one: a text without any is not searched."""
_CHAT: Final = re.compile(_WORDS["CHAT"], re.MULTILINE)
_IN_BARE: Final = (
    (re.compile(_WORDS["FORMULAS"]), ("$", "\\")),
    (re.compile(f"{_WORDS['TAGS']}|{_WORDS['ENTITIES']}"), ("<", "&")),
    (re.compile(_WORDS["TABLE_HEAD"], re.MULTILINE), _WORDS["TABLE_HEAD_SIGNS"].replace("_", "  ").split("|")),
    (re.compile(_WORDS["MAIL_HEAD"], re.MULTILINE), ("subject:", "betreff:", "objet :", "objet:", "asunto:")),
)
_CHAT_SIGNS: Final = [group.split("|") for group in _WORDS["CHAT_SIGNS"].split("||")]  # first, what all of several have
_BRACKETED: Final = re.compile(_WORDS["BRACKETED"], re.MULTILINE)
_WHOLE: Final = (SectionKind.TITLE, SectionKind.AUTHORS, SectionKind.NOTICE)  # in them only signs of sexes are marked
_SEXES: Final = re.compile(rf"\s?(?:{_WORDS['SEXES']}|{_WORDS['BARE_SEXES']})", re.IGNORECASE)
_WROTE: Final = re.compile(_WORDS["WROTE"], re.MULTILINE)
_QUOTE: Final = re.compile(_WORDS["QUOTE"], re.MULTILINE)
_WIDEST: Final = 0.95  # share of the lines that are no longer than the text is wide; arbitrary, as what follows
_FEWEST_ITEMS, _LONGEST_ITEM = 3, 60  # lines of a list, and characters of each, that begin without a small letter
_REST: Final = re.compile(r"^(?:\*\*\* ?END OF TH\w+ PROJECT GUTENBERG|-----BEGIN PGP SIGNATURE)", re.MULTILINE)
_FRONT: Final = re.compile(r"\A.{0,20000}?^\*\*\* ?START OF TH\w+ PROJECT GUTENBERG[^\n]*$", re.DOTALL | re.MULTILINE)
_STATED: Final = re.compile(r"^Title:[ \t]*(\S.*)$", re.MULTILINE)
_GREETING: Final = re.compile(rf"\b(?:{_WORDS['GREETINGS']})\b")


def mark_asides(text: str, sections: Sequence[Section], *, is_bare: bool = False) -> tuple[Section, ...]:
    """Return sections with what is not of the text's subject as notices; ``is_bare``: its lines mean something."""
    if is_bare and (find_mail(text) or find_header(text)):  # names of fields
        kinds = {SectionKind.METADATA: SectionKind.NOTICE}
        sections = [replace(section, kind=kinds.get(section.kind, section.kind)) for section in sections]
    small = text.replace("İ", "I").lower()  # the one letter that two letters are the small form of
    contains = small.__contains__
    patterns = [pattern for pattern, parts in (*_IN_ALL, *(_IN_BARE if is_bare else ())) if any(map(contains, parts))]
    if is_bare and any(common in small and (not signs or any(map(contains, signs))) for common, *signs in _CHAT_SIGNS):
        patterns.append(_CHAT)
    asides = [match.span() for pattern in patterns for match in pattern.finditer(small)]
    asides += find_headings(text, sections) if is_bare else []
    asides += _find_calls(small) if len(text) <= _LONGEST_LETTER else []
    if "*** START" in text and (front := _FRONT.match(text)):  # the front of a book, with its title
        end, stated = front.end(), _STATED.search(front[0])
        start, last = stated.span(1) if stated else (0, 0)
        behind = [replace(section, start=max(end, section.start)) for section in sections if section.end > end]
        sections = [Section(SectionKind.TITLE, start, last), *behind] if stated else behind
        asides = [aside for aside in asides if aside[0] >= end] + [(0, start), (last, end)]
    rests = _REST.finditer(text) if "*** END" in text or "P SIGNATURE" in text else ()
    asides += [(match.start(), len(text)) for match in rests]
    if not is_bare:  # in bare text, find_furniture has marked them
        lines = Lines.from_text(text)
        wholes = find_formalities(lines).union(
            at for at, line in enumerate(lines.texts) if _is_wording(line) or _is_label(line)
        )
        asides += [(lines.starts[at], lines.starts[at] + len(lines.texts[at])) for at in wholes if lines.texts[at]]
    if is_bare and "\n>" in text and (find_mail(text) or _WROTE.search(text)):
        asides += [match.span() for match in _QUOTE.finditer(text)]
    speakers, fields = find_line_heads(text)
    asides += fields
    if speakers:  # brackets that fill a line are stage directions, and no title begins with a speaker
        asides += speakers + [match.span() for match in _BRACKETED.finditer(text)]
        asides += [match.span() for match in _GREETING.finditer(small)]
        heads = {start for start, _ in speakers}
        sections = [part for part in sections if part.kind != SectionKind.TITLE or part.start not in heads]
    whole: list[tuple[int, int]] = []
    for section in sections:
        if section.kind in _WHOLE:
            sexes = [match.span() for match in _SEXES.finditer(text, section.start, section.end)]
            asides += sexes
            edges = [section.start, *(edge for span in sexes for edge in span), section.end]
            whole += zip(edges[::2], edges[1::2], strict=True)
    ends = [(at, at) for at in _find_line_ends(text)] if is_bare and "\n" in text else []
    return _overlay(sections, _merge(asides, whole), ends) if asides or ends else tuple(sections)


def _find_calls(text: str) -> Iterator[tuple[int, int]]:
    """Yield labels of telephone numbers and addresses, and sexes in advertisements of work, inside lines."""
    for label in _CALL_SIGNS:  # to find one after the other is faster than a pattern of all
        at = text.find(label)
        while at >= 0:
            if match := _CALL.match(text, at):
                yield match.span()
            at = text.find(label, at + 1)


def _merge(asides: list[tuple[int, int]], whole: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return stretches in order, without those that overlap one before or a whole section."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(asides, key=lambda aside: (aside[0], -aside[1])):
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


_BACK: Final = 3_000  # characters at the end, where pages have their categories and licences; arbitrary
_NOTE_LINES: Final = 12  # lines of a note that are looked at: bounds the time
_NOTE = re.compile(rf"[\W\d_]{{0,3}}(?:{_WORDS['NOTES']})|(?:[©#&Qcr]|\(c\)) ?(?:19|20)\d\d [A-Z]|© ", re.IGNORECASE)
_LINE = re.compile(rf"[^\w\n]{{0,3}}(?:{_WORDS['LINES']})", re.IGNORECASE)
_BUTTONS, _REACHED, _HOURS = (frozenset(_WORDS[name].split("|")) for name in ("BUTTONS", "REACHED", "HOURS"))
_NUMBERS, _LETTERS = re.compile(r"\d+"), re.compile(r"[^\W\d_]+")
_FIRST_LETTERS: Final = frozenset(label[:3].rstrip(" .:-") for label in _BUTTONS | _REACHED | _HOURS)
_AROUND_LABELS: Final = " *.!★☆…→←»«›‹>+|•·✓✔☎✉📞📧-–"  # signs around buttons and labels
_MEETING: Final = tuple(_WORDS["MEETING"].replace("\\n", "\n").split("|"))
_PROCEDURE: Final = re.compile(_WORDS["PROCEDURE"], re.IGNORECASE)
_LISTED: Final = frozenset(_WORDS["MINUTES"].split("|"))
_CLOSING: Final = re.compile(_WORDS["CLOSINGS"], re.IGNORECASE)
_PARTS: Final = {name: form for form in ("README", "RESUME") for name in _WORDS[form].split("|")}
_SCENE: Final = re.compile(_WORDS["SCENE"])
_LETTERHEAD: Final = re.compile(_WORDS["LETTERHEAD"], re.IGNORECASE)
_SALUTATION: Final = re.compile(rf"[^\w\n]{{0,3}}(?:{_WORDS['SALUTATIONS']})", re.IGNORECASE)
_LONGEST_LETTER: Final = 20_000  # characters; arbitrary, longer texts are papers and books, which quote letters
_OPENING, _FEWEST_FORMAL, _LONGEST_FORMAL = 1_000, 2, 120  # characters naming a meeting; its fewest lines, their length
_CLOSING_BEGINNINGS: Final = frozenset(_WORDS["CLOSING_BEGINNINGS"].split("|"))
_ANSWERED: Final = re.compile(rf"-{{3,}}|(?:{_WORDS['MAIL']}) ?:", re.IGNORECASE)
_WORDS_OF_SENTENCE: Final = 4  # blanks in a line that is a sentence; arbitrary
_LONGEST_CLOSING, _LONGEST_SIGNED, _MOST_SIGNED = 40, 60, 16  # characters of a closing, of lines below it, their number
_BEGINNINGS: Final = frozenset(_WORDS["BEGINNINGS"].split("|"))
_SMALL: Final = ("http", "www", "doi", "arxiv", "e-", "email", "issn", "isbn", "c ", "q ", "r ")
"""Beginnings of notes with a small letter."""
_NO_HEAD = re.compile(_WORDS["NO_HEADS"], re.IGNORECASE)
_RIGHTS = re.compile(r"© ?\w|all rights reserved|\(print issn", re.IGNORECASE)
_RIGHTS_SIGNS: Final = ("©", "ights reserved", "Downloaded from", "reative Commons", "ISSN")
"""Parts of notes that are looked for in the whole text."""
_AROUND_HEADS: Final = "0123456789 ·•|-–—/()[]\t\x0c\u00ad"  # page numbers around running heads, and the signs between


def find_furniture(lines: Lines) -> list[int]:
    """Return the lines, in order, that are notes of the publisher, or running heads and feet."""
    return sorted({*_find_notes(lines), *_find_repeated(lines), *find_formalities(lines)})


def find_formalities(lines: Lines) -> set[int]:
    """Return letterheads, signatures, lines of minutes about the meeting itself, and several that only name parts."""
    opening = f"\n{lines.text[:_OPENING].lower()}"
    is_meeting, is_letter = any(word in opening for word in _MEETING), len(lines.text) <= _LONGEST_LETTER
    looked_at = enumerate(lines.texts if is_meeting or is_letter or "INT. " in lines.text else ())
    short = [(at, line, line[:3].lower()) for at, line in looked_at if 0 < len(line) <= _LONGEST_FORMAL]
    formal = [at for at, line, _ in short if is_meeting and _PROCEDURE.fullmatch(line)]
    formal = formal if len(formal) >= _FEWEST_FORMAL else []
    listing = [at for at in formal if lines.texts[at].strip(" .:").lower() in _LISTED]
    forms = {at: "SCENE" if _SCENE.match(line) else _PARTS.get(line.strip(" *#:.").lower()) for at, line, _ in short}
    often = Counter(forms.values())
    formal += [at for at, form in forms.items() if form and often[form] >= _FEWEST_FORMAL]
    short = short if is_letter else []
    greetings = [at for at, line, start in short if start.strip() in _BEGINNINGS and _SALUTATION.fullmatch(line)]
    formal += greetings
    for _, group in groupby(range(min(greetings, default=0)), key=lambda at: bool(lines.texts[at])):
        block = list(group)  # a letterhead is short lines above the greeting
        texts = [lines.texts[at] for at in block]
        if all(map(_is_of_signature, texts)) and any(map(_LETTERHEAD.search, texts)):
            formal += block
    candidates = [at for at, line, start in short if start in _CLOSING_BEGINNINGS and len(line) <= _LONGEST_CLOSING]
    closings = [at for at in candidates if _CLOSING.fullmatch(lines.texts[at])]
    for at in [*listing, *closings]:
        end = next((below for below in range(at + 2, len(lines)) if not lines.texts[below]), len(lines))
        if at in closings and len(lines) - at <= _MOST_SIGNED and all(map(_is_of_signature, lines.texts[at:])):
            end = len(lines)
        is_signed = end - at <= _MOST_SIGNED and all(map(_is_of_signature, lines.texts[at:end]))
        formal += range(at, end if is_signed else at + 1)
    return set(formal)


def _is_of_signature(line: str) -> bool:
    """Return whether a line is as short as those below a closing, no sentence, and not the head of another mail."""
    is_sentence = line[-1:] in {*".!?"} and line.count(" ") >= _WORDS_OF_SENTENCE
    return len(line) <= _LONGEST_SIGNED and not is_sentence and not _ANSWERED.match(line)


def _is_label(line: str) -> bool:
    """Return whether a line is a button, a label with a number or address, or opening hours."""
    if len(line) > _LONGEST_SIGNED:
        return False
    start = line.lstrip(_AROUND_LABELS)[:3].rstrip(" .:：-").lower()
    if start not in _FIRST_LETTERS and not start[:1].isdigit():
        return False
    small = line.strip(_AROUND_LABELS).lower().replace("：", ":")
    numbered = _NUMBERS.sub("#", small)
    if numbered in _BUTTONS or (":" in small and small[: small.index(":")].rstrip(" .") in _REACHED):
        return True
    words = _LETTERS.findall(small) if numbered != small else []
    is_of_hours = words and _HOURS.issuperset(words) and len(max(words, key=len)) > 1
    return is_of_hours or (" | " in small and _BUTTONS.issuperset(numbered.split(" | ")))


def _is_wording(line: str) -> bool:
    return line[:3].lower().strip() in _BEGINNINGS and _LINE.fullmatch(line) is not None


def _find_notes(lines: Lines) -> set[int]:
    """Return lines of notes: at the front by their beginning, elsewhere by a sign of rights."""
    is_short = len(lines.text) <= _LONGEST_LETTER  # papers have labels of their authors
    notes: set[int] = set()
    front = bisect_right(lines.starts, min(TEXT.front, lines.starts[-1] - 1))
    end = 0
    for at, line in enumerate(lines.texts[:front]):
        if line and at >= end and (_is_note(line) or (is_short and _is_label(line))):
            end = _end_of_note(lines, at)
            notes.update(range(at, end))
    back = range(max(front, bisect_right(lines.starts, len(lines.text) - _BACK)), len(lines))
    texts = ((at, lines.texts[at]) for at in back)
    notes.update(at for at, line in texts if _is_wording(line) or (is_short and _is_label(line)))
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
    return bool(_NOTE.match(line) or DATED.match(line) or _LINE.fullmatch(line))


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
