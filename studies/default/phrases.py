"""Relations of phrases to a document and to its gold, by which errors of a ranking are classified."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, GoldKeyphrase
from keywright.extraction.candidates.ngrams import ngram_occurrences, words_and_numbers
from keywright.extraction.candidates.prefilter import passes_prefilter, usual_candidates
from keywright.extraction.ranking.shortlist import ZONES
from keywright.text.abbreviations import find_abbreviations
from keywright.text.keys import PARTS, gold_keys, gold_word_keys
from keywright.text.stems import stemmer
from keywright.text.tag_lexicon import CLASSES, TagLexicon
from keywright.text.tokens import normal_form

Parts: TypeAlias = tuple[str, ...]  # stems of the parts of a phrase, split at blanks and hyphens

_LONGEST: Final = 5  # words of the default's longest candidates
_LONG_TEXT: Final = 1000  # tokens from which on the default's prefilter works
_LONGEST_GOLD: Final = 12
"""Tokens of the longest gold that is searched for in the text; arbitrary, longer gold is very rare."""
MOST: Final = 0.5  # share of mentions above which most of them are meant


def parts_of(phrase: str) -> Parts:
    """Return the stems of a phrase's parts."""
    return tuple(map(stemmer("en"), PARTS.findall(normal_form(phrase))))


def readings(entry: GoldKeyphrase) -> tuple[Parts, ...]:
    """Return the forms of a keyphrase in stems, and as they are, since the gold of some collections is stemmed."""
    as_they_are = [PARTS.findall(normal_form(form)) for form in entry.forms]
    return tuple(dict.fromkeys([*map(parts_of, entry.forms), *map(tuple, as_they_are)]))


def all_readings(gold: Iterable[GoldKeyphrase]) -> tuple[Parts, ...]:
    """Return the readings of several keyphrases."""
    return tuple(dict.fromkeys(reading for entry in gold for reading in readings(entry) if reading))


def holds(longer: Parts, shorter: Parts) -> bool:
    """Return whether a phrase is part of a longer one."""
    size = len(shorter)
    return 0 < size < len(longer) and any(longer[at : at + size] == shorter for at in range(len(longer) - size + 1))


def other_forms(phrase: Parts, pairs: Iterable[tuple[Parts, Parts]]) -> set[Parts]:
    """Return long forms of a short form and short forms of a long one, among pairs of both."""
    return {other for pair in pairs for form, other in (pair, pair[::-1]) if form == phrase}


def relation(shown: Parts, gold: Sequence[Parts]) -> str | None:
    """Return the closest relation of a phrase to a keyphrase; None where it has none.

    Args:
        shown: the phrase, which is not a keyphrase.
        gold: readings of all keyphrases.
    """
    if any(_letters(keyphrase) == _letters(shown) or sorted(keyphrase) == sorted(shown) for keyphrase in gold):
        return "written otherwise than a keyphrase"
    if any(holds(keyphrase, shown) for keyphrase in gold):
        return "part of a keyphrase"
    if any(holds(shown, keyphrase) for keyphrase in gold):
        return "a keyphrase with more words"
    if any(keyphrase and shown and keyphrase[-1] == shown[-1] for keyphrase in gold):
        return "same last word as a keyphrase"
    if any(set(keyphrase) & set(shown) for keyphrase in gold):
        return "shares another word with a keyphrase"
    return None


def _letters(phrase: Parts) -> str:
    """Return a phrase in one piece, without a last e, which stemmers keep or drop: *data base*, *database*."""
    return "".join(phrase).removesuffix("e")


@dataclass(frozen=True, eq=False)
class TextOfGold:
    """A document in which gold keyphrases are searched for, before anything is ranked."""

    document: AnalysedDocument

    @cached_property
    def _candidates(self) -> Candidates:
        return usual_candidates(self.document)

    @cached_property
    def _prefiltered(self) -> Keys:
        return self._candidates.key[passes_prefilter(self._candidates, self.document, ZONES, _LONG_TEXT)]

    @cached_property
    def _ngrams(self) -> tuple[Keys, Ints]:
        keys, _, widths = ngram_occurrences(self.document, _LONGEST_GOLD, words_and_numbers)
        return keys, widths

    @cached_property
    def _ngrams_across_signs(self) -> Keys:
        words = words_and_numbers(self.document)
        return ngram_occurrences(self.document, _LONGEST_GOLD, lambda _: words, removed=lambda _: ~words)[0]

    @cached_property
    def abbreviations(self) -> tuple[tuple[Parts, Parts], ...]:
        """Short and long forms that the document explains."""
        start, end, text = self.document.start, self.document.end, self.document.source.text
        return tuple(
            (parts_of(text[start[short[0]] : end[short[1] - 1]]), parts_of(text[start[long[0]] : end[long[1] - 1]]))
            for short, long in find_abbreviations(self.document)
        )

    def lost(self, entry: GoldKeyphrase, shortlist: Keys) -> str | None:
        """Return why a keyphrase is not on the shortlist; None where it is.

        Args:
            entry: the keyphrase.
            shortlist: keys of the candidates.
        """
        keys = gold_keys([entry], "en")
        if np.isin(keys, shortlist).any():
            return None
        if np.isin(keys, self._prefiltered).any():
            return "not among the described candidates"
        if np.isin(keys, self._candidates.key).any():
            return "mentioned once, outside title, abstract, headings, introduction, conclusion and references"
        ngrams, widths = self._ngrams
        mentions = np.isin(ngrams, keys)
        if mentions.any():
            if widths[mentions].min() > _LONGEST:
                return "no candidate: more than five words"
            return "no candidate: a stop word, number or letter at its edge, or another word inside"
        if np.isin(keys, self._ngrams_across_signs).any():
            return "no candidate: punctuation inside"
        if not np.isin(np.unique(gold_word_keys([entry], "en")), self.document.word_key).any():
            return "not in the text, nor any of its words"
        stems = {part for stem in self.document.stems for part in (stem, *PARTS.findall(stem))}
        all_words = any(set(reading) <= stems for reading in readings(entry))
        return "not in the text, all its words are" if all_words else "not in the text, some of its words are"


def beside_nouns(document: AnalysedDocument, candidates: Candidates, tags: TagLexicon) -> tuple[Bools, Bools]:
    """Return which candidates have a noun before, and which behind, most mentions, (candidates,) each."""
    # Sentinels: a token before the first and one behind the last, in sentences of their own, so that no edge is a case.
    nouns = np.append((tags.shares(document)[:, CLASSES.index("N")] > MOST)[document.word], [False, False])
    sentence = np.concatenate((document.sentence, [-2, -1]))
    before, behind = candidates.positions - 1, candidates.positions + candidates.widths
    left = nouns[before] & (sentence[before] == sentence[candidates.positions])
    right = nouns[behind] & (sentence[behind] == sentence[candidates.positions])
    return _most_mentions(left, candidates), _most_mentions(right, candidates)


def _most_mentions(mentions: Bools, candidates: Candidates) -> Bools:
    sums = np.bincount(candidates.owner, weights=mentions, minlength=len(candidates))
    return np.asarray(sums > MOST * candidates.frequency)
