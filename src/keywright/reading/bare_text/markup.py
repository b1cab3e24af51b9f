"""Marks of markup left in a bare text: lines between a pair of tags, and the commands and formulas of LaTeX."""

import re
from typing import Final

from keywright.core.documents import SectionKind

Stretch = tuple[int, int, SectionKind]
"""First character, the one after the last, and the kind of text between."""

_TAGGED = re.compile(r"^[ \t]*<(title|section|h[1-6])>([^<>\n]{1,300})</\1>[ \t]*$", re.MULTILINE | re.IGNORECASE)
_SOURCE = re.compile(r"\\(?:begin|section|title|documentclass)\{")
_COMMAND = re.compile(
    r"\\(title|(?:sub){0,2}section)\*?\{([^{}\n]{1,300})\}"
    r"|\\begin\{(equation|align|eqnarray|gather|multline)\*?\}(?s:.{0,1000}?)\\end\{\3\*?\}"
    r"|\\(?:cite\w*|ref|eqref|label|url|includegraphics|usepackage|documentclass|bibliography\w*|begin|end|input)\*?"
    r"(?:\[[^\]\n]{0,200}\])*(?:\{[^{}\n]{0,300}\})*"
    r"|\\[A-Za-z]+\*?\{?|(?<!\\)%[^\n]*|\$\$?[^$]{1,300}\$\$?"
)
_MARKED_SECTIONS: Final = {"\\begin{abstract}": "Abstract", "\\begin{thebibliography}": "References"}
_FRONT: Final = 2_000  # characters in which a tagged title is that of the text. Arbitrary
_FEWEST_LETTERS: Final = 2  # letters of a heading; a number or letter alone is none. Arbitrary


def find_markup(text: str) -> list[Stretch]:
    """Return, in order, the marks of markup as notices, and the titles and headings inside of them."""
    stretches: list[Stretch] = []
    if "</" in text:
        for match in _TAGGED.finditer(text):
            stretches += _inside(match, is_title=match[1].lower() == "title" and match.start() < _FRONT)
    elif "\\" in text and _SOURCE.search(text):
        for match in _COMMAND.finditer(text):
            stretches += (
                _inside(match, is_title=match[1] == "title") if match[2] else [(*match.span(), SectionKind.NOTICE)]
            )
    return stretches


def without_marks(line: str) -> str:
    """Return the words of a line of markup; empty when there are none."""
    for mark, heading in _MARKED_SECTIONS.items():
        if line.startswith(mark):
            return heading
    match = _TAGGED.fullmatch(line) or _COMMAND.match(line)
    return (match[2] or "").strip() if match and sum(map(str.isalpha, match[2] or "")) >= _FEWEST_LETTERS else ""


def _inside(match: re.Match[str], *, is_title: bool) -> list[Stretch]:
    start, end = match.span()
    first, last = match.span(2)
    if sum(map(str.isalpha, match[2])) < _FEWEST_LETTERS:
        return [(start, end, SectionKind.NOTICE)]
    kind = SectionKind.TITLE if is_title else SectionKind.HEADING
    return [(start, first, SectionKind.NOTICE), (first, last, kind), (last, end, SectionKind.NOTICE)]
