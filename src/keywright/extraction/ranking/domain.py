"""Documents unlike those that the default's probabilities were fitted on, recognised by bounds of simple statistics.

Probabilities hold for documents like those of training: papers, abstracts, news, theses. Programs, tables, lists and
texts in another language than declared get scores as well, but no probability was ever checked on such texts. Bounds
follow from the training collections: each gives the value that 1 in 200 of its documents exceeds, the loosest counts,
rounded outwards. Texts that are odd themselves do not widen the bounds: biomedical articles with markup (``code``), and
titles without an abstract (``content``). Tables of flagged documents by collection, and of recognised odd texts, are in
``docs/results/domain.md``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, count_rows, locate_rows, sum_segments
from keywright.core.document_batches import Analysed, count_marked, count_tokens
from keywright.core.documents import Case, WordFlag
from keywright.core.word_lists import read_pairs
from keywright.extraction.corpus.knowledge import Knowledge

UNLIKE: Final = "unlike the documents that the probabilities were fitted on"  # beginning of the warning
CODE_SIGNS: Final = "_={}[]<>;"  # signs that are common in programs and data, and rare in prose; collected by hand
_FIRST: Final = 300  # first distinct content words that are looked up; arbitrary, all words of most abstracts
_STRETCH: Final = 100
"""First words among which repetitions are counted; arbitrary, shorter than most abstracts. Shorter texts are not judged
by it, because the share of distinct words depends on the length."""
_THE: Final = 3
"""Mentions of *the* from which on the words behind them are judged; arbitrary. One may be by chance and does
not count."""
_LETTER, _SIGN = int(WordFlag.LETTER), int(WordFlag.PUNCTUATION)
_STOP = int(WordFlag.LETTER | WordFlag.STOP)
_OTHER = int(WordFlag.STOP | WordFlag.SYMBOLIC | WordFlag.LONE)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest values of a document of the training domain; ``function`` is by measured language."""

    function: Mapping[str, float]
    least: Mapping[str, float]
    most: Mapping[str, float]


USUAL: Final = Bounds(
    function={"en": 0.14, "fr": 0.28, "es": 0.30, "de": 0.28, "it": 0.20, "nl": 0.27, "pl": 0.20, "pt": 0.17},
    least={"content": 12, "known": 0.6, "distinct": 0.35},
    most={"signs": 0.6, "code": 0.1, "capitals": 0.25, "distinct": 0.96, "the": 0.37},
)
"""The bounds of the shipped probabilities."""
_LOW, _HIGH = (read_pairs("extraction/ranking/unlike.txt", name) for name in ("LOW", "HIGH"))


def reasons(documents: Analysed, knowledge: Knowledge) -> list[str]:
    """Return why each document is unlike those of training, as *few function words (4 %)*; empty where it is not."""
    language = documents.language or "en"
    values = statistics_of_each(documents, knowledge if language == "en" else None)
    return [reason_of(of_document, language) for of_document in values]


def reason_of(values: Mapping[str, float], language: str, bounds: Bounds = USUAL) -> str:
    """Return the first statistic that is out of bounds as a reason; empty if all are within."""
    least = {**bounds.least, "function": bounds.function.get(language, 0.0)}
    for name, value in values.items():
        if value < least.get(name, value):
            return _LOW[name].format(value).replace("%", " %")
        if value > bounds.most.get(name, value):
            return _HIGH[name].format(value).replace("%", " %")
    return ""


def statistics_of_each(documents: Analysed, knowledge: Knowledge | None = None) -> list[dict[str, float]]:
    """Return the statistics of each document that are bounded, in the order in which reasons are looked for.

    Numbers are ``content``: content words; shares, 0 to 1: ``function`` of the words, ``signs`` (and numbers) of the
    tokens, ``code``: signs of ``CODE_SIGNS`` per token, ``capitals`` of the words, ``distinct`` of the first hundred
    words, ``known`` of the first distinct content words, ``the``: mentions of *the* with a function word, a sign or
    nothing behind. The last two need knowledge of English; what cannot be measured is left out.
    """
    flags, word_bounds = documents.word_flags, documents.word_bounds
    # All shares come from the counts of the distinct forms, which are far fewer than the tokens of a paper.
    counts = np.bincount(documents.word, minlength=len(flags))
    letter, stop = flags & _LETTER > 0, flags & _STOP == _STOP
    content = flags & (_LETTER | _OTHER) == _LETTER
    contents, numbers, stops = sum_segments(counts * np.array((content, letter, stop)), word_bounds).tolist()
    in_words, tokens = letter[documents.word], count_tokens(documents).tolist()
    capitals = count_marked((documents.case == Case.UPPER) & in_words, documents).tolist()
    shares = {"distinct": _share_distinct(documents, in_words)}
    if knowledge is not None:
        shares["known"] = _share_known(documents, content, knowledge)
        shares["the"] = _share_without_noun(documents, stop)
    every: list[dict[str, float]] = []
    for n, (document, number, size) in enumerate(zip(documents.documents, numbers, tokens, strict=True)):
        values = {"content": float(contents[n])}
        if number:
            values["function"] = stops[n] / number
            values["signs"] = 1 - number / size
            values["code"] = sum(map(document.source.text.count, CODE_SIGNS)) / size
            values["capitals"] = capitals[n] / number
            values |= {name: column[n] for name, column in shares.items() if n in column}
        every.append(values)
    return every


def _share_distinct(documents: Analysed, in_words: Bools) -> dict[int, float]:
    """Return the share of distinct forms among the first words, by the number of the documents that are long enough."""
    words = documents.word[in_words]
    begins = np.flatnonzero(in_words).searchsorted(documents.bounds)
    long = np.flatnonzero(count_rows(begins) >= _STRETCH)
    # One sorted row for each document: distinct forms are one more than the places where the number changes.
    rows = np.sort(words[begins[long, None] + np.arange(_STRETCH)], axis=1)
    number = 1 + np.count_nonzero(np.diff(rows, axis=1), axis=1)
    return dict(zip(long.tolist(), (number / _STRETCH).tolist(), strict=True))


def _share_known(documents: Analysed, content: Bools, knowledge: Knowledge) -> dict[int, float]:
    """Return the share of the first distinct content words that English texts have, by document number."""
    forms = np.flatnonzero(content)
    document, place = locate_rows(forms.searchsorted(documents.word_bounds))
    first = place < _FIRST
    counts = knowledge.counts(documents.word_key[forms[first]])
    is_known = (counts["background"] > 0) | (counts["general"] > 0)
    number = np.bincount(document[first]).tolist()
    marked = np.bincount(document[first], weights=is_known).tolist()
    return {n: marked[n] / number[n] for n in range(len(number)) if number[n]}


def _share_without_noun(documents: Analysed, stop: Bools) -> dict[int, float]:
    """Return the share of *the* before a function word, sign or end, less one, by the number with enough mentions."""
    is_article = np.fromiter(map("the".__eq__, documents.words), bool, len(documents.words))
    mentions = np.flatnonzero(is_article[documents.word])
    document = documents.numbers(mentions)
    inside = mentions + 1 < documents.bounds[document + 1]
    mentions, document = mentions[inside], document[inside]
    behind = documents.word[mentions + 1]
    ends = documents.sentence[mentions + 1] != documents.sentence[mentions]
    without = stop[behind] | (documents.word_flags[behind] & _SIGN > 0) | ends
    number = np.bincount(document).tolist()
    marked = np.bincount(document, weights=without).tolist()
    return {n: max(0.0, marked[n] - 1) / number[n] for n in range(len(number)) if number[n] >= _THE}
