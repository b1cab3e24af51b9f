"""Subjects of evidence, which group the parts of a score across systems."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

_ABOUT: Final = {
    "agreed on": "votes?$",
    "known as a keyphrase": "known|keyphrase|keyword|lexicon|training|titles$|company",
    "where": "where|first|last|place|zone|near|section|title|abstract|intro|conclu|head|related|begin|deviat|spread",
    "how rare": "rare|rarity|(?:tf.?)?idf|elsewhere|documents with|boost",
    "how often": "often|mention|frequen|count|rank here",
    "well-formed": "well-formed|words?$|phrase|acronym|spelling|character|colloc|assoc|core|longer|share",
    "how central": "central|similar|weight|context",
}
"""Words in names of evidence, by subject; the first subject that matches counts."""
_PATTERNS: Final = {reason: re.compile(rf"\b(?:{words})", re.IGNORECASE) for reason, words in _ABOUT.items()}
_ORDER: Final = (
    "how often",
    "where",
    "how rare",
    "known as a keyphrase",
    "well-formed",
    "how central",
    "agreed on",
    "kind of document",
    "other",
)
"""Order in which people see the subjects."""


def reasons(names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return names of evidence by subject, in a fixed order, without empty groups.

    A name belongs to the first subject that it has a word of, or to the subject that it equals.

    >>> reasons(["rarity", "mentions", "mentions in title and headings"])
    {'how often': ('mentions',), 'where': ('mentions in title and headings',), 'how rare': ('rarity',)}
    """
    groups: dict[str, list[str]] = {reason: [] for reason in _ORDER}
    for name in names:
        groups[reason_of(name)].append(name)
    return {reason: tuple(group) for reason, group in groups.items() if group}


def reason_of(name: str) -> str:
    """Return the subject of a name of evidence; ``other`` if no pattern matches."""
    if name in _ORDER:
        return name
    return next((reason for reason, pattern in _PATTERNS.items() if pattern.search(name)), "other")
