"""Headings of known wording: which kind of section each opens; and lists of keywords that a document prints."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from keywright.core.documents import Section, SectionKind
from keywright.core.word_lists import read_patterns
from keywright.reading.page_numbers import TEXT

_SHORTEST_ASCII: Final = 5  # fewest characters of a heading in ASCII letters: those of "Fazit"

_SPACED_LETTERS = re.compile(r"(?:\w ){3,}\w")


_WORDINGS: Final = read_patterns("reading/section_headings.txt")
_KINDS: Final = SectionKind.__members__
_KNOWN = re.compile("|".join(f"(?P<{kind}>{form})" for kind, form in _WORDINGS.items() if kind in _KINDS))
_RUN_IN = re.compile(_WORDINGS["RUN_IN"], re.IGNORECASE)
_NUMBERING = re.compile(_WORDINGS["NUMBERING"])
_SECTION_NAMES: Final = frozenset(_WORDINGS["NAMES"].split("|"))
FIRST_WORDS: Final = frozenset({*_WORDINGS["FIRST_WORDS"].split("|"), *(n.split()[0] for n in _SECTION_NAMES)})


def is_section_name(line: str) -> bool:
    """Return whether a line is the heading of a section that many papers have and no kind is for: *Results*."""
    return line.lower().strip(" .:") in _SECTION_NAMES


def kind_of_heading(heading: str) -> SectionKind | None:
    """Return the kind of section that a heading opens, numbered or not; None for an ordinary heading."""
    line = " ".join(heading.split())
    if not line or len(line) > TEXT.longest_heading or (len(line) < _SHORTEST_ASCII and line.isascii()):
        return None
    return _find_kind(line)


@lru_cache(maxsize=1 << 12)  # one line is asked for several times, and headings come again in the next text
def _find_kind(line: str) -> SectionKind | None:
    if line[1:2] == " " and _SPACED_LETTERS.fullmatch(line):
        line = line.replace(" ", "")
    numbering = _NUMBERING.match(line)
    words = line[numbering.end() :] if numbering and numbering.end() < len(line) else line
    match = _KNOWN.fullmatch(words.lower().strip(" .:;*†‡—–-"))
    return SectionKind[match.lastgroup] if match and match.lastgroup else None


def run_in_heading(line: str) -> tuple[SectionKind, int] | None:
    """Return kind and length of a heading with its text on the same line, such as "Abstract—We show"; else None."""
    match = _RUN_IN.match(line)
    return (SectionKind[match.lastgroup], match.end()) if match and match.lastgroup else None


def find_headings(text: str, sections: Iterable[Section]) -> Iterator[tuple[int, int]]:
    """Yield headings in abstracts, alone in a line or before a text: *Abstract*, *Methods:*."""
    for section in (each for each in sections if each.kind == SectionKind.ABSTRACT):
        for line in re.compile(r".+").finditer(text, section.start, section.end):
            run_in, is_heading = run_in_heading(line[0]), kind_of_heading(line[0]) or is_section_name(line[0])
            if run_in or is_heading:
                yield line.start(), line.start() + run_in[1] if run_in else line.end()


_BULLETS = re.compile(r"[•·∙⋅▪|¶]|\s[–-]\s|—|\n\s*\n|\n\s*[-*]\s")
_COMMAS = re.compile(r",(?!\d)|[，、]")  # but not that of *1,2-dichloroethane*
_LONGEST = 120  # characters of a keyphrase; more is a sentence. Arbitrary


def split_keywords(text: str) -> list[str]:
    """Return the keyphrases of a printed list, in order, each once; empty text gives none.

    The strongest separator in it divides: semicolons, then bullets and dashes, then commas, then line ends.
    """
    if run_in := run_in_heading(text):
        text = text[run_in[1] :]
    text = text.strip().rstrip(".")
    if ";" in text:
        parts = text.split(";")
    elif _BULLETS.search(text):
        parts = _BULLETS.split(text)
    elif _COMMAS.search(text):
        parts = _COMMAS.split(text)
    else:
        parts = text.split("\n")
    return drop_repeated(" ".join(part.split()).strip(" .:") for part in parts)


def drop_repeated(phrases: Iterable[str]) -> list[str]:
    """Return phrases without empty or overlong ones, each once whatever its case."""
    distinct: dict[str, str] = {}
    for phrase in phrases:
        if 0 < len(phrase) <= _LONGEST:
            distinct.setdefault(phrase.casefold(), phrase)
    return list(distinct.values())


def printed_keywords(text: str, sections: Iterable[Section]) -> list[str]:
    """Return the keyphrases in a document's sections of kind ``keywords``."""
    lists = [text[section.start : section.end] for section in sections if section.kind == SectionKind.KEYWORDS]
    return drop_repeated(phrase for printed in lists for phrase in split_keywords(printed))


_FUNCTION_WORDS: Final = frozenset(_WORDINGS["FUNCTION_WORDS"].split("|"))
_VERBS_AND_PRONOUNS: Final = frozenset(_WORDINGS["VERBS_AND_PRONOUNS"].split("|"))


def is_prose(text: str) -> bool:
    """Return whether a text is sentences rather than names and addresses: long, with function words and verbs."""
    words = text.lower().split()
    functional = sum(word in _FUNCTION_WORDS for word in words)
    verbs = sum(word in _VERBS_AND_PRONOUNS for word in words)
    return (
        len(words) >= TEXT.prose_words
        and functional >= TEXT.prose_function_words * len(words)
        and verbs >= TEXT.prose_verbs
    )
