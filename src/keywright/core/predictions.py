"""Predictions: what a system answers for one document."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from keywright.core.documents import Coverage, SectionKind
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True)
class Acronym:
    """A short form and the long form that the document gives for it; prints as *support vector machine (SVM)*."""

    short: str
    long: str

    def __str__(self) -> str:
        return f"{self.long} ({self.short})"


@dataclass(frozen=True, slots=True)
class Place:
    """A section and page with mentions of a phrase; ``page`` counts from 1, None where the document has no pages."""

    section: SectionKind
    page: int | None
    mentions: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the document, white space made single blanks, and its place in the text, half-open."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a person is told of a phrase when asking for its evidence.

    Attributes:
        reasons: names of the evidence by what it is about, such as ``how often``.
        places: where it stands, in the order of first mention.
        sentence: the one that shows it best; None when it is not in the document.
    """

    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: tuple[Place, ...] = ()
    sentence: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Generation:
    """How a generator came to a phrase: its tokens, each with its probability given all that was generated before.

    Marks around the phrase (delimiters, start and end tokens) are not among the tokens.

    Attributes:
        tokens: words or pieces of words, at least one.
        log_probabilities: natural logarithms, 0 at most, one a token.
        end: log-probability of the token that ended the phrase; None where none did, or it is not known.
        start: log-probability of the mark that began it; None where there is no such mark.
        slot: number of the slot of a generator of sets, from 0 on; None for generators of sequences.
        words: number of words of the phrase; above 0.

    Raises:
        BadParameter: a log-probability is above 0 or not finite, there are not as many as tokens, or there are no
            tokens or no words.
    """

    tokens: tuple[str, ...]
    log_probabilities: tuple[float, ...]
    end: float | None = None
    start: float | None = None
    slot: int | None = None
    words: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no generation."""
        count = len(self.log_probabilities)
        if len(self.tokens) != count or not count:
            message = f"{len(self.tokens)} tokens and {count} log-probabilities"
            raise BadParameter(message, "expected one log-probability a token, and at least one token")
        given = (*self.log_probabilities, *(one for one in (self.end, self.start) if one is not None))
        if odd := [one for one in given if not -math.inf < one <= 0]:
            message = f"log-probability {odd[0]} of {' '.join(self.tokens)!r:.60} is not a finite number up to 0"
            raise BadParameter(message, "expected natural logarithms of probabilities between 0 and 1")
        if self.words < 1 or (self.slot is not None and self.slot < 0):
            raise BadParameter(f"{self.words} words, slot {self.slot}", "expected at least one word, slots from 0")


@dataclass(frozen=True, slots=True)
class Keyphrase:
    """One keyphrase of a prediction.

    Attributes:
        text: surface form: the most frequent in the document, then the earliest.
        score: what the system ranks by; comparable within one document only, higher is better.
        probability: that a person would choose it, 0 to 1; from a fitted probability map and nothing else, else None.
        spans: places in the document's text, half-open, in characters; empty when the phrase is not in the document.
        evidence: what the score was made of, by the name of each part.
        grounds: the evidence for people: reasons, places, a sentence; None unless asked for.
        acronym: short and long form, where the phrase is one of them and they were asked for.
        generation: tokens and their probabilities, where a generator gave them.
    """

    text: str
    score: float
    probability: float | None = None
    spans: tuple[tuple[int, int], ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)
    grounds: Grounds | None = None
    acronym: Acronym | None = None
    generation: Generation | None = None

    @property
    def present(self) -> bool:
        """Whether the phrase occurs in the document."""
        return bool(self.spans)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A ranked list of keyphrases for one document, best first.

    Attributes:
        document_id: the document's ``id``.
        keyphrases: best first, no two with the same stems.
        chosen: how many, of all there are, the system itself stands by, however short the list was cut; None where it
            has no count rule.
        coverage: characters read of characters given.
        warnings: what the person should know, reading included.
        language: ISO 639-1 code that the analysis went by; None when not known.
        author_keywords: what the document itself gives as keywords; no system reads them.
        profile: how many phrases of the list, before it was cut, fall into each range of confidence that a calibrator
            knows, (ranges,); empty without a calibrator.
    """

    document_id: str
    keyphrases: tuple[Keyphrase, ...]
    chosen: int | None = None
    coverage: Coverage | None = None
    warnings: tuple[str, ...] = ()
    language: str | None = None
    author_keywords: tuple[str, ...] = ()
    profile: tuple[int, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The surface forms, best first."""
        return tuple(keyphrase.text for keyphrase in self.keyphrases)
