"""Predictions: what a system answers for one document."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from keywright.core.documents import Coverage, SectionKind


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
    """

    text: str
    score: float
    probability: float | None = None
    spans: tuple[tuple[int, int], ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)
    grounds: Grounds | None = None
    acronym: Acronym | None = None

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
    """

    document_id: str
    keyphrases: tuple[Keyphrase, ...]
    chosen: int | None = None
    coverage: Coverage | None = None
    warnings: tuple[str, ...] = ()
    language: str | None = None
    author_keywords: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The surface forms, best first."""
        return tuple(keyphrase.text for keyphrase in self.keyphrases)
