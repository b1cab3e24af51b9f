"""Examples for training: what a generator reads of a labelled document, and the keyphrases that it should write."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from keywright.core.documents import Document, LabelledDocument
from keywright.datasets.word_lists import is_word_list
from keywright.neural.data.words import Source, first_window, words_of
from keywright.text.generation_words import SIGNS
from keywright.text.stems import stemmer

Words: TypeAlias = tuple[str, ...]
_PARENTHESES: Final = re.compile(r"\s*\([^()]*\)")
_SIGN: Final = re.compile(SIGNS)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of examples, as the published generators have them (Chen et al. 2020, Ye et al. 2021).

    Attributes:
        source: words that are read of a document, title included; longer ones are cut.
        phrase: words of a keyphrase; longer ones are left out.
        phrases: keyphrases of a document; the first are taken, present ones before absent ones.
    """

    source: int = 400
    phrase: int = 6
    phrases: int = 14


@dataclass(frozen=True, slots=True)
class Example:
    """A document for training.

    Attributes:
        source: the words that are read.
        present: keyphrases whose stems occur in the source in this order, in the order of their first occurrence.
        absent: the other keyphrases, in the order of the gold.
    """

    id: str
    source: Words
    present: tuple[Words, ...]
    absent: tuple[Words, ...]

    @property
    def phrases(self) -> tuple[Words, ...]:
        """All keyphrases, present ones first."""
        return self.present + self.absent


@dataclass(slots=True)
class Preparation:
    """Counts of what the making of examples left out or shortened, by reason."""

    counts: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return "; ".join(f"{count:,} {reason}" for reason, count in sorted(self.counts.items()) if count)


def examples_of(
    labelled: Iterable[LabelledDocument[Document]], limits: Limits = Limits(), report: Preparation | None = None
) -> Iterator[Example]:
    """Yield the examples of labelled documents; ``report`` counts what is left out.

    Documents without text or keyphrases give no example, nor do word lists, which teach degenerate output.
    """
    counts = (report or Preparation()).counts
    for each in labelled:
        window, is_cut = first_window(each.document, limits.source)
        phrases = _cleaned([gold.forms[0] for gold in each.gold], limits, counts)
        if window is None or not phrases:
            counts["documents without text" if window is None else "documents without keyphrases"] += 1
        elif is_word_list(each.gold):
            counts["documents whose keyphrases are a word list"] += 1
        else:
            counts["documents cut to the longest source"] += is_cut
            counts[f"keyphrases behind the first {limits.phrases} of a document"] += max(
                0, len(phrases) - limits.phrases
            )
            yield _example(each.id, window, phrases, limits)


def _cleaned(golds: Iterable[str], limits: Limits, counts: Counter[str]) -> list[Words]:
    """Return keyphrases as words: without acronyms in parentheses, long ones, and repeats of the same stems."""
    phrases: dict[Words, Words] = {}
    for gold in golds:
        words = phrase_words(gold)
        if not words:
            counts["keyphrases without words"] += 1
        elif len(words) > limits.phrase:
            counts[f"keyphrases of more than {limits.phrase} words"] += 1
        elif phrases.setdefault(stems_of(words), words) is not words:
            counts["keyphrases repeated"] += 1
    return list(phrases.values())


def phrase_words(phrase: str) -> Words:
    """Return the words of a keyphrase: lower case, without signs, and without an acronym in parentheses."""
    return tuple(word for word in words_of(_PARENTHESES.sub("", phrase)) if not _SIGN.fullmatch(word))


def _example(name: str, source: Source, phrases: list[Words], limits: Limits) -> Example:
    present, absent = divided(stems_of(source.words), phrases)
    present = present[: limits.phrases]
    return Example(name, source.words, tuple(present), tuple(absent[: limits.phrases - len(present)]))


def divided(stems: Words, phrases: Sequence[Words]) -> tuple[list[Words], list[Words]]:
    """Return the phrases that occur among a source's stems, in the order of their first occurrence, and the others."""
    places = [first_occurrence(stems, stems_of(phrase)) for phrase in phrases]
    present = sorted((at, order) for order, at in enumerate(places) if at is not None)
    absent = [phrase for at, phrase in zip(places, phrases, strict=True) if at is None]
    return [phrases[order] for _, order in present], absent


def stems_of(words: Words) -> Words:
    """Return the English stems of words."""
    stem = stemmer("en")
    return tuple(map(stem, words))


def first_occurrence(words: Words, phrase: Words) -> int | None:
    """Return where a phrase first occurs among words, which may be stems; None if it does not."""
    length = len(phrase)
    starts = (at for at, word in enumerate(words) if word == phrase[0] and words[at : at + length] == phrase)
    return next(starts, None)
