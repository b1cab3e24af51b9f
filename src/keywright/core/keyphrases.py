"""Keyphrases: the phrases of a prediction, with all that is known of each, as values and as JSON records."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from keywright.core.documents import Document, SectionKind, find_page, find_section
from keywright.core.errors import BadParameter
from keywright.core.json_values import check_number, check_object, decode_fields, encode


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
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Grounds:
    """Evidence for a phrase, prepared for people.

    ``reasons`` are names of the evidence by topic, such as ``how often``; ``places`` in the order of first mention;
    ``sentence`` shows it best, None if it is not in the document.
    """

    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: tuple[Place, ...] = ()
    sentence: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Generation:
    """Tokens of a generated phrase, each with its probability conditional on all earlier ones.

    Delimiters, start and end tokens are not among them.

    Attributes:
        tokens: words or pieces of words, at least one.
        log_probabilities: natural logarithms, at most 0, one per token.
        words: number of words of the phrase; above 0.
        start, end: log-probabilities of the start and the end token; None where there is none, or it is unknown.
        slot: slot of a generator of sets, from 0; None for generators of sequences.

    Raises:
        BadParameter: values that are none of these.
    """

    tokens: tuple[str, ...]
    log_probabilities: tuple[float, ...]
    words: int = 1
    start: float | None = None
    end: float | None = None
    slot: int | None = None

    def __post_init__(self) -> None:
        count = len(self.log_probabilities)
        if len(self.tokens) != count or not count:
            message = f"{len(self.tokens)} tokens and {count} log-probabilities"
            raise BadParameter(message, "expected one log-probability a token, and at least one token")
        every = (*self.log_probabilities, *(value for value in (self.end, self.start) if value is not None))
        if odd := [value for value in every if not -math.inf < value <= 0]:
            message = f"log-probability {odd[0]} of {' '.join(self.tokens)!r:.60} is not a finite number up to 0"
            raise BadParameter(message, "expected natural logarithms of probabilities between 0 and 1")
        if self.words < 1 or (self.slot is not None and self.slot < 0):
            raise BadParameter(f"{self.words} words, slot {self.slot}", "expected at least one word, slots from 0")


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept of a controlled vocabulary, such as a subject heading.

    Attributes:
        uri: its identifier.
        label: its preferred label.
        language: tag of the label's language, such as ``fi``; empty for a label without one.
        notation: its code in the vocabulary, such as a class number; empty without one.
        scheme: URI of the scheme that it belongs to; empty if unknown.
        broader: URIs of the concepts directly above it.
    """

    uri: str
    label: str
    language: str = ""
    notation: str = ""
    scheme: str = ""
    broader: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values; null for what is unknown."""
        return {name: None if value == "" else value for name, value in encode(self).items()}

    @classmethod
    def from_dict(cls, value: Any) -> "Concept":
        """Return the concept of JSON values; raise as ``decode`` does."""
        return decode_fields(cls, {name: item for name, item in check_object(value).items() if item is not None})


@dataclass(frozen=True, slots=True)
class VocabularyMatch:
    """Why a phrase is one of a vocabulary: a phrase of the document is near to a label, by the cosine of embeddings."""

    by: str
    similarity: float
    phrase: str


@dataclass(frozen=True, slots=True)
class Keyphrase:
    """One keyphrase of a prediction.

    Attributes:
        text: surface form: the most frequent in the document, then the earliest.
        score: score of the system; comparable within one document only, higher is better.
        probability: probability that a person would choose it, 0 to 1, from a fitted calibrator or map; else None.
        spans: places in the document's text, half-open, in characters; empty when the phrase is not in the document.
        evidence: components of the score, by name.
        grounds: the evidence for people; None unless asked for.
        acronym: short and long form, if the phrase is one of them and they were asked for.
        generation: tokens and their probabilities, from a generator.
        lemma: the phrase as its system compares it; None for systems that do not say.
        concept: that which it is a label of, with a vocabulary of concepts.
        ambiguous: URIs of all concepts that it can mean, the chosen one first; empty where only one label fits.
        match: why it is a phrase of the vocabulary, where it was found by meaning.
        generated: whether a system that writes phrases wrote it, and the document does not contain it.
    """

    text: str
    score: float
    probability: float | None = None
    spans: tuple[tuple[int, int], ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)
    grounds: Grounds | None = None
    acronym: Acronym | None = None
    generation: Generation | None = None
    lemma: str | None = None
    concept: Concept | None = None
    ambiguous: tuple[str, ...] = ()
    generated: bool = False
    match: VocabularyMatch | None = None

    @property
    def present(self) -> bool:
        """True if the phrase occurs in the document."""
        return bool(self.spans)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values; ``evidence`` and all behind it are present only if there is a value."""
        record: dict[str, Any] = {
            "text": self.text,
            "score": float(self.score),
            "probability": self.probability,
            "present": self.present,
            "spans": [[int(start), int(end)] for start, end in self.spans],
        }
        if self.generated:
            record["generated"] = True
        if self.evidence:
            record["evidence"] = {name: float(value) for name, value in self.evidence.items()}
        if self.grounds:
            record |= encode(self.grounds)
        if self.lemma is not None:
            record["lemma"] = self.lemma
        if self.acronym:
            record["acronym"] = encode(self.acronym)
        if self.concept:
            record["concept"] = self.concept.to_dict()
        if self.match:
            record["match"] = encode(self.match)
        if self.ambiguous:
            record["ambiguous"] = list(self.ambiguous)
        if self.generation:
            generation = encode(self.generation)
            record["generation"] = {name: value for name, value in generation.items() if value is not None}
        return record

    @classmethod
    def from_dict(cls, value: Any) -> "Keyphrase":
        """Return the keyphrase of JSON values; raise as ``decode`` does."""
        record = check_object(value)
        probability = record.get("probability")
        if probability is not None and not 0 <= check_number(probability, "probability") <= 1:
            raise ValueError(f"probability {probability} is not between 0 and 1")
        return decode_fields(cls, {**record, "grounds": record} if "places" in record else record)


def locate_spans(document: Document, spans: Iterable[tuple[int, int]]) -> tuple[Place, ...]:
    """Return the sections and pages in which spans begin, in the order of first mention."""
    counts = Counter((find_section(document, start), find_page(document, start)) for start, _ in spans)
    return tuple(Place(section, page, mentions) for (section, page), mentions in counts.items())


def outermost(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans in order, without those inside others."""
    outer: list[tuple[int, int]] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not outer or end > outer[-1][1]:
            outer.append((start, end))
    return tuple(outer)
