"""Grounds that are shown with a keyphrase: reasons of its score, a sentence that shows it, its acronym."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, count_inside
from keywright.core.documents import AnalysedDocument, SectionKind, WordFlag
from keywright.core.keyphrases import Acronym, Sentence
from keywright.core.word_lists import read_sections
from keywright.text.abbreviations import find_abbreviations
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer

_ABOUT: Final = read_sections("extraction/ranking/reasons.txt")  # words in names of evidence, by subject
_PATTERNS: Final = {reason: re.compile(rf"\b(?:{words})", re.IGNORECASE) for reason, words in _ABOUT.items()}
_ORDER: Final = (
    "how often", "where", "how rare", "known as a keyphrase", "well-formed", "how central", "fits the text's subject",
    "agreed on", "suggested by", "kind of document", "other",
)  # fmt: skip
"""Order in which people see the subjects."""


def reasons(names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return names of evidence by subject, in a fixed order, without empty groups.

    A name belongs to the first subject that it has a word of, or to the subject that it equals.

    >>> reasons(["rarity", "mentions", "mentions in title and headings"])
    {'how often': ('mentions',), 'where': ('mentions in title and headings',), 'how rare': ('rarity',)}
    """
    groups: dict[str, list[str]] = {reason: [] for reason in _ORDER}
    for name in names:
        matching = (reason for reason, pattern in _PATTERNS.items() if pattern.search(name))
        groups[name if name in groups else next(matching, "other")].append(name)
    return {reason: tuple(group) for reason, group in groups.items() if group}


_PREFERRED: Final = (SectionKind.ABSTRACT, SectionKind.INTRODUCTION)
_NO_SENTENCES: Final = (
    SectionKind.TITLE, SectionKind.HEADING, SectionKind.AUTHORS, SectionKind.METADATA, SectionKind.CAPTION,
    SectionKind.REFERENCES,
)  # fmt: skip
_FEWEST: Final = 8  # minimum words of an informative sentence; arbitrary: shorter ones are mostly headings
_MOST: Final = 60  # maximum words of an informative sentence; arbitrary: longer ones are mostly tables and lists
_LONGEST: Final = 4_000
"""Characters of the longest sentence that is shown whole, of others those around a mention; arbitrary."""


def best_sentence(document: AnalysedDocument, spans: tuple[tuple[int, int], ...]) -> Sentence | None:
    """Return the shortest informative sentence with a mention, from abstract or introduction if possible.

    Informative sentences have 8 to 60 words and are outside of titles, headings, captions and references. Without one,
    the shortest other sentence with 8 words is returned, or else the longest. Ties go to the earliest. None is returned
    for no spans.
    """
    if not spans or not len(document):
        return None
    starts = np.array([start for start, _ in spans])
    token = np.clip(np.searchsorted(document.start, starts, "right") - 1, 0, len(document) - 1)
    number = np.unique(document.sentence[token])
    first = np.searchsorted(document.sentence, number, "left")
    last = np.searchsorted(document.sentence, number, "right") - 1
    words = count_inside(document.flags & WordFlag.LETTER > 0, first, last + 1)
    section = document.section[first]
    no_sentence = np.isin(section, [kind.code for kind in _NO_SENTENCES]) | (words > _MOST)
    elsewhere = ~np.isin(section, [kind.code for kind in _PREFERRED])
    short = words < _FEWEST
    order = np.lexsort((first, np.where(short, -words, words), elsewhere, no_sentence, short))
    best = order[0]
    start, end = int(document.start[first[best]]), int(document.end[last[best]])
    if end - start > _LONGEST:  # no sentence: a list or a text without full stops, of which each phrase would have all
        at = next(at for at, _ in spans if start <= at < end)
        start, end = max(start, at - _LONGEST // 2), min(end, at + _LONGEST // 2)
    return Sentence(" ".join(document.source.text[start:end].split()), (start, end))


def acronyms(document: AnalysedDocument) -> Mapping[int, Acronym]:
    """Return the first definition of each acronym, by the keys of both forms."""
    stem, text = stemmer(document.source.language or "en"), document.source.text
    definitions: dict[int, Acronym] = {}
    for pair in find_abbreviations(document):
        spans = ((int(document.start[first]), int(document.end[end - 1])) for first, end in (pair.short, pair.long))
        acronym = Acronym(*(" ".join(text[start:end].split()) for start, end in spans))
        for form in (acronym.short, acronym.long):
            definitions.setdefault(phrase_key(form, stem), acronym)
    return definitions


_SUBJECTS: Final = {
    "how often": "how often", "where": "where", "in which sections": "where", "how rare": "how rare",
    "known as a keyphrase": "known as a keyphrase",
    **dict.fromkeys(("how it is written", "well-formed", "its neighbours", "on its own"), "well-formed"),
    "beside the other candidates": "how central", "the document": "kind of document", "style": "kind of document",
}  # fmt: skip
"""Subject of each group of columns."""


def contributions_by_subject(contributions: Floats, columns: Sequence[str]) -> dict[str, Floats]:
    """Return sums of Shapley values, (rows, columns), for each subject of ``group: name``, (rows,)."""
    moved: dict[str, Floats] = {subject: np.zeros(len(contributions)) for subject in dict.fromkeys(_SUBJECTS.values())}
    for column, name in zip(contributions.T, columns, strict=False):
        moved[subject_of(name)] += column
    return moved


def subject_of(column: str) -> str:
    """Return the subject of a column ``group: name``."""
    return _SUBJECTS[column.partition(":")[0]]
