"""Subtitles of five formats: the spoken text in paragraphs, without times, tags, speakers and sounds."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Final, NamedTuple

from keywright.core.documents import Document, SectionKind
from keywright.core.word_lists import read_sections
from keywright.reading.bare_text.cleaning import with_line_feeds
from keywright.reading.blocks import Block, LeftOut, Particulars, from_parts
from keywright.reading.encodings import decode
from keywright.reading.limits import Limits

_TIME: Final = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,]\d{1,3}"
_TIMES: Final = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}")
_LANGUAGE: Final = re.compile(r"Language:\s*([A-Za-z-]{2,20})")
_TAG: Final = re.compile(r"<[^<>\n]{0,500}>|\{\\[^{}\n]{0,100}\}")
_SOUND: Final = re.compile(r"\[[^\[\]\n]{0,100}\]|^\s*\([^()\n]{0,100}\)\s*$|[♪♫]+")
_CREDITS: Final = re.compile(read_sections("reading/line_wordings.txt")["CREDITS"], re.IGNORECASE)
_SPEAKER: Final = re.compile(r"^\s*(?:[-–>]+\s*)*(?:[A-Z][A-Z .'’-]{1,30}\d{0,2}:\s+)?")
_FORMS: Final = {
    re.compile(r"^Dialogue:[^,\n]*,([\d:.]+),([\d:.]+),(?:[^,\n]*,){6}(.*)$", re.MULTILINE): r"\1 --> \2\n\3",
    re.compile(r"^(\d+:\d\d:\d\d\.\d{3}),(\d+:\d\d:\d\d\.\d{3})\n((?:.+(?:\n|\Z))*)", re.MULTILINE): r"\1 --> \2\n\3",
    re.compile(r"^\[(\d{1,3}:\d\d[.:]\d{1,3})\](?:\[[\d:.]+\])*(.*)$", re.MULTILINE): r"\1 --> \1\n\2",
}
"""Cues of SubStation Alpha, SubViewer and LRC, and the same in WebVTT."""
_NAME: Final = re.compile(r"\s*([^\W\d_][\w.'’()-]{1,30}(?: [^\W\d_][\w.'’()-]{0,30}){0,3}):\s+")
_PAUSE: Final = 3.0  # seconds without speech that divide paragraphs; arbitrary


class Cue(NamedTuple):
    """Lines that are shown from a second to another."""

    start: float
    end: float
    lines: tuple[str, ...]


def read_subtitles(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a file of subtitles; what rolls from one cue into the next is read once."""
    decoded, notes = decode(data, name)
    text = _write_as_webvtt(with_line_feeds(decoded).removeprefix("\ufeff"))
    limits.check_text(len(text), name)
    left = LeftOut()
    language = _LANGUAGE.search(text.partition("\n\n")[0]) if text.startswith("WEBVTT") else None
    cues = list(_find_cues(text))
    heads = (_NAME.match(_TAG.sub("", line)) for cue in cues for line in cue.lines)
    names = Counter(head[1] for head in heads if head)
    speakers = frozenset(name for name, number in names.items() if number > 1)  # they speak again
    paragraphs = (Block(SectionKind.BODY, paragraph) for paragraph in _join_cues(cues, speakers, left))
    about = Particulars(language[1] if language else None)
    return from_parts(paragraphs, name, limits, left, about).add_warnings(*notes)


def _write_as_webvtt(text: str) -> str:
    """Return subtitles of other programs as WebVTT without their styles, the language of which is not stated."""
    for form, cue in _FORMS.items() if "-->" not in text else ():
        if cues := [match.expand(cue) for match in form.finditer(text)]:
            return "\n\n".join(("WEBVTT", *cues)).replace("\\N", "\n").replace("\\h", " ")
    return text


def _find_cues(text: str) -> Iterator[Cue]:
    """Yield the cues of a text: lines below times, up to the next number or times, in WebVTT up to a blank line."""
    lines = text.split("\n")
    timed = [(at, match) for at, line in enumerate(lines) if "-->" in line and (match := _TIMES.match(line))]
    followings = [*(at for at, _ in timed[1:]), len(lines) + 1]
    for (at, match), following in zip(timed, followings, strict=False):
        below = range(at + 1, min(following, len(lines)))
        ends = (line for line in below if not lines[line].strip())
        numbers = (line for line in below[-2:] if lines[line].strip().isdigit() and following < len(lines))
        end = next(ends if text.startswith("WEBVTT") else numbers, following)
        hour, minute, second, *last = (float(number or 0) for number in match.groups())
        start, stop = ((hour * 60 + minute) * 60 + second), ((last[0] * 60 + last[1]) * 60 + last[2])
        yield Cue(start, stop, tuple(lines[at + 1 : end]))


def _join_cues(cues: Iterable[Cue], speakers: frozenset[str], left: LeftOut) -> Iterator[str]:
    """Yield paragraphs of spoken lines; pauses divide them, and repeated lines are left out."""
    paragraph: list[str] = []
    shown: list[str] = []  # lines of the cue before
    end = 0.0
    for cue in cues:
        spoken = list(filter(None, (_clean_line(raw, speakers, left) for raw in cue.lines)))
        if cue.start - end > _PAUSE and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        for line in spoken:
            if line in shown:
                continue
            if paragraph and paragraph[-1] in shown and line.startswith(f"{paragraph[-1]} "):
                paragraph.pop()  # the same line, longer by a word
            paragraph.append(line)
        shown, end = spoken or shown, max(end, cue.end)
    yield " ".join(paragraph)


def _clean_line(raw: str, speakers: frozenset[str], left: LeftOut) -> str:
    line = unescape(_TAG.sub("", raw))
    for sound in _SOUND.finditer(line):
        left.add("description of a sound", len(sound[0]))
    words = " ".join(_SOUND.sub(" ", line).split())
    if _CREDITS.fullmatch(words):
        left.add("credit", len(words))
        return ""
    name = _NAME.match(words)
    return words[name.end() :] if name and name[1] in speakers else _SPEAKER.sub("", words, count=1)
