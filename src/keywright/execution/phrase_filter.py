"""A filter for the phrases of a ranked list, the same for every system."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from keywright.candidates.ngrams import mentions_of
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.list_options import PhraseOptions
from keywright.core.predictions import Acronym, Keyphrase
from keywright.ranking.diversity import without_near_repetitions
from keywright.ranking.rank import spans_of, surface_form
from keywright.ranking.reasons import acronyms
from keywright.text.keys import PARTS, normal_form, phrase_key
from keywright.text.stems import stemmer
from keywright.text.stopwords import stopwords

_MIN_POOL: Final = 200
"""Minimum number of phrases that are filtered first; arbitrary."""
_POOL_FACTOR: Final = 4
"""Phrases filtered first, for each phrase of the list; arbitrary. Where too few pass, all phrases are filtered."""


@dataclass(frozen=True)
class PhraseFilter(PhraseOptions):
    """A filter of a ranked list, applied before the list is cut."""

    @property
    def passes_all(self) -> bool:
        """True if lists stay as they are."""
        return self == UNFILTERED

    def pool(self, length: int | None) -> int | None:
        """Return how many phrases to filter first for a list of some length; None for all."""
        if length is None or self.vocabulary:
            return None
        return max(_MIN_POOL, _POOL_FACTOR * length)

    def apply(self, keyphrases: tuple[Keyphrase, ...], document: AnalysedDocument) -> tuple[Keyphrase, ...]:
        """Return the phrases that pass, best first; without a probability none passes a least one."""
        least = self.min_probability
        forms = _Forms(document)
        keyphrases = self._by_vocabulary(keyphrases, forms) if self.vocabulary else keyphrases
        if self.stop_phrases:
            stopped = keys_of(self.stop_phrases, forms.language)
            keyphrases = tuple(keyphrase for keyphrase in keyphrases if not forms.keys(keyphrase) & stopped)
        if self.min_words > 1 or self.min_characters > 1:
            keyphrases = tuple(filter(self._long_enough, keyphrases))
        if least is not None:
            keyphrases = tuple(
                each for each in keyphrases if each.probability is not None and each.probability >= least
            )
        if self.expand_acronyms:
            keyphrases = _expanded(keyphrases, forms)
        if self.diversity:
            stems = [forms.stems(keyphrase.text) for keyphrase in keyphrases]
            keyphrases = tuple(keyphrases[index] for index in without_near_repetitions(stems, self.diversity).tolist())
        return keyphrases

    def _by_vocabulary(self, keyphrases: tuple[Keyphrase, ...], forms: "_Forms") -> tuple[Keyphrase, ...]:
        """Return phrases of the vocabulary first, then the others, unless only the vocabulary is shown."""
        vocabulary = keys_of(self.vocabulary, forms.language)
        preferred, others, ranked = [], [], set[int]()
        for keyphrase in keyphrases:
            keys = forms.keys(keyphrase)
            if keys & vocabulary:
                preferred.append(keyphrase)
                ranked |= keys
            else:
                others.append(keyphrase)
        lowest = min((keyphrase.score for keyphrase in keyphrases), default=0.0)
        longest = _longest(self.vocabulary)
        preferred += _mentioned(forms.document, vocabulary - ranked, longest, min(0.0, lowest))
        return tuple(preferred if self.only_vocabulary else [*preferred, *others])

    def unmatched(self, keyphrases: tuple[Keyphrase, ...], document: AnalysedDocument) -> tuple[str, ...]:
        """Return a warning if no phrase of the vocabulary is in the document, none without a vocabulary."""
        if not self.vocabulary:
            return ()
        forms = _Forms(document)
        vocabulary = keys_of(self.vocabulary, forms.language)
        if any(forms.keys(keyphrase) & vocabulary for keyphrase in keyphrases):
            return ()
        if len(mentions_of(document, vocabulary, _longest(self.vocabulary))):
            return ()  # other options left them out
        return (f"no phrase of the vocabulary ({len(self.vocabulary):,} phrases) is in this document",)

    def _long_enough(self, keyphrase: Keyphrase) -> bool:
        text = keyphrase.text
        words = len(text.split())
        return (words >= self.min_words and len(text) >= self.min_characters) or (words == 1 and _is_term(text))


UNFILTERED: Final = PhraseFilter()
"""Passes lists as systems give them."""


def check_probabilities(keyphrases: Sequence[Keyphrase], name: str) -> None:
    """Check that a list has probabilities, unless it is empty."""
    if keyphrases and all(keyphrase.probability is None for keyphrase in keyphrases):
        raise BadParameter(
            f"min_probability is asked for, and {name} gives no probabilities here",
            "leave it out and take a number of phrases (--top), or choose a system that is calibrated",
        )


@lru_cache(maxsize=64)
def keys_of(phrases: tuple[str, ...], language: str) -> frozenset[int]:
    """Return the keys of phrases, stemmed like those of documents in a language."""
    stem = stemmer(language)
    return frozenset(phrase_key(phrase, stem) for phrase in phrases)


@lru_cache(maxsize=64)
def _longest(phrases: tuple[str, ...]) -> int:
    return max(len(PARTS.findall(normal_form(phrase))) for phrase in phrases)


class _Form(NamedTuple):
    """Key of a text, and the stems of its words without stop words."""

    key: int
    stems: frozenset[str]


class _Forms:
    """Keys, stems and acronyms of the phrases of one document, each form computed once."""

    def __init__(self, document: AnalysedDocument) -> None:
        self.document = document
        self.language = document.source.language or "en"
        self._stem = stemmer(self.language)
        self._stop = stopwords(self.language)
        self._forms: dict[str, _Form] = {}

    @cached_property
    def acronyms(self) -> Mapping[int, Acronym]:
        """Acronyms that the document defines, by the key of either form."""
        return acronyms(self.document)

    def keys(self, keyphrase: Keyphrase) -> frozenset[int]:
        """Return the keys of a phrase as shown and as in the text, where words are broken across lines."""
        text = self.document.source.text
        written = {keyphrase.text, *(text[start:end] for start, end in keyphrase.spans)}
        return frozenset(self.form(surface).key for surface in written)

    def stems(self, text: str) -> frozenset[str]:
        """Return the stems of a phrase; for a short form those of its long form."""
        acronym = self.acronym(text)
        return self.form(acronym.long if acronym else text).stems

    def form(self, text: str) -> _Form:
        """Return key and stems of a text."""
        if text not in self._forms:
            parts = PARTS.findall(normal_form(text))
            stems = frozenset(self._stem(part) for part in parts if part not in self._stop)
            self._forms[text] = _Form(phrase_key(text, self._stem), stems or frozenset(parts))
        return self._forms[text]

    def acronym(self, text: str) -> Acronym | None:
        """Return the acronym that a text is a form of."""
        return self.acronyms.get(self.form(text).key)


def _expanded(keyphrases: Iterable[Keyphrase], forms: _Forms) -> tuple[Keyphrase, ...]:
    """Return phrases with their acronyms, each acronym once."""
    expanded: list[Keyphrase] = []
    shown: set[Acronym] = set()
    for keyphrase in keyphrases:
        acronym = forms.acronym(keyphrase.text)
        if acronym is None:
            expanded.append(keyphrase)
        elif acronym not in shown:
            shown.add(acronym)
            expanded.append(replace(keyphrase, acronym=acronym))
    return tuple(expanded)


def _mentioned(document: AnalysedDocument, keys: frozenset[int], longest: int, score: float) -> list[Keyphrase]:
    """Return phrases with these keys that occur in the text, the most frequent first, then the earliest."""
    candidates = mentions_of(document, keys, longest)
    order = sorted(range(len(candidates)), key=lambda index: (-candidates.frequency[index], candidates.first[index]))
    mentions = [spans_of(document, candidates, index) for index in order]
    return [Keyphrase(surface_form(document.source.text, spans), score, None, spans) for spans in mentions]


def _is_term(text: str) -> bool:
    """Return whether a word is written like a term: with an inner capital, a digit, or a sign other than a hyphen."""
    return any(map(str.isupper, text[1:])) or not text.replace("-", "").isalpha()
