"""Examples for training, and batches of them: what a generator reads of a document, and what it should write."""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from keywright.core.documents import Document, LabelledDocument
from keywright.datasets.training_mix import is_word_list
from keywright.neural.data.words import Example, Words, first_window, make_windows, split_words
from keywright.text.stems import stemmer
from keywright.text.tokens import SIGNS

_PARENTHESES: Final = re.compile(r"\s*\([^()]*\)")
_SIGN: Final = re.compile(SIGNS)
_POOL: Final = 64
"""Batches' worth of examples that are sorted together: enough for batches of nearly one length, few enough that each
epoch mixes anew; arbitrary."""


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
            behind = divide_phrases(_stem_whole_text(each.document), absent)[0] if is_cut and absent else []
            absent = [phrase for phrase in absent if phrase not in behind]
            counts["keyphrases that only the part behind the cut contains"] += len(behind)
            counts[cut] += max(0, len(present) + len(absent) - limits.phrases)
            present = present[: limits.phrases]
            absent = absent[: limits.phrases - len(present)]
            if present or absent:
                yield Example(each.id, window.words, tuple(present), tuple(absent), tuple(behind))


def _stem_whole_text(document: Document) -> Words:
    """Return the stems of all that is read of a document."""
    return tuple(stem for window in make_windows(document, sys.maxsize) for stem in stem_words(window.words))


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
