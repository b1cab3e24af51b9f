"""Predictions: the keyphrases of a system for one document, and runs: those for a whole data set."""

import bisect
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from keywright.core import views
from keywright.core.concepts import Concept
from keywright.core.documents import Coverage, Document, SectionKind
from keywright.core.errors import BadParameter, KeywrightError

_SHOWN: Final = 3
"""Keyphrases in a description; arbitrary."""


def describe_prediction(document_id: str, pairs: Sequence[tuple[str, float | None]]) -> str:
    """Return the id, the number of keyphrases and the first of them with their probabilities."""
    first = [repr(text) + ("" if probability is None else f" {probability:.2f}") for text, probability in pairs]
    more = ["…"] if len(pairs) > _SHOWN else []
    phrases = "1 keyphrase" if len(pairs) == 1 else f"{len(pairs)} keyphrases"
    return f"<Prediction for {document_id!r}: {phrases}{': ' * bool(pairs)}{', '.join(first[:_SHOWN] + more)}>"


def describe_run(system: str, data: str, predictions: int, failures: int) -> str:
    """Return the system, the data and how many documents were done."""
    over = f" over {data}" if data else ""
    failed = f", {failures} failed" if failures else ""
    return f"<Run of {system.partition('|')[0] or 'an unknown system'}{over}: {predictions} documents{failed}>"


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
    """Evidence for a phrase, prepared for people.

    Attributes:
        reasons: names of the evidence by topic, such as ``how often``.
        places: its places, in the order of first mention.
        sentence: the sentence that shows it best; None if it is not in the document.
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
        end: log-probability of the end token; None if there is none, or it is unknown.
        start: log-probability of the start token; None if there is none.
        slot: slot of a generator of sets, from 0; None for generators of sequences.
        words: number of words of the phrase; above 0.

    Raises:
        BadParameter: a log-probability above 0 or not finite, another number of them than tokens, no tokens, or no
            words.
    """

    tokens: tuple[str, ...]
    log_probabilities: tuple[float, ...]
    end: float | None = None
    start: float | None = None
    slot: int | None = None
    words: int = 1

    def __post_init__(self) -> None:
        """Check the numbers."""
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

    @property
    def present(self) -> bool:
        """True if the phrase occurs in the document."""
        return bool(self.spans)


@dataclass(frozen=True, slots=True)
class Assumption:
    """Conditions under which the probabilities of a list hold.

    Attributes:
        style: whose choice of keyphrases they are of.
        expected: number of keyphrases that people choose from such a document; None where no number is used.
    """

    style: str
    expected: float | None = None

    def __str__(self) -> str:
        """Return the assumption in words."""
        number = "" if self.expected is None else f", {self.expected:g} keyphrases in a document"
        return f"style {self.style}{number}"


