"""Forms of the phrases of one document, and which of its phrases are labels of a vocabulary."""

import itertools
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, WordFlag
from keywright.core.keyphrases import Acronym, Keyphrase
from keywright.extraction.ranking.reasons import acronyms
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.text.keys import hash_of, parts_of, roll_hashes
from keywright.text.label_stems import label_key
from keywright.text.stems import stemmer, stopwords
from keywright.text.tokens import normal_form


class PhraseForms:
    """Keys, stems and acronyms of the phrases of one document, each form computed once."""

    def __init__(self, document: AnalysedDocument) -> None:
        self.document = document
        self.language = document.source.language or "en"
        self._stem = stemmer(self.language)
        self._stop = stopwords(self.language)
        self._keys: dict[str, int] = {}
        self._hashes: dict[str, int] = {}
        self._stems: dict[str, frozenset[str]] = {}

    @cached_property
    def acronyms(self) -> Mapping[int, Acronym]:
        """Acronyms that the document defines, by the key of either form."""
        return acronyms(self.document)

    def label_keys(self, keyphrase: Keyphrase) -> frozenset[int]:
        """Return the keys among labels of a phrase as shown and as in the text, where words are broken across lines."""
        text = self.document.source.text
        written = {keyphrase.text, *(text[start:end] for start, end in keyphrase.spans)}
        return frozenset(label_key(form, self.language) for form in written)

    def in_vocabulary(self, keyphrases: Sequence[Keyphrase], vocabulary: VocabularyIndex) -> Bools:
        """Return whether each phrase is a label of a vocabulary, (keyphrases,)."""
        keys = [tuple(self.label_keys(keyphrase)) for keyphrase in keyphrases]
        # All forms of all phrases are looked up at once; a phrase is listed if any of its forms is.
        owner = np.repeat(np.arange(len(keys)), [len(of_phrase) for of_phrase in keys])
        forms = np.fromiter(itertools.chain.from_iterable(keys), np.uint64, len(owner))
        listed = np.zeros(len(keys), bool)
        listed[owner[vocabulary.keys_for(self.language).contain(forms)]] = True
        return listed

    def stems(self, text: str) -> frozenset[str]:
        """Return the stems of a phrase without stop words; for a short form those of its long form."""
        acronym = self.acronym(text)
        return self._stems_of(acronym.long if acronym else text)

    def key(self, text: str) -> int:
        """Return the key of a text, as ``phrase_key`` does."""
        if text not in self._keys:
            self._keys[text] = roll_hashes(map(self._hash, parts_of(normal_form(text))))
        return self._keys[text]

    def _hash(self, part: str) -> int:
        """Return the hash of a part's stem; the phrases of a document share most of their parts."""
        value = self._hashes.get(part)
        if value is None:
            value = self._hashes[part] = hash_of(self._stem(part))
        return value

    def _stems_of(self, text: str) -> frozenset[str]:
        if text not in self._stems:
            parts = parts_of(normal_form(text))
            stems = frozenset(self._stem(part) for part in parts if part not in self._stop)
            self._stems[text] = stems or frozenset(parts)
        return self._stems[text]

    def acronym(self, text: str) -> Acronym | None:
        """Return the acronym that a text is a form of."""
        return self.acronyms.get(self.key(text))


_MOST_PARTS: Final = 255
"""Largest number of parts in the column of a document, in which words of more parts have as many."""


def find_labels(ranking: Ranking, mentions: Candidates, forms: PhraseForms, vocabulary: VocabularyIndex) -> Bools:
    """Return whether each phrase of a ranking is a label of a vocabulary as shown or as in the text, (ranked,).

    ``ranking`` has all phrases of the document; ``mentions``: the labels of the vocabulary that occur in it.
    """
    if ranking.mentions is None:
        return forms.in_vocabulary(ranking.keyphrases(), vocabulary)
    position, first, width = ranking.mentions()
    count = 1 + int(position.max(initial=-1))
    listed, unusual = np.zeros(count, bool), np.zeros(count, bool)
    listed[position[_find_label_mentions(mentions, first, width)]] = True
    unusual[position[_find_unusual(forms.document, first, width)]] = True
    # The text of an unusual mention can have other parts than its tokens together.
    by_text = np.flatnonzero((unusual & ~listed)[ranking.positions_to()])
    listed = listed[ranking.positions_to()]
    listed[by_text] = forms.in_vocabulary(ranking.where(by_text).keyphrases(), vocabulary)
    return listed


def _find_label_mentions(mentions: Candidates, first: Ints, width: Ints) -> Bools:
    """Return whether stretches of tokens are among the mentions of labels, (stretches,)."""
    # One number for each place and width: a table of Booleans replaces the look-up of a key for each stretch.
    widest = 1 + int(width.max(initial=0))
    narrow = mentions.widths < widest
    codes = mentions.positions[narrow] * widest + mentions.widths[narrow]
    table = np.zeros(1 + max(int(codes.max(initial=0)), int((first * widest + width).max(initial=0))), bool)
    table[codes] = True
    return np.asarray(table[first * widest + width])


def _find_unusual(document: AnalysedDocument, first: Ints, width: Ints) -> Bools:
    """Return whether stretches hold a sign, words without a blank between, or a border of sentences, (stretches,)."""
    odd = (document.flags & WordFlag.PUNCTUATION > 0) | (document.word_parts[document.word] >= _MOST_PARTS)
    torn = np.zeros(len(document), bool)  # from the token before
    torn[1:] = (document.start[1:] == document.end[:-1]) | (document.sentence[1:] != document.sentence[:-1])
    # Prefix sums: the number of odd tokens in a stretch is the difference of two running counts.
    odd_before, torn_before = (np.concatenate(([0], np.cumsum(column))) for column in (odd, torn))
    end = first + width
    return np.asarray((odd_before[end] > odd_before[first]) | (torn_before[end] > torn_before[first + 1]))
