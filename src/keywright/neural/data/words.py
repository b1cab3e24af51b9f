"""Words of a generator: lower case, numbers as one word, each with its place in the text.

The published files of keyphrase generation are tokenised so (Chan et al. 2019, Ye et al. 2021): runs of letters and
digits and a few signs are words, every other character separates words, a number is ``<digit>``, and the title is
separated from the abstract by ``.`` and a mark. The mark is ``<eos>`` there, the same as the end of the keyphrases,
which a copying generator could then copy; here it is a word of its own.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from keywright.core.documents import Document, SectionKind
from keywright.text.tokens import NUMBER, WORDS

TITLE_END: Final = (".", "<title_end>")
"""Words between title and abstract."""
MASKED: Final = "<left_out>"
"""Word of a source that was changed for training: here, words were left out."""
_NOWHERE: Final = (-1, -1)
"""Place of an added word; no character has a negative offset."""

_SKIPPED: Final = frozenset(
    {
        SectionKind.AUTHORS,
        SectionKind.KEYWORDS,
        SectionKind.METADATA,
        SectionKind.ACKNOWLEDGEMENTS,
        SectionKind.REFERENCES,
        SectionKind.NOTICE,
    }
)
"""Sections that are not read: the keyphrases themselves, and text about the document rather than its subject."""


@dataclass(frozen=True, slots=True)
class Source:
    """Words that a generator reads.

    Attributes:
        words: lower case, (words,).
        spans: place of each word in the document's text, half-open, in characters; (-1, -1) for added words.
    """

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        """Number of words."""
        return len(self.words)


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text, such as a keyphrase."""
    return tuple(word for word, _, _ in _find_words(text, 0, len(text)))


def make_windows(document: Document, longest: int) -> list[Source]:
    """Return what a generator reads of a document, in windows of at most ``longest`` words.

    The first window has the title, the abstract, and as much of the other text as fits; each later one has the title
    and the text that comes next. Empty text gives no window.
    """
    return _cut_windows(*_split_title(document), longest)


def first_window(document: Document, longest: int) -> tuple[Source | None, bool]:
    """Return the first of ``windows_of``, None for empty text, and whether there are others; the rest is not read."""
    windows = _cut_windows(*_split_title(document, longest + 1), longest)
    return (windows[0], len(windows) > 1) if windows else (None, False)


_Words: TypeAlias = list[tuple[str, int, int]]
"""Words with their places."""


def _split_title(document: Document, most: int | None = None) -> tuple[_Words, _Words]:
    """Return the words of the title, and of the other text, the first ``most`` of these."""
    title: _Words = []
    text: _Words = []
    for kind, start, end in _order_stretches(document):
        words = _find_words(document.text, start, end)
        if kind == SectionKind.TITLE:
            title.extend(words)
        else:
            text.extend(words if most is None else itertools.islice(words, most - len(text)))
    return title, text


def _cut_windows(title: _Words, text: _Words, longest: int) -> list[Source]:
    if title and text:
        head = [*title[: max(longest // 2, 1)], *((word, *_NOWHERE) for word in TITLE_END)]
    else:
        head, text = [], title + text
    room = max(longest - len(head), 1)
    return [_make_source(head + text[at : at + room]) for at in range(0, len(text), room)]


def _make_source(words: _Words) -> Source:
    return Source(tuple(word for word, _, _ in words), tuple((start, end) for _, start, end in words))


def _order_stretches(document: Document) -> Iterator[tuple[SectionKind, int, int]]:
    """Yield the stretches of text that are read: titles, abstracts, then the others in their order."""
    stretches, last = [], 0
    for section in document.sections:
        stretches.append((SectionKind.BODY, last, section.start))
        stretches.append((section.kind, section.start, section.end))
        last = section.end
    stretches.append((SectionKind.BODY, last, len(document.text)))
    first = {SectionKind.TITLE: 0, SectionKind.ABSTRACT: 1}
    for kind, start, end in sorted(stretches, key=lambda stretch: first.get(stretch[0], 2)):
        if kind not in _SKIPPED and start < end:
            yield kind, start, end


def _find_words(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a stretch with their places."""
    for match in WORDS.finditer(text, start, end):
        word = match.group().lower()
        yield NUMBER if word.isdecimal() else word, match.start(), match.end()
