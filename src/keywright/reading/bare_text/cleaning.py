"""Signs in bare text that are no part of its words: line ends inside words, invisible characters, markup."""

import html
import re
from collections import Counter
from collections.abc import Sequence
from html.entities import html5
from typing import Final

from keywright.core.word_lists import read_patterns
from keywright.reading.bare_text.bare_lines import Lines
from keywright.reading.bare_text.sections import LATEX_SOURCE
from keywright.reading.blocks import drop_invisible
from keywright.reading.layout.flow import Vocabulary, link_lines

_WORDS: Final = read_patterns("reading/line_wordings.txt")
_SOFT_BREAK: Final = re.compile(r"\u00ad[ \t]*\n[ \t]*(?=\w)")
_BROKEN_WORD: Final = re.compile(r"-\n(?<=\w-\n)[ \t]*([^\W\d_]\S*)[ \t]*\n?")
_BLANKS_BEHIND: Final = re.compile(r"-(?<=\w-)[ \t]{1,9}\n")
_TERMINAL: Final = re.compile(r"\x1b\[[\d;]*[A-Za-z]")  # colours of a terminal
_FIRST_PART: Final = re.compile(r"[^\W\d_][\w'’-]*\Z")
_STOPS: Final = ",.;:!?)"
_LONGEST_PART: Final = 60  # characters of a part of a word, more than any has: bounds the search
_UNSPACED: Final = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
_UNSPACED_BREAK: Final = re.compile(rf"\n(?<=[{_UNSPACED}]\n)[^\S\n]*(?=[{_UNSPACED}])")
_ENTITY: Final = re.compile(_WORDS["ENTITIES"])
_TAG: Final = re.compile(_WORDS["TAGS"], re.IGNORECASE)
_REFERENCE: Final = re.compile(_WORDS["CITATIONS"])
_COMMAND: Final = re.compile(r"\\[A-Za-z]{2,}\*?\{([^{}\\]{0,2000})\}")
_SYMBOL: Final = re.compile(r"\$(?<![\\$]\$)((?:[A-Za-z\d]|\\[A-Za-z]{2,12}+|[_^]\{?\d{1,3}+\}?+){1,16}+)\$(?![\d$])")
_SYMBOL_PART: Final = re.compile(r"\\([A-Za-z]+)|[_^{}]")
_FULL: Final = 0.7  # share of a full line's length from which a line of Chinese or Japanese goes on; arbitrary
_NESTED: Final = 3  # commands or escapes inside each other that are removed; deeper ones are not in running text


def clean_text(text: str) -> str:
    """Return a text without signs that do not belong to its words.

    Words that a line end divides are whole again, with the text's own words as witness for hyphens of compounds; lines
    of Chinese and Japanese join without a blank. Invisible signs go, entities become characters, tags and commands of
    LaTeX leave the words in them. Line ends are line feeds.
    """
    text = with_line_feeds(text)
    if "&" in text or ("<" in text and ">" in text):
        for _ in range(_NESTED):
            text = _ENTITY.sub(lambda match: html.unescape(match[0]).replace("\xa0", " "), text)
            text = _TAG.sub(lambda match: "\n" if match[1] else "", text) if "<" in text else text
    if ("\\" in text or "$" in text) and not LATEX_SOURCE.search(text):
        text = write_symbols(text)
        text = _REFERENCE.sub("\0", text).replace(" \0", "").replace("~\0", "").replace("\0", "")
        for _ in range(_NESTED):
            text = _COMMAND.sub(r"\1", text)
    if not text.isascii():
        text = join_unspaced(drop_invisible(_SOFT_BREAK.sub("", text)), _FULL)
        text = text.replace("\u2010\n", "-\n").replace("¬\n", "-\n")
    text = _TERMINAL.sub("", text) if "\x1b[" in text else text
    text = _BLANKS_BEHIND.sub("-\n", text) if "- \n" in text or "-\t\n" in text else text
    return _join_broken_words(text) if "-\n" in text else text


def write_symbols(text: str) -> str:
    """Return a text with formulas that are one symbol as signs, by names of entities: *k-means*, *L2 norm*, *CO2*."""
    return _SYMBOL.sub(lambda symbol: _SYMBOL_PART.sub(lambda part: html5.get(f"{part[1]};", ""), symbol[1]), text)


def with_line_feeds(text: str) -> str:
    """Return a text with all line ends as line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def join_unspaced(text: str, fullness: float = 0.0) -> str:
    """Return a text without line ends between Chinese or Japanese letters of lines that are long enough.

    ``fullness``: least share of the width, which is that of the text or, if larger, of the line's paragraph.
    """
    if text.isascii() or not _UNSPACED_BREAK.search(text):
        return text
    usual = Lines.from_text(text).width if fullness else 0

    def join_lines(paragraph: str) -> str:
        shortest = fullness * max(usual, *map(len, paragraph.split("\n")))

        def join(match: re.Match[str]) -> str:
            length = match.start() - paragraph.rfind("\n", 0, match.start()) - 1
            return "" if length >= shortest or length == 1 else match[0]

        return _UNSPACED_BREAK.sub(join, paragraph)

    return "\n\n".join(map(join_lines, text.split("\n\n")))


def _join_broken_words(text: str) -> str:
    """Return a text in which words that a line end divides are whole, in the first of the two lines."""
    parts: dict[int, tuple[str, str]] = {}
    for match in _BROKEN_WORD.finditer(text):
        start = match.start()
        if first := _FIRST_PART.search(text[max(0, start - _LONGEST_PART) : start].rsplit(None, 1)[-1]):
            parts[start] = first[0], match[1]
    witness = Vocabulary(())
    witness.counts = _count_words(text.lower(), [(first.lower(), second.lower()) for first, second in parts.values()])

    def join(match: re.Match[str]) -> str:
        if match.start() not in parts:
            return match[0]
        first, second = parts[match.start()]
        link, cut = link_lines(f"{first}-", second, witness)
        return f"{'-'[cut:]}{link}{second}" + ("\n" if match.end() < len(text) else "")

    return _BROKEN_WORD.sub(join, text)


def _count_words(text: str, parts: Sequence[tuple[str, str]]) -> Counter[str]:
    """Return how often a text has the parts of broken words, elsewhere, and the words that they can make."""
    bare = {part for first, second in parts for part in (first, *first.split("-"))}
    seconds = [second.rstrip(_STOPS) for _, second in parts]
    bare.update(seconds)
    for (first, _), second in zip(parts, seconds, strict=True):
        bare |= {f"{first}{second}", f"{first}-{second}"}
    counts: Counter[str] = Counter()
    stopped = bare.union(f"{word}{stop}" for word in bare for stop in ",.")
    for word, count in Counter(filter(stopped.__contains__, text.split())).items():
        counts[word.rstrip(_STOPS)] += count
    counts.subtract(seconds)
    return counts
