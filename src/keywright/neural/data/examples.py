"""Words of a generator, its vocabulary, examples for training, and batches of them.

The published files are tokenised so (Chan et al. 2019, Ye et al. 2021): runs of letters and digits and a few signs are
words, lower case, a number is ``<digit>``, and ``.`` and a mark separate title and abstract. The mark is ``<eos>``
there, the end of the keyphrases, which a copying generator could then copy; here it is a word of its own. Words of a
batch that are not in the vocabulary get the numbers behind it in the order of their document (See, Liu and Manning
2017, pointer-generator networks).
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keywright.core.documents import Document, LabelledDocument, SectionKind
from keywright.core.errors import BrokenFile
from keywright.datasets.training_mix import is_word_list
from keywright.text.stems import stemmer
from keywright.text.tokens import NUMBER, SIGNS, WORDS

_PARENTHESES: Final = re.compile(r"\s*\([^()]*\)")
_SIGN: Final = re.compile(SIGNS)
_POOL: Final = 64
"""Batches' worth of examples that are sorted together: enough for batches of nearly one length, few enough that each
epoch mixes anew; arbitrary."""
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
    """Return the first of ``make_windows``, None for empty text, and whether there are others."""
    windows = make_windows(document, longest)
    return (windows[0], len(windows) > 1) if windows else (None, False)


def split_title(document: Document) -> tuple[Words, Words]:
    """Return the words of the titles of a document, and of its other text."""
    title, text = _split_title(document)
    return tuple(word for word, _, _ in title), tuple(word for word, _, _ in text)


_Words: TypeAlias = list[tuple[str, int, int]]  # words with their places


def _split_title(document: Document) -> tuple[_Words, _Words]:
    """Return the words of the titles, and of the other text, abstracts first."""
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
            text.extend(words)
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


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of examples in words, of a ``source`` and a ``phrase``, and of ``phrases`` (Chen 2020, Ye 2021)."""

    source: int = 400
    phrase: int = 6
    phrases: int = 14


@dataclass(slots=True)
class Preparation:
    """Counts of what the making of examples left out or shortened, by reason."""

    counts: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return "; ".join(f"{count:,} {reason}" for reason, count in sorted(self.counts.items()) if count)


def make_examples(
    labelled: Iterable[LabelledDocument[Document]],
    limits: Limits = Limits(),
    report: Preparation | None = None,
    *,
    long_documents: str = "leave_out",
) -> Iterator[Example]:
    """Yield the examples of labelled documents; ``report`` counts what is left out, such as lists of single words.

    ``long_documents``: ``leave_out`` those longer than the longest source, as the published code does, or ``cut`` them.
    """
    counts = (report or Preparation()).counts
    cut = f"keyphrases behind the first {limits.phrases} of a document"
    for each in labelled:
        window, is_cut = first_window(each.document, limits.source)
        phrases = _clean_phrases([gold.forms[0] for gold in each.gold], limits, counts)
        if window is None or not phrases:
            counts["documents without text" if window is None else "documents without keyphrases"] += 1
        elif is_word_list(each.gold):
            counts["documents whose keyphrases are a word list"] += 1
        elif is_cut and long_documents == "leave_out":
            counts[f"documents of more than {limits.source} words (--recipe long_documents=cut keeps them)"] += 1
        else:
            counts["documents cut to the longest source"] += is_cut
            present, absent = divide_phrases(stem_words(window.words), phrases)
            # A keyphrase that only the part behind the cut contains is neither taught as absent nor as present.
            whole = make_windows(each.document, sys.maxsize) if is_cut and absent else []
            behind = divide_phrases(stem_words(whole[0].words), absent)[0] if whole else []
            absent = [phrase for phrase in absent if phrase not in behind]
            counts["keyphrases that only the part behind the cut contains"] += len(behind)
            counts[cut] += max(0, len(present) + len(absent) - limits.phrases)
            present = present[: limits.phrases]
            absent = absent[: limits.phrases - len(present)]
            if present or absent:
                yield Example(each.id, window.words, tuple(present), tuple(absent), tuple(behind))


def _clean_phrases(golds: Iterable[str], limits: Limits, counts: Counter[str]) -> list[Words]:
    """Return keyphrases as words: without acronyms in parentheses, long ones, and repeats of the same stems."""
    phrases: dict[Words, Words] = {}
    for gold in golds:
        words = split_phrase(gold)
        if not words:
            counts["keyphrases without words"] += 1
        elif len(words) > limits.phrase:
            counts[f"keyphrases of more than {limits.phrase} words"] += 1
        elif phrases.setdefault(stem_words(words), words) is not words:
            counts["keyphrases repeated"] += 1
    return list(phrases.values())


def split_phrase(phrase: str) -> Words:
    """Return the words of a keyphrase: lower case, without signs, and without an acronym in parentheses."""
    return tuple(word for word in split_words(_PARENTHESES.sub("", phrase)) if not _SIGN.fullmatch(word))


def divide_phrases(stems: Words, phrases: Sequence[Words]) -> tuple[list[Words], list[Words]]:
    """Return the phrases that occur among a source's stems, in the order of their first occurrence, and the others."""
    places = [find_phrase(stems, stem_words(phrase)) for phrase in phrases]
    present = sorted((at, order) for order, at in enumerate(places) if at is not None)
    absent = [phrase for at, phrase in zip(places, phrases, strict=True) if at is None]
    return [phrases[order] for _, order in present], absent


def stem_words(words: Words) -> Words:
    """Return the English stems of words."""
    return tuple(map(stemmer("en"), words))


def find_phrase(words: Words, phrase: Words) -> int | None:
    """Return where a phrase first occurs among words, which may be stems; None if it does not."""
    length = len(phrase)
    starts = (at for at, word in enumerate(words) if word == phrase[0] and words[at : at + length] == phrase)
    return next(starts, None)


def make_batches(lengths: NDArray[Any], size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
    """Return an epoch's shuffled batches of at most ``size`` indices of about one length, the same for a seed."""
    random = np.random.default_rng((seed, epoch))
    order = random.permutation(len(lengths))
    pools = [order[at : at + size * _POOL] for at in range(0, len(order), size * _POOL)]
    ordered = np.concatenate([pool[np.argsort(lengths[pool], kind="stable")] for pool in pools])
    cut = [ordered[at : at + size] for at in range(0, len(ordered), size)]
    return [cut[place] for place in random.permutation(len(cut)).tolist()]


def batch_by_length(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Yield batches of at most ``size`` indices, in ascending order of length."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for at in range(0, len(order), size):
        yield order[at : at + size]
