"""Words of a generator: lower case, numbers as one word, each with its place in the text, and the vocabulary.

The published files are tokenised so (Chan et al. 2019, Ye et al. 2021): runs of letters and digits and a few signs are
words, a number is ``<digit>``, and ``.`` and a mark separate title and abstract. The mark is ``<eos>`` there, the end
of the keyphrases, which a copying generator could then copy; here it is a word of its own. Words of a batch that are
not in the vocabulary get the numbers behind it in the order of their document (See, Liu and Manning 2017,
pointer-generator networks).
"""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BrokenFile
from keywright.text.tokens import NUMBER, WORDS

Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A document for training: the words that are read, and keyphrases.

    The ``present`` ones have stems that occur in the source, in the order of occurrence; the others are in that of the
    gold. Keyphrases ``behind`` the end of a cut source are not taught, and count as present in a validation.
    """

    id: str
    source: Words
    present: tuple[Words, ...]
    absent: tuple[Words, ...]
    behind: tuple[Words, ...] = field(default=(), repr=False)

    @property
    def phrases(self) -> tuple[Words, ...]:
        """All keyphrases, present ones first."""
        return self.present + self.absent


TITLE_END: Final = (".", "<title_end>")  # words between title and abstract
MASKED: Final = "<left_out>"  # word of a source that was changed for training: here, words were left out
UNKNOWN_PIECE: Final = "<unk>"  # mark of characters that no piece of words has
_SKIPPED: Final = frozenset({
    SectionKind.AUTHORS, SectionKind.KEYWORDS, SectionKind.METADATA, SectionKind.ACKNOWLEDGEMENTS,
    SectionKind.REFERENCES, SectionKind.NOTICE,
})  # fmt: skip
"""Sections that are not read: the keyphrases themselves, and text about the document rather than its subject."""
_ORDER: Final = {SectionKind.TITLE: 0, SectionKind.ABSTRACT: 1}  # sections that are read before the others

SPECIAL: Final = ("<pad>", "<unk>", "<bos>", "<eos>", ";", "<peos>", "<null>", "<p_start>", "<a_start>")
"""Marks with the first numbers: padding, unknown word, begin, end, separator of phrases, end of the present ones, empty
slot, and the starts of a present and an absent phrase."""
PAD, UNKNOWN, BEGIN, END, SEPARATOR, PRESENT_END, NULL, PRESENT, ABSENT = range(len(SPECIAL))


@dataclass(frozen=True, slots=True)
class Source:
    """Words that a generator reads, lower case, and their half-open places in the text; (-1, -1) for added words."""

    words: Words
    spans: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.words)


def split_words(text: str) -> Words:
    """Return the words of a text, such as a keyphrase."""
    return tuple(word for word, _, _ in _find_words(text, 0, len(text)))


def make_windows(document: Document, longest: int) -> list[Source]:
    """Return what a generator reads of a document, in windows of at most ``longest`` words; none of empty text.

    The first has the title, the abstract and as much as fits; each later one the title and the text that comes next.
    """
    return _cut_windows(*_split_title(document), longest)


def first_window(document: Document, longest: int) -> tuple[Source | None, bool]:
    """Return the first of ``make_windows``, None for empty text, and whether there are others; the rest is not read."""
    windows = _cut_windows(*_split_title(document, longest + 1), longest)
    return (windows[0], len(windows) > 1) if windows else (None, False)


def split_title(document: Document) -> tuple[Words, Words]:
    """Return the words of the titles of a document, and of its other text."""
    title, text = _split_title(document)
    return tuple(word for word, _, _ in title), tuple(word for word, _, _ in text)


_Words: TypeAlias = list[tuple[str, int, int]]  # words with their places


def _split_title(document: Document, most: int | None = None) -> tuple[_Words, _Words]:
    """Return the words of the titles, and of the other text, abstracts first, the first ``most`` of these."""
    stretches, last = [], 0
    for section in document.sections:
        stretches.append((SectionKind.BODY, last, section.start))
        stretches.append((section.kind, section.start, section.end))
        last = section.end
    stretches.append((SectionKind.BODY, last, len(document.text)))
    title: _Words = []
    text: _Words = []
    for kind, start, end in sorted(stretches, key=lambda stretch: _ORDER.get(stretch[0], len(_ORDER))):
        words = _find_words(document.text, start, end)
        if kind == SectionKind.TITLE:
            title.extend(words)
        elif kind not in _SKIPPED:
            text.extend(words if most is None else itertools.islice(words, most - len(text)))
    return title, text


def _cut_windows(title: _Words, text: _Words, longest: int) -> list[Source]:
    head: _Words = []
    if title and text:
        head = [*title[: max(longest // 2, 1)], *((word, -1, -1) for word in TITLE_END)]
    else:
        text = title + text
    room = max(longest - len(head), 1)
    rows = (head + text[at : at + room] for at in range(0, len(text), room))
    return [Source(tuple(word for word, _, _ in row), tuple((start, end) for _, start, end in row)) for row in rows]


def _find_words(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for match in WORDS.finditer(text, start, end):
        word = match.group().lower()
        yield NUMBER if word.isdecimal() else word, match.start(), match.end()


@dataclass(frozen=True)
class Vocabulary:
    """Words with numbers from 0; ``SPECIAL`` come first."""

    words: Words

    @classmethod
    def of(cls, examples: Iterable[Example], size: int) -> "Vocabulary":
        """Return the ``size`` most frequent words of examples, marks among them; ties in alphabetical order."""
        counts = Counter(word for example in examples for text in (example.source, *example.phrases) for word in text)
        for mark in SPECIAL:
            counts.pop(mark, None)
        ordered = sorted(counts, key=lambda word: (-counts[word], word))
        return cls((*SPECIAL, *ordered[: max(0, size - len(SPECIAL))]))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of each word; the mark of words that were left out of a source has that of a mark no one writes."""
        return {MASKED: PRESENT_END} | {word: number for number, word in enumerate(self.words)}

    def encode(self, words: Iterable[str], unknown: Sequence[str] = ()) -> list[int]:
        """Return the numbers of words; those of ``unknown`` are behind the vocabulary, others ``UNKNOWN``."""
        behind = {word: len(self) + place for place, word in enumerate(unknown)}
        return [self.numbers.get(word, behind.get(word, UNKNOWN)) for word in words]

    def encode_sources(self, sources: Iterable[Words]) -> tuple[list[list[int]], tuple[Words, ...]]:
        """Return the numbers of each source's words, and the words that are behind the vocabulary for each source."""
        rows, missing = [], []
        for source in sources:
            unknown = tuple(dict.fromkeys(word for word in source if word not in self.numbers))
            rows.append(self.encode(source, unknown))
            missing.append(unknown)
        return rows, tuple(missing)

    def word(self, number: int, unknown: Sequence[str] = ()) -> str:
        """Return the word of a number."""
        return self.words[number] if number < len(self) else unknown[number - len(self)]

    def obstacle(self, source: Words, phrase: Words, longest: int | None = None) -> str:
        """Return why a phrase, of at most ``longest`` words, cannot be written for a source; empty if it can."""
        if longest is not None and len(phrase) > longest:
            return f"it has {len(phrase)} words, and at most {longest} are written"
        missing = next((word for word in phrase if word not in self.numbers and word not in source), None)
        return "" if missing is None else f"{missing!r} is neither in the vocabulary nor in the text"

    def as_json(self) -> str:
        """Return the words as JSON."""
        return json.dumps({"words": self.words}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Vocabulary":
        """Return the vocabulary that ``as_json`` wrote; other texts are a ``BrokenFile``."""
        try:
            words = json.loads(text)["words"]
        except (ValueError, KeyError, TypeError) as error:
            raise BrokenFile(f"the vocabulary cannot be read: {error}", "copy the folder again") from error
        is_list = isinstance(words, list) and all(isinstance(word, str) for word in words)
        if not is_list or tuple(words[: len(SPECIAL)]) != SPECIAL or len(set(words)) < len(words):
            raise BrokenFile("the vocabulary is not a list of different words", "copy the folder again")
        return cls(tuple(words))
