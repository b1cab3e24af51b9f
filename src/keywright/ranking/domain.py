"""Documents unlike those that the default's probabilities were fitted on, recognised by bounds of simple statistics.

Probabilities hold for documents like those of training: papers, abstracts, news, theses. Programs, tables, lists and
texts in another language than declared get scores as well, but no probability was ever checked on such texts. Bounds
follow from the training collections: each gives the value that 1 in 200 of its documents exceeds, the loosest counts,
rounded outwards. Texts that are odd themselves do not widen the bounds: biomedical articles with markup (``code``), and
titles without an abstract (``content``). Tables of flagged documents by collection, and of recognised odd texts, are in
``docs/reference/domain.md``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.corpus.knowledge import Knowledge

UNLIKE: Final = "unlike the documents that the probabilities were fitted on"
"""Beginning of the warning."""
CODE_SIGNS: Final = "_={}[]<>;"
"""Signs that are common in programs and data, and rare in prose; collected by hand."""
_FIRST: Final = 300
"""First distinct content words that are looked up; arbitrary, all words of most abstracts."""
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
    """The least and the greatest values that a document of the training domain may have, by statistic.

    ``function`` is by language: stop lists differ, and other languages than these were not measured.
    """

    function: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType({"en": 0.14, "fr": 0.28, "es": 0.30})
    )
    least: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType({"content": 12, "known": 0.6, "distinct": 0.35})
    )
    most: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {"signs": 0.6, "code": 0.1, "capitals": 0.25, "distinct": 0.96, "the": 0.37}
        )
    )


USUAL: Final = Bounds()
"""The bounds of the shipped probabilities."""

_LOW: Final = {
    "content": "{:.0f} content words",
    "function": "few function words ({:.0%})",
    "known": "few known words ({:.0%})",
    "distinct": "words repeated again and again ({:.0%} distinct)",
}
_HIGH: Final = {
    "signs": "mostly numbers and signs ({:.0%})",
    "code": "signs as in programs and data ({:.0%})",
    "capitals": "written in capitals ({:.0%})",
    "distinct": "hardly a word repeated ({:.0%} distinct)",
    "the": "words out of order ({:.0%} of 'the' without a noun behind)",
}


def unlike_training(document: AnalysedDocument, knowledge: Knowledge, bounds: Bounds = USUAL) -> str:
    """Return why a document is unlike those of training, such as *few function words (4 %)*; empty where it is not."""
    language = document.source.language or "en"
    return reason_of(statistics(document, knowledge if language == "en" else None), language, bounds)


def checked(ranking: Ranking, document: AnalysedDocument, knowledge: Knowledge) -> Ranking:
    """Return the ranking, without probabilities where its document is unlike those of training."""
    if ranking.probabilities is None or not len(ranking) or not (reason := unlike_training(document, knowledge)):
        return ranking
    return ranking.without_probabilities(withheld(reason))


def reason_of(values: Mapping[str, float], language: str, bounds: Bounds = USUAL) -> str:
    """Return the first statistic that is out of bounds as a reason; empty if all are within."""
    least = {**bounds.least, "function": bounds.function.get(language, 0.0)}
    for name, value in values.items():
        if value < least.get(name, value):
            return _LOW[name].format(value).replace("%", " %")
        if value > bounds.most.get(name, value):
            return _HIGH[name].format(value).replace("%", " %")
    return ""


def withheld(reason: str) -> str:
    """Return why a document gets no probabilities."""
    return f"{UNLIKE} ({reason}): no probabilities"


def statistics(document: AnalysedDocument, knowledge: Knowledge | None = None) -> dict[str, float]:
    """Return the statistics that are bounded, in the order in which reasons are looked for.

    Numbers are ``content``: content words; shares, 0 to 1: ``function`` of the words, ``signs`` (and numbers) of the
    tokens, ``code``: signs of ``CODE_SIGNS`` per token, ``capitals`` of the words, ``distinct`` of the first hundred
    words, ``known`` of the first distinct content words, ``the``: mentions of *the* with a function word, a sign or
    nothing behind. The last two need knowledge of English; what cannot be measured is left out.
    """
    flags, words = document.word_flags, document.word
    # All shares come from the counts of the distinct forms, which are far fewer than the tokens of a paper.
    counts = np.bincount(words, minlength=len(flags))
    letter, stop = flags & _LETTER > 0, flags & _STOP == _STOP
    content = flags & (_LETTER | _OTHER) == _LETTER
    values = {"content": float(counts[content].sum())}
    number = int(counts[letter].sum())
    if not number:
        return values
    text = document.source.text
    values["function"] = float(counts[stop].sum() / number)
    values["signs"] = 1 - number / len(document)
    values["code"] = sum(map(text.count, CODE_SIGNS)) / len(document)
    in_words = letter[words]
    values["capitals"] = float(np.count_nonzero((document.case == Case.UPPER) & in_words) / number)
    stretch = words[in_words][:_STRETCH]
    if len(stretch) == _STRETCH:
        values["distinct"] = len(set(stretch.tolist())) / _STRETCH
    if knowledge is not None:
        if content.any():
            values["known"] = _known(document, content, knowledge)
        if "the" in document.words:
            mentions = np.flatnonzero(words[:-1] == document.words.index("the"))
            if len(mentions) >= _THE:
                values["the"] = _without_noun(document, mentions, stop)
    return values


def _known(document: AnalysedDocument, content: Bools, knowledge: Knowledge) -> float:
    """Return the share of the first distinct content words that English texts have."""
    counts = knowledge.counts(document.word_key[np.flatnonzero(content)[:_FIRST]])
    return float(np.mean((counts["background"] > 0) | (counts["general"] > 0)))


def _without_noun(document: AnalysedDocument, mentions: Ints, stop: Bools) -> float:
    """Return the share of mentions of *the* that a function word, a sign or the sentence's end follows, less one."""
    behind = document.word[mentions + 1]
    ends = document.sentence[mentions + 1] != document.sentence[mentions]
    without = stop[behind] | (document.word_flags[behind] & _SIGN > 0) | ends
    return max(0, int(without.sum()) - 1) / len(mentions)
