"""How phrases are related to a document and to its gold: what errors of a ranking are sorted by."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from keywright.candidates.ngrams import ngram_occurrences
from keywright.candidates.prefilter import passes_prefilter, usual_candidates
from keywright.candidates.words import signs, words_and_numbers
from keywright.core.arrays import Bools, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.gold import GoldKeyphrase
from keywright.ranking.shortlist import ZONES
from keywright.text.abbreviations import abbreviations
from keywright.text.gold_keys import gold_keys, gold_word_keys
from keywright.text.normal import PARTS, normal_form
from keywright.text.stems import stemmer
from keywright.text.tag_lexicon import CLASSES, TagLexicon

Parts: TypeAlias = tuple[str, ...]
"""Stems of the parts of a phrase, cut at blanks and hyphens."""

_LONGEST: Final = 5
_LONG_TEXT: Final = 1000
_READ: Final = 12
"""Tokens up to which gold is looked for in the text."""
_MOSTLY: Final = 0.5


def parts_of(phrase: str) -> Parts:
    """Stems of a phrase's parts."""
    return tuple(map(stemmer("en"), PARTS.findall(normal_form(phrase))))


def readings(entry: GoldKeyphrase) -> tuple[Parts, ...]:
    """The forms of a keyphrase in stems, and as they are, since some collections give stems."""
    given = [PARTS.findall(normal_form(form)) for form in entry.forms]
    return tuple(dict.fromkeys([*map(parts_of, entry.forms), *map(tuple, given)]))


def holds(longer: Parts, shorter: Parts) -> bool:
    """Whether a phrase is part of a longer one."""
    size = len(shorter)
    return 0 < size < len(longer) and any(longer[at : at + size] == shorter for at in range(len(longer) - size + 1))


def relation(shown: Parts, gold: Sequence[Parts]) -> str | None:
    """The nearest way in which a phrase that is no keyphrase is related to one; None for none.

    Args:
        shown: the phrase.
        gold: readings of all keyphrases.
    """
    if any(_letters(one) == _letters(shown) or sorted(one) == sorted(shown) for one in gold):
        return "written otherwise than a keyphrase"
    if any(holds(one, shown) for one in gold):
        return "part of a keyphrase"
    if any(holds(shown, one) for one in gold):
        return "a keyphrase with more words"
    if any(one and shown and one[-1] == shown[-1] for one in gold):
        return "same last word as a keyphrase"
    if any(set(one) & set(shown) for one in gold):
        return "shares another word with a keyphrase"
    return None


def _letters(phrase: Parts) -> str:
    """A phrase in one piece; without a last e, which is or is not part of a stem: *data base*, *database*."""
    return "".join(phrase).removesuffix("e")


@dataclass(frozen=True, eq=False)
class Text:
    """A document, asked what becomes of a gold keyphrase before anything is ranked."""

    document: AnalysedDocument

    @cached_property
    def _candidates(self) -> Candidates:
        return usual_candidates(self.document)

    @cached_property
    def _noticed(self) -> Keys:
        return self._candidates.key[passes_prefilter(self._candidates, self.document, ZONES, _LONG_TEXT)]

    @cached_property
    def _plain(self) -> tuple[Keys, Ints]:
        keys, _, widths = ngram_occurrences(self.document, _READ, words_and_numbers)
        return keys, widths

    @cached_property
    def _across_signs(self) -> Keys:
        return ngram_occurrences(self.document, _READ, words_and_numbers, removed=signs)[0]

    @cached_property
    def abbreviated(self) -> tuple[tuple[Parts, Parts], ...]:
        """Short and long forms that the document explains."""
        start, end, text = self.document.start, self.document.end, self.document.source.text
        return tuple(
            (parts_of(text[start[short[0]] : end[short[1] - 1]]), parts_of(text[start[long[0]] : end[long[1] - 1]]))
            for short, long in abbreviations(self.document)
        )

    def lost(self, entry: GoldKeyphrase, described: Keys) -> str | None:
        """Why a keyphrase is not among the described candidates; None where it is.

        Args:
            entry: the keyphrase.
            described: keys of the candidates.
        """
        keys = gold_keys([entry], "en")
        if np.isin(keys, described).any():
            return None
        if np.isin(keys, self._noticed).any():
            return "not among the described candidates"
        if np.isin(keys, self._candidates.key).any():
            return "mentioned once, outside title, abstract, headings, introduction, conclusion and references"
        plain, widths = self._plain
        found = np.isin(plain, keys)
        if found.any():
            if widths[found].min() > _LONGEST:
                return "no candidate: more than five words"
            return "no candidate: a stop word, number or letter at its edge, or another word inside"
        if np.isin(keys, self._across_signs).any():
            return "no candidate: punctuation inside"
        words = np.isin(np.unique(gold_word_keys([entry], "en")), self.document.word_key)
        if not words.any():
            return "not in the text, nor any of its words"
        return (
            "not in the text, some of its words are"
            if not self._all_words(entry)
            else "not in the text, all its words are"
        )

    def _all_words(self, entry: GoldKeyphrase) -> bool:
        stems = {part for stem in self.document.stems for part in (stem, *PARTS.findall(stem))}
        return any(set(one) <= stems for one in readings(entry))


def beside_nouns(document: AnalysedDocument, few: Candidates, tags: TagLexicon) -> tuple[Bools, Bools]:
    """Whether a noun stands before, and whether one stands behind, most mentions of each candidate, (few,) each."""
    nouns = np.append((tags.shares(document)[:, CLASSES.index("N")] > _MOSTLY)[document.word], [False, False])
    sentence = np.concatenate((document.sentence, [-2, -1]))
    before, behind = few.positions - 1, few.positions + few.widths
    left = nouns[before] & (sentence[before] == sentence[few.positions])
    right = nouns[behind] & (sentence[behind] == sentence[few.positions])
    return _most(left, few), _most(right, few)


def _most(mentions: Bools, few: Candidates) -> Bools:
    sums = np.bincount(few.owner, weights=mentions, minlength=len(few))
    return np.asarray(sums > _MOSTLY * few.frequency)


def all_readings(gold: Iterable[GoldKeyphrase]) -> tuple[Parts, ...]:
    """Readings of several keyphrases."""
    return tuple(dict.fromkeys(one for entry in gold for one in readings(entry) if one))


def other_writings(phrase: Parts, pairs: Iterable[tuple[Parts, Parts]]) -> set[Parts]:
    """Long forms of a short form and short forms of a long one, among pairs of both."""
    return {other for pair in pairs for one, other in (pair, pair[::-1]) if one == phrase}
