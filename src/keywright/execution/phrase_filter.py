"""Which of a system's phrases a person wants to see: the same options for every system."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.predictions import Acronym, Keyphrase
from keywright.ranking.acronyms import acronyms
from keywright.ranking.diversity import without_near_repetitions
from keywright.ranking.rank import spans_of, surface_form
from keywright.ranking.vocabulary import mentions_of
from keywright.text.keys import phrase_key
from keywright.text.normal import PARTS, normal_form
from keywright.text.stems import stemmer
from keywright.text.stopwords import stopwords

_POOL: Final = 200
_MANIFOLD: Final = 4
"""Phrases looked at first: so many, and so many times what is wanted; all of them where these are too few."""


@dataclass(frozen=True)
class Selection:
    """What is done to a ranked list before it is cut. Order and scores stay, but for ``vocabulary``.

    Attributes:
        min_probability: 0 to 1; only phrases with at least this probability. Without a length, all of them.
        diversity: 0 to 1; phrases that say nearly the same as a better one go (``ranking.diversity``); 0 keeps all.
        stop_phrases: phrases that are never shown, whatever the endings of their words.
        vocabulary: phrases that come before all others, in the system's order; those of them that stand in the text and
            are no candidates of the system follow it, the most frequent first, without probability.
        only_vocabulary: whether nothing but phrases of the vocabulary is shown.
        min_words: fewest words of a phrase; acronyms and terms with a digit or sign, such as *EU*, *IL-6*, *C++*, are
            always long enough.
        min_characters: fewest characters, likewise.
        expand_acronyms: whether phrases come with the short and long form that the text gives for them; of two phrases
            that are forms of one acronym the better one stays.

    Raises:
        BadParameter: a number out of its range, a phrase without letter or digit, a missing vocabulary.
    """

    min_probability: float | None = None
    diversity: float = 0.0
    stop_phrases: tuple[str, ...] = ()
    vocabulary: tuple[str, ...] = ()
    only_vocabulary: bool = False
    min_words: int = 1
    min_characters: int = 1
    expand_acronyms: bool = False

    def __post_init__(self) -> None:
        """Refuse what can mean nothing."""
        for name, value in (("min_probability", self.min_probability), ("diversity", self.diversity)):
            if value is not None and not 0 <= value <= 1:
                raise BadParameter(f"{name} {value}", "expected a number from 0 to 1")
        for name, value in (("min_words", self.min_words), ("min_characters", self.min_characters)):
            if value < 1:
                raise BadParameter(f"{name} {value}", "expected a number from 1")
        for phrase in (*self.stop_phrases, *self.vocabulary):
            if not isinstance(phrase, str) or not any(map(str.isalnum, phrase)):
                raise BadParameter(f"{phrase!r} is no phrase", "expected letters or digits in it")
        if self.only_vocabulary and not self.vocabulary:
            raise BadParameter("only_vocabulary without a vocabulary", "give its phrases")

    @property
    def everything(self) -> bool:
        """Whether lists stay as they are."""
        return self == EVERYTHING

    def depth(self, wanted: int | None) -> int | None:
        """How many phrases to look at first for a list of some length; None for all."""
        if wanted is None or self.vocabulary:
            return None
        return max(_POOL, _MANIFOLD * wanted)

    def of(self, keyphrases: tuple[Keyphrase, ...], document: AnalysedDocument, name: str) -> tuple[Keyphrase, ...]:
        """The phrases to show, best first; every one was in the list or is one of the vocabulary and in the text.

        Args:
            keyphrases: the system's list.
            document: what it comes from.
            name: of the system, for messages.

        Raises:
            BadParameter: a probability is wanted, and the system gives none.
        """
        if self.min_probability is not None:
            check_probabilities(keyphrases, name)
        known = _Known(document)
        keyphrases = self._by_vocabulary(keyphrases, known) if self.vocabulary else keyphrases
        if self.stop_phrases:
            stopped = keys_of(self.stop_phrases, known.language)
            keyphrases = tuple(one for one in keyphrases if not known.keys(one) & stopped)
        if self.min_words > 1 or self.min_characters > 1:
            keyphrases = tuple(filter(self._long_enough, keyphrases))
        least = self.min_probability
        if least is not None:
            keyphrases = tuple(one for one in keyphrases if one.probability is not None and one.probability >= least)
        if self.expand_acronyms:
            keyphrases = _expanded(keyphrases, known)
        if self.diversity:
            keyphrases = tuple(
                keyphrases[at] for at in without_near_repetitions(known.words(keyphrases), self.diversity).tolist()
            )
        return keyphrases

    def _by_vocabulary(self, keyphrases: tuple[Keyphrase, ...], known: "_Known") -> tuple[Keyphrase, ...]:
        """Phrases of the vocabulary first, and all others behind them or not at all."""
        wanted = keys_of(self.vocabulary, known.language)
        inside = [bool(known.keys(one) & wanted) for one in keyphrases]
        listed = frozenset().union(*(known.keys(one) for one, is_in in zip(keyphrases, inside, strict=True) if is_in))
        lowest = min((one.score for one in keyphrases), default=0.0)
        preferred = [one for one, is_in in zip(keyphrases, inside, strict=True) if is_in]
        preferred += _mentioned(known.document, wanted - listed, _longest(self.vocabulary), min(0.0, lowest))
        others = [one for one, is_in in zip(keyphrases, inside, strict=True) if not is_in]
        return tuple(preferred if self.only_vocabulary else [*preferred, *others])

    def _long_enough(self, keyphrase: Keyphrase) -> bool:
        text = keyphrase.text
        words = len(text.split())
        return (words >= self.min_words and len(text) >= self.min_characters) or (words == 1 and _is_term(text))


EVERYTHING: Final = Selection()
"""Lists as systems give them."""


def check_probabilities(keyphrases: Sequence[Keyphrase], name: str) -> None:
    """That a list has probabilities, if it has anything.

    Raises:
        BadParameter: it has none.
    """
    if keyphrases and all(one.probability is None for one in keyphrases):
        raise BadParameter(
            f"min_probability is asked for, and {name} gives no probabilities here",
            "leave it out and take a number of phrases (--top), or choose a system that is calibrated",
        )


@lru_cache(maxsize=64)
def keys_of(phrases: tuple[str, ...], language: str) -> frozenset[int]:
    """Keys of phrases, stemmed as those of documents in a language are."""
    stem = stemmer(language)
    return frozenset(phrase_key(phrase, stem) for phrase in phrases)


@lru_cache(maxsize=64)
def _longest(phrases: tuple[str, ...]) -> int:
    """Most parts of a phrase."""
    return max(len(PARTS.findall(normal_form(phrase))) for phrase in phrases)


class _Form(NamedTuple):
    """What a text is made of: its key, and the stems of its words less the stop words."""

    key: int
    stems: frozenset[str]


class _Known:
    """What is found out of the phrases of one document, each form of them once."""

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
        """Keys of a phrase: as it is shown and as it stands in the text, where words are broken across lines."""
        text = self.document.source.text
        written = {keyphrase.text, *(text[start:end] for start, end in keyphrase.spans)}
        return frozenset(self.form(one).key for one in written)

    def words(self, keyphrases: Iterable[Keyphrase]) -> list[frozenset[str]]:
        """Stems of each phrase; a short form has those of its long form."""
        return [self.form(self._spelt_out(one.text)).stems for one in keyphrases]

    def form(self, text: str) -> _Form:
        """What a text is made of."""
        if text not in self._forms:
            parts = PARTS.findall(normal_form(text))
            stems = frozenset(self._stem(part) for part in parts if part not in self._stop)
            self._forms[text] = _Form(phrase_key(text, self._stem), stems or frozenset(parts))
        return self._forms[text]

    def acronym(self, text: str) -> Acronym | None:
        """The acronym that a text is a form of."""
        return self.acronyms.get(self.form(text).key)

    def _spelt_out(self, text: str) -> str:
        acronym = self.acronym(text)
        return acronym.long if acronym else text


def _expanded(keyphrases: Iterable[Keyphrase], known: _Known) -> tuple[Keyphrase, ...]:
    """Phrases with their acronyms, each acronym once."""
    shown: list[Keyphrase] = []
    seen: set[Acronym] = set()
    for keyphrase in keyphrases:
        acronym = known.acronym(keyphrase.text)
        if acronym is None:
            shown.append(keyphrase)
        elif acronym not in seen:
            seen.add(acronym)
            shown.append(replace(keyphrase, acronym=acronym))
    return tuple(shown)


def _mentioned(document: AnalysedDocument, keys: frozenset[int], longest: int, score: float) -> list[Keyphrase]:
    """Phrases with some keys that stand in the text, the most frequent first, then the earliest."""
    found = mentions_of(document, keys, longest)
    order = sorted(range(len(found)), key=lambda index: (-found.frequency[index], found.first[index]))
    spans = [spans_of(document, found, index) for index in order]
    return [Keyphrase(surface_form(document.source.text, one), score, None, one) for one in spans]


def _is_term(text: str) -> bool:
    """Whether a word is written like a term: capitals inside, a digit, or a sign other than an inner hyphen."""
    return any(map(str.isupper, text[1:])) or not text.replace("-", "").isalpha()