@dataclass(frozen=True, slots=True)
class Prediction:
    """A ranked list of keyphrases for one document, best first.

    Attributes:
        document_id: the document's ``id``.
        keyphrases: best first, no two with the same stems.
        chosen: length of the list by the system's count rule, however short the list was cut; None without such a rule.
        coverage: characters read, of the characters given.
        warnings: warnings for people, those of reading included.
        language: ISO 639-1 code used by the analysis; None if unknown.
        author_keywords: keywords that the document itself lists; no system reads them.
        profile: number of phrases of the uncut list in each range of confidence of a calibrator, (ranges,); empty
            without a calibrator.
        assumes: what the probabilities assume, where the system says it.
        meta: the document's other data, JSON values, as its reader has them; see ``Document.meta``.
    """

    document_id: str
    keyphrases: tuple[Keyphrase, ...]
    chosen: int | None = None
    coverage: Coverage | None = None
    warnings: tuple[str, ...] = ()
    language: str | None = None
    author_keywords: tuple[str, ...] = ()
    profile: tuple[int, ...] = ()
    assumes: Assumption | None = None
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def texts(self) -> tuple[str, ...]:
        """Surface forms, best first."""
        return tuple(keyphrase.text for keyphrase in self.keyphrases)

    def pairs(self) -> list[tuple[str, float | None]]:
        """Return surface forms with their probabilities, best first; None where there is no probability."""
        return [(keyphrase.text, keyphrase.probability) for keyphrase in self.keyphrases]

    def to_dict(self, system: str | None = None) -> dict[str, Any]:
        """Return JSON values, as ``extract --json`` prints them; with ``system``, a signature, only if there is one."""
        from keywright.core import records  # noqa: PLC0415 - records are made of predictions

        return records.plain_record(self, system)

    def to_frame(self, library: str | None = None, *, wide: bool = False) -> Any:
        """Return a table: a row for each keyphrase, or one if ``wide``; ``library`` as for ``Predictions.to_frame``."""
        return views.frame_results((self,), library, wide=wide)

    def __repr__(self) -> str:
        return describe_prediction(self.document_id, self.pairs())

    def _repr_html_(self) -> str:
        return views.draw_prediction(self)


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that failed: its id, the error's code word, what happened, and what to do.

    ``meta``: its other data as far as they are known, as in ``Prediction``.
    """

    document_id: str
    code: str
    message: str
    hint: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def from_error(cls, document_id: str, error: KeywrightError, meta: Mapping[str, Any] | None = None) -> "Failure":
        """Return the failure of a document that an error stopped."""
        return cls(document_id, error.code, error.message, error.hint, meta or {})

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, as ``extract --json`` prints them."""
        from keywright.core import records  # noqa: PLC0415 - records are made of failures

        return records.failure_record(self)


@dataclass(frozen=True, slots=True)
class Run:
    """Predictions of one system over one data set, in the data set's order.

    Attributes:
        system: signature of the system.
        data: name of the data set, such as ``semeval2010/test``; empty if unknown.
        analyser: signature of the analyser; empty if unknown.
        seconds: wall time of the extraction; None if not measured.
        environment: versions that may matter for repeating the run.
        texts: fingerprint of the documents' ids and texts (``signatures.of_texts``); empty if unknown.
    """

    system: str
    data: str
    analyser: str
    predictions: tuple[Prediction, ...]
    failures: tuple[Failure, ...] = ()
    seconds: float | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    texts: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values: the header of a run file, and ``documents``, its records."""
        from keywright.core import records  # noqa: PLC0415 - records are made of runs

        return records.run_record(self)

    def to_frame(self, library: str | None = None, *, wide: bool = False) -> Any:
        """Return a table of all documents, predictions first, as ``Predictions.to_frame`` does."""
        return views.frame_results((*self.predictions, *self.failures), library, wide=wide)

    def __repr__(self) -> str:
        return describe_run(self.system, self.data, len(self.predictions), len(self.failures))

    def _repr_html_(self) -> str:
        return views.draw_results(repr(self).strip("<>"), (*self.predictions, *self.failures))


def locate_spans(document: Document, spans: Iterable[tuple[int, int]]) -> tuple[Place, ...]:
    """Return the sections and pages in which spans begin, in the order of first mention."""
    counts: dict[tuple[SectionKind, int | None], int] = {}
    for start, _ in spans:
        place = find_section(document, start), find_page(document, start)
        counts[place] = counts.get(place, 0) + 1
    return tuple(Place(section, page, mentions) for (section, page), mentions in counts.items())


def find_section(document: Document, at: int) -> SectionKind:
    """Return the kind of section of a character."""
    place = bisect.bisect_right(document.sections, at, key=lambda section: section.start) - 1
    inside = place >= 0 and at < document.sections[place].end
    return document.sections[place].kind if inside else SectionKind.BODY


def find_page(document: Document, at: int) -> int | None:
    """Return the page of a character, from 1; None if the document has no pages."""
    pages = document.meta.get("pages")
    if not isinstance(pages, (list, tuple)) or not pages:
        return None
    return max(1, bisect.bisect_right(pages, at))
