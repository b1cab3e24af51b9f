"""Evidence in groups that people understand: what the parts of a score are about, whatever the system calls them."""

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
_PATTERNS: Final = {reason: re.compile(rf"\b(?:{words})", re.IGNORECASE) for reason, words in _ABOUT.items()}
_ORDER: Final = (
    "how often",
    "where",
    "how rare",
    "known as a keyphrase",
    "well-formed",
    "how central",
    "agreed on",
    "other",
)


def reasons(names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Names of evidence by what they are about, the groups always in the same order, none of them empty.

    A name belongs to the first group that it has a word of; a system that names its evidence after the groups decides
    itself.

    >>> reasons(["rarity", "mentions", "mentions in title and headings"])
    {'how often': ('mentions',), 'where': ('mentions in title and headings',), 'how rare': ('rarity',)}
    """
    groups: dict[str, list[str]] = {reason: [] for reason in _ORDER}
    for name in names:
        groups[reason_of(name)].append(name)
    return {reason: tuple(found) for reason, found in groups.items() if found}


def reason_of(name: str) -> str:
    """The group that one name belongs to; ``other`` for a name that tells nothing."""
    if name in _ORDER:
        return name
    return next((reason for reason, pattern in _PATTERNS.items() if pattern.search(name)), "other")
