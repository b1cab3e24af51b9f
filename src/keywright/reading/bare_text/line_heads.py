"""Heads of lines: names of speakers with the times beside them, fields of minutes, facts in boxes about people."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from keywright.core.word_lists import read_patterns
from keywright.reading.bare_text.bare_lines import NAME, is_in_capitals

_WORDS: Final = read_patterns("reading/line_wordings.txt")
_MINUTES: Final = frozenset(_WORDS["MINUTES"].split("|"))
_FIELDS: Final = _MINUTES.union(_WORDS["PLACES_AND_TIMES"].split("|"))
_BIOGRAPHY: Final = frozenset(_WORDS["BIOGRAPHY"].split("|"))
_HEAD: Final = re.compile(_WORDS["HEAD"], re.MULTILINE)  # *ANA (laughs):*, *[00:12] Ana:*, *Ana  0:12*, *10:02 <ana>*
_DIVIDED: Final = re.compile(_WORDS["DIVIDED"])
_COLON: Final = re.compile(r":(?=\s|\Z|(?<=\d:)\d)")
_SIGN: Final = re.compile(rf"[○◯]| (?:—|--) |^{_WORDS['CAPITALS']}", re.MULTILINE)
_CAPITALS: Final = re.compile(rf"\n{_WORDS['CAPITALS']}")
_SIGNS: Final = ("\n○", "\n◯", " — ", " -- ")
_OFFICE: Final = re.compile(r"\s*(?:(?:--|[–—,]) .*|\(.*\))$")
_ROLE: Final = re.compile(r"(?:Operator|Host|Moderator|Interviewer|Speaker ?\d*|M[rs]s? .*Speaker)$")
_SMALL_WORD: Final = re.compile(r"\b[^\W\d_A-ZÀ-Þ][^\W\d_]{3,}")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CELL: Final = re.compile(r"^([^\W\d_][^\n\t]{2,20})\t[^\n]*", re.MULTILINE)
_ABOVE_TIME: Final = re.compile(_WORDS["ABOVE_TIME"], re.MULTILINE)
_NUMBER: Final = re.compile(r"[\d.]+ +(?=\w)")  # number of a speech before the name
_FARTHEST: Final = 110  # characters of a head before its first colon; bounds the time
_SPOKEN: Final = '.!?…,-—)]"”»'  # ends of lines of speech
_LONGEST: Final = 90  # characters of a head that is a line of its own; arbitrary, as what follows
_BESIDE: Final = 20  # characters behind a name with the time in the line below; arbitrary
_FEWEST: Final = 3  # heads of those who speak again in a transcript, or fields
_MOST_WORDS: Final = 4  # words of a name alone on a line


class _Head(NamedTuple):
    start: int
    end: int
    name: str


def find_line_heads(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the places of heads of speeches, in order, none where few lines begin with names, and those of fields."""
    heads = list(_find_heads(text))
    # A phrase above a list or listing, *Apply the settings:*, has nothing behind it.
    alone = (text[head.end - 1] in ":：" and text[head.end : head.end + 1] in {"", "\n"} for head in heads)
    is_phrase = (_SMALL_WORD.search(head.name) or _UNSPACED.search(head.name) for head in heads)
    spoken = [head for head, *above in zip(heads, alone, is_phrase, strict=True) if not all(above)]
    spoken += _find_alone(text)
    speeches = Counter(head.name for head in spoken)
    timed = [head.name for head in spoken if re.search(r"\d:\d\d", text[head.start : head.end + _BESIDE])]
    timed = [name for name in timed if " " not in name or not _SMALL_WORD.search(name)]
    speeches.update(timed if len(timed) >= _FEWEST and len(set(timed)) < len(timed) else ())  # who writes once as well
    ends: dict[int, int] = {}
    for start, end, name in spoken:
        if speeches[name] > 1:
            ends[start] = max(end, ends.get(start, 0))
    lines = [(head.start, text.find("\n", head.start) % (len(text) + 1), head.name.lower()) for head in heads]
    cells = [(*match.span(), match[1].lower()) for match in _CELL.finditer(text)] if "\t" in text else []
    fields = [line for line in lines if line[2] in _FIELDS]
    of_minutes = sum(name in _MINUTES for _, _, name in fields)
    if not of_minutes or of_minutes + len(fields) <= _FEWEST:
        fields = []
    facts = [line for line in lines + cells if line[2] in _BIOGRAPHY]
    fields += facts if len(facts) >= _FEWEST else []
    return sorted(ends.items()) if len(ends) >= _FEWEST else [], [field[:2] for field in fields]


def _find_heads(text: str) -> Iterator[_Head]:
    """Yield heads that share their line with other words, a colon or a time; one for each such line."""
    signs = [(sign.start(), _HEAD) for sign in _COLON.finditer(text)]
    signs += [(sign.start(), _HEAD) for sign in re.finditer("：", text)]
    if any(sign in text for sign in _SIGNS) or _CAPITALS.search(text):
        signs += [(sign.start(), _DIVIDED) for sign in _SIGN.finditer(text)]
    done: set[int] = set()  # beginnings of lines that have a head
    last = -1
    for at, pattern in signs:
        start = text.rfind("\n", 0, at) + 1
        most = _MOST_WORDS if text[start].islower() else 2 * _MOST_WORDS
        if start == last or at - start > _FARTHEST or text.count(" ", start, at) > most:
            continue
        last = start
        above = text.rfind("\n", 0, max(start - 1, 0)) + 1  # a time alone is below its name
        match = pattern.match(text, start) or (text[at - 1 : at].isdigit() and _ABOVE_TIME.match(text, above))
        if match and match.start() not in done:
            done.add(match.start())
            yield _Head(match.end(1), match.end(), _NUMBER.sub("", match[match.lastindex or 0]).strip())


def _find_alone(text: str) -> list[_Head]:
    """Return heads that are lines of their own, above speech, with the names of people who take turns."""
    at = 0
    followed: list[tuple[_Head, str]] = []  # and the line below each
    head: _Head | None = None  # the last line, if nothing is right above
    is_free = True
    for line in text.split("\n"):
        if name := line.strip():
            if head:
                followed.append((head, name))
            is_head = is_free and len(name) <= _LONGEST and name[-1] not in ".:!?"
            head = _Head(at, at + len(line), name) if is_head else None
        is_free = not name
        at += len(line) + 1
    beginnings = Counter(head.name[:2] for head, _ in followed)  # most lines begin as no other does
    heads = [
        head._replace(name=_OFFICE.sub("", _OFFICE.sub("", head.name)))
        for head, below in followed
        if beginnings[head.name[:2]] > 1 and (below[-1] in _SPOKEN or len(_SMALL_WORD.findall(below)) >= _FEWEST)
    ]
    lines = Counter(head.name for head in heads)
    heads = [head for head in heads if lines[head.name] > 1 and head.name.count(" ") < _MOST_WORDS]
    heads = [head for head in heads if NAME.fullmatch(head.name) or _ROLE.match(head.name) or is_in_capitals(head.name)]
    turns = sum(first.name != second.name for first, second in pairwise(heads))
    return heads if len(heads) > _FEWEST and 2 * turns >= len(heads) else []
