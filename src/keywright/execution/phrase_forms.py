"""Forms of the phrases of one document: keys, stems and acronyms, each computed once."""

import itertools
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.documents import AnalysedDocument
from keywright.core.predictions import Acronym, Keyphrase
from keywright.ranking.reasons import acronyms
from keywright.text.keys import hash_of, normal_form, parts_of, rolled
from keywright.text.stems import stemmer
from keywright.text.stopwords import stopwords
from keywright.vocabularies.index import VocabularyIndex


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

    def keys(self, keyphrase: Keyphrase) -> frozenset[int]:
        """Return the keys of a phrase as shown and as in the text, where words are broken across lines."""
        text = self.document.source.text
        written = {keyphrase.text, *(text[start:end] for start, end in keyphrase.spans)}
        return frozenset(map(self.key, written))

    def in_vocabulary(self, keyphrases: Sequence[Keyphrase], vocabulary: VocabularyIndex) -> Bools:
        """Return whether each phrase is a label of a vocabulary, (keyphrases,)."""
        keys = [tuple(self.keys(keyphrase)) for keyphrase in keyphrases]
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
            self._keys[text] = rolled(map(self._hash, parts_of(normal_form(text))))
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
