"""Author keywords as printed: a line of phrases between separators."""

import re
from collections.abc import Iterable

from keywright.core.documents import Section, SectionKind
from keywright.reading.headings import run_in_heading

_BULLETS = re.compile(r"[•·∙⋅▪|¶]|\s[–-]\s|—|\n\s*\n|\n\s*[-*]\s")
_COMMAS = re.compile(r",(?!\d)|[，、]")  # but not that of *1,2-dichloroethane*
_LONGEST = 120  # characters of a keyphrase; more is a sentence. Arbitrary


def split_keywords(text: str) -> list[str]:
    """Return the keyphrases of a printed list, in order, each once; empty text gives none.

    The strongest separator in it divides: semicolons, then bullets and dashes, then commas, then line ends.

    >>> split_keywords("Keywords: grid computing; peer-to-peer, structured; caching.")
    ['grid computing', 'peer-to-peer, structured', 'caching']
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
    return unique(" ".join(part.split()).strip(" .:") for part in parts)


def unique(phrases: Iterable[str]) -> list[str]:
    """Return phrases without empty or overlong ones, each once whatever its case."""
    distinct: dict[str, str] = {}
    for phrase in phrases:
        if 0 < len(phrase) <= _LONGEST:
            distinct.setdefault(phrase.casefold(), phrase)
    return list(distinct.values())


def printed_keywords(text: str, sections: Iterable[Section]) -> list[str]:
    """Return the keyphrases in a document's sections of kind ``keywords``."""
    lists = [text[section.start : section.end] for section in sections if section.kind == SectionKind.KEYWORDS]
    return unique(phrase for printed in lists for phrase in split_keywords(printed))
