"""Predictions: the keyphrases of a system for one document, lists of them, and runs: those for a whole data set.

All of them are JSON records (``to_dict``), tables for data analysis (``to_frame``) and short tables in notebooks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, SupportsIndex, TypeAlias, overload

from keywright.core.documents import Coverage
from keywright.core.errors import KeywrightError, error_record
from keywright.core.json_values import encode, replace_surrogates
from keywright.core.keyphrases import Keyphrase
from keywright.core.views import MOST_ROWS, Kinds, NotebookTable, make_data_frame

LONG: Final[Kinds] = {
    "id": str, "rank": int, "keyphrase": str, "score": float, "probability": float, "start": int, "end": int,
    "error": str,
}  # fmt: skip
"""Columns of one row for each keyphrase; ``start`` and ``end`` are those of its first mention, in characters."""
WIDE: Final[Kinds] = {"id": str, "keyphrases": list, "error": str}  # columns of one row for each document
_CONCEPT: Final[Kinds] = {"concept": str, "label": str}  # columns of a phrase's concept: URI and label
_CONCEPTS: Final[Kinds] = {"concepts": list, "labels": list}  # the same by document; empty for no concept
_SHOWN: Final = 3  # keyphrases in a description; arbitrary
_SHOWN_IN_LINE: Final = 5  # keyphrases in the line of a document in a notebook; arbitrary

Row: TypeAlias = tuple[Any, ...]  # values of the columns ``name_columns``


@dataclass(frozen=True, slots=True)
class Assumption:
    """Conditions of the probabilities of a list: style of choice, and the number of keyphrases that people choose."""

    style: str
    expected: float | None = None

    def __str__(self) -> str:
        return describe_assumptions([self])[0]


def describe_assumptions(assumptions: Iterable[Assumption]) -> list[str]:
    """Return the meaning of the probabilities of several documents, a sentence for each style."""
    numbers: dict[str, set[float]] = {}
    for each in assumptions:
        numbers.setdefault(each.style, set()).update([each.expected] if each.expected else [])
    sentences = []
    for style, expected in numbers.items():  # one number as it is, several as a range
        ends = dict.fromkeys(f"{end:.0f}" if len(expected) > 1 else f"{end:g}" for end in sorted(expected))
        about = " to ".join(dict.fromkeys((next(iter(ends), ""), next(reversed(ends), ""))))
        number = f", who choose about {about} keyphrases of a document," if about else ""
        people = _PEOPLE.get(style, "people")
        sentences.append(f"A probability is the chance that {people}{number} would choose this phrase.")
    return sentences


# Who chooses keyphrases, by style; any other is people in general.
_PEOPLE: Final = {"author": "authors", "reader": "readers", "indexer": "indexers of texts", "subject": "cataloguers"}


class KeyphraseList:
    """A sized iterable of keyphrases, best first."""

    __slots__ = ()
    keyphrases: Any

    def __iter__(self) -> Iterator[Keyphrase]:
        return iter(self.keyphrases)

    def __len__(self) -> int:
        return len(self.keyphrases)

    @property
    def texts(self) -> tuple[str, ...]:
        """Surface forms, best first."""
        return tuple(keyphrase.text for keyphrase in self)

    def pairs(self) -> list[tuple[str, float | None]]:
        """Return surface forms with their probabilities, best first; None where there is no probability."""
        return [(keyphrase.text, keyphrase.probability) for keyphrase in self]


@dataclass(frozen=True, slots=True)
class Prediction(KeyphraseList):
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

    document_id: str = field(metadata={"key": "id"})
    keyphrases: tuple[Keyphrase, ...]
    chosen: int | None = None
    coverage: Coverage | None = None
    warnings: tuple[str, ...] = ()
    language: str | None = None
    author_keywords: tuple[str, ...] = ()
    profile: tuple[int, ...] = ()
    assumes: Assumption | None = None
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def to_dict(self, system: str | None = None) -> dict[str, Any]:
        """Return JSON values, as ``extract --json`` prints them; with ``system``, a signature, only if there is one.

        Keys behind ``warnings`` are present only if there is a value.
        """
        record: dict[str, Any] = {"id": self.document_id, "language": self.language}
        if system is not None:
            record["system"] = system
        record["keyphrases"] = [keyphrase.to_dict() for keyphrase in self.keyphrases]
        record |= {"coverage": encode(self.coverage), "warnings": list(self.warnings)}
        if self.chosen is not None:
            record["chosen"] = self.chosen
        for name in ("author_keywords", "profile", "assumes", "meta"):
            if value := getattr(self, name):
                record[name] = encode(value)
        return record

    def to_frame(self, library: str | None = None, *, wide: bool = False) -> Any:
        """Return a table: a row for each keyphrase, or one if ``wide``; ``library`` as for ``Predictions.to_frame``."""
        return Predictions([self]).to_frame(library, wide=wide)

    def rows(self, *, wide: bool = False, concepts: bool = False) -> Iterator[Row]:
        """Yield a row for each keyphrase, or one if ``wide``; without keyphrases one with nothing but the id."""
        if wide:
            uris = [phrase.concept.uri if phrase.concept else "" for phrase in self.keyphrases]
            labels = [phrase.concept.label if phrase.concept else "" for phrase in self.keyphrases]
            yield (self.document_id, list(self.texts), None, *((uris, labels) if concepts else ()))
            return
        if not self.keyphrases:
            yield _fill_row(self.document_id, None, concepts=concepts)
        for rank, phrase in enumerate(self.keyphrases, start=1):
            start, end = map(int, phrase.spans[0]) if phrase.spans else (None, None)
            row = (self.document_id, rank, phrase.text, float(phrase.score), phrase.probability, start, end, None)
            concept = (phrase.concept.uri, phrase.concept.label) if phrase.concept else (None, None)
            yield row + (concept if concepts else ())

    def describe(self) -> str:
        """Return the first keyphrases with their probabilities in one line, or else the warnings."""
        if not self.keyphrases:
            return "; ".join(self.warnings)
        first = [text + _format(probability) for text, probability in self.pairs()[:_SHOWN_IN_LINE]]
        more = len(self.keyphrases) - len(first)
        return ", ".join([*first, f"… {more} more"] if more else first)

    def __repr__(self) -> str:
        count = len(self.keyphrases)
        first = [repr(text) + _format(probability) for text, probability in self.pairs()[:_SHOWN]]
        phrases = ", ".join(first + ["…"] * (count > _SHOWN))
        title = f"{self.document_id!r}: {count} keyphrase{'' if count == 1 else 's'}"
        return f"<Prediction for {title}{': ' * bool(count)}{phrases}>"

    def _repr_html_(self) -> str:
        """Return a table for a notebook: a row for each keyphrase."""
        calibrated = any(phrase.probability is not None for phrase in self.keyphrases)
        measure = "probability" if calibrated else "score"
        rows = [
            (str(rank), str(each.acronym or each.text), _format(getattr(each, measure)).strip(), str(len(each.spans)))
            for rank, each in enumerate(self.keyphrases[:MOST_ROWS], start=1)
        ]
        caption = f"{self.document_id} ({self.language})" if self.language else self.document_id
        beyond = len(self.keyphrases) - len(rows), "keyphrases"
        head, numbers = ("rank", "keyphrase", measure, "mentions"), ("rank", measure, "mentions")
        return NotebookTable(caption, head, rows, numbers, self.warnings, beyond).html()


@dataclass(frozen=True, slots=True)
class Failure(KeyphraseList):
    """A document that failed: its id, the error's code word, what happened, and what to do; it has no keyphrases.

    ``meta``: its other data as far as they are known, as in ``Prediction``.
    """

    keyphrases: ClassVar[tuple[Keyphrase, ...]] = ()  # type: ignore[misc]  # none, whatever happened

    document_id: str
    code: str
    message: str
    hint: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def from_error(cls, document_id: str, error: KeywrightError, meta: Mapping[str, Any] | None = None) -> "Failure":
        """Return the failure of a document that an error stopped, without halves of characters."""
        return cls(*map(replace_surrogates, (document_id, error.code, error.message, error.hint, meta or {})))

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, as ``extract --json`` prints them."""
        record = {"id": self.document_id, "error": error_record(self.code, self.message, self.hint)}
        return record | ({"meta": dict(self.meta)} if self.meta else {})

    def rows(self, *, wide: bool = False, concepts: bool = False) -> Iterator[Row]:
        """Yield the one row of a failure, with its message."""
        yield _fill_row(self.document_id, self.message, wide=wide, concepts=concepts)

    def describe(self) -> str:
        """Return the error in one line."""
        return f"error: {self.message}"

    def __repr__(self) -> str:
        return f"<Failure of {self.document_id!r}: {self.message}>"


Outcome: TypeAlias = Prediction | Failure  # result for one document


class Predictions(list[Outcome]):
    """A list of predictions, with a failure in the place of each document that could not be done.

    >>> import keywright as kw
    >>> results = kw.extract(["Tide gauges drift. A tide gauge is cheap.", ""], top=1)
    >>> results
    <Predictions for 2 documents, 1 failed>
    >>> results[0].texts
    ('tide gauge',)
    """

    def to_frame(self, library: str | None = None, *, wide: bool = False) -> Any:
        """Return a table: a row for each keyphrase, or if ``wide`` for each document; a failure has one row.

        ``library``: ``pandas``, ``polars`` or ``pyarrow``; None takes the first that is installed.
        """
        shape = {"wide": wide, "concepts": has_concepts(self)}
        return make_data_frame(list_columns(self, **shape), name_columns(**shape), library)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return JSON values, one for each document, as ``extract --json`` prints them."""
        return [outcome.to_dict() for outcome in self]

    @overload
    def __getitem__(self, place: SupportsIndex) -> Outcome: ...
    @overload
    def __getitem__(self, place: slice) -> "Predictions": ...
    def __getitem__(self, place: SupportsIndex | slice) -> "Outcome | Predictions":
        items = super().__getitem__(place)
        return Predictions(items) if isinstance(items, list) else items

    def __repr__(self) -> str:
        failed = sum(isinstance(outcome, Failure) for outcome in self)
        documents = f"{len(self):,} document{'' if len(self) == 1 else 's'}"
        return f"<Predictions for {documents}{f', {failed:,} failed' if failed else ''}>"

    def _repr_html_(self) -> str:
        return _draw_outcomes(repr(self).strip("<>"), self)


@dataclass(frozen=True, slots=True)
class Run:
    """Predictions of one system over one data set, in the data set's order.

    Attributes:
        system: signature of the system.
        data: name of the data set, such as ``semeval2010/test``; empty if unknown.
        analyser: signature of the analyser; empty if unknown.
        seconds: wall time of the extraction; None if not measured.
        environment: versions that may matter for repeating the run.
        texts: fingerprint of the documents' ids and texts (``signatures.fingerprint_texts``); empty if unknown.
    """

    system: str
    data: str
    analyser: str
    predictions: tuple[Prediction, ...]
    failures: tuple[Failure, ...] = ()
    seconds: float | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    texts: str = ""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Predictions in order, then failures."""
        return (*self.predictions, *self.failures)

    def header(self) -> dict[str, Any]:
        """Return the first record of a run file."""
        names = ("system", "data", "analyser", "environment", "seconds", "texts")
        return {name: encode(getattr(self, name)) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values: the header of a run file, and ``documents``, its records."""
        return {**self.header(), "documents": [outcome.to_dict() for outcome in self.outcomes]}

    def to_frame(self, library: str | None = None, *, wide: bool = False) -> Any:
        """Return a table of all documents, predictions first, as ``Predictions.to_frame`` does."""
        return Predictions(self.outcomes).to_frame(library, wide=wide)

    def __repr__(self) -> str:
        over = f" over {self.data}" if self.data else ""
        documents = f"{len(self.predictions)} documents{f', {len(self.failures)} failed' if self.failures else ''}"
        return f"<Run of {self.system.partition('|')[0] or 'an unknown system'}{over}: {documents}>"

    def _repr_html_(self) -> str:
        return _draw_outcomes(repr(self).strip("<>"), self.outcomes)


def name_columns(*, wide: bool, concepts: bool = False) -> Kinds:
    """Return the columns of results, wide or long, and with columns of concepts behind."""
    added = _CONCEPTS if wide else _CONCEPT
    return {**(WIDE if wide else LONG), **(added if concepts else {})}


def has_concepts(outcomes: Iterable[Outcome]) -> bool:
    """Return whether some phrase of some results is a concept of a vocabulary."""
    return any(phrase.concept for outcome in outcomes for phrase in outcome.keyphrases)


def list_columns(outcomes: Iterable[Outcome], *, wide: bool = False, concepts: bool = False) -> dict[str, list[Any]]:
    """Return the columns of all documents, in their order."""
    rows = [row for outcome in outcomes for row in outcome.rows(wide=wide, concepts=concepts)]
    return {name: [row[index] for row in rows] for index, name in enumerate(name_columns(wide=wide, concepts=concepts))}


def _draw_outcomes(caption: str, outcomes: Sequence[Outcome]) -> str:
    """Return the table of several results for a notebook: a row for each document."""
    rows = [(outcome.document_id, outcome.describe()) for outcome in outcomes[:MOST_ROWS]]
    beyond = len(outcomes) - len(rows), "documents"
    return NotebookTable(caption, ("id", "keyphrases"), rows, beyond=beyond).html()


def _fill_row(document_id: str, message: str | None, *, wide: bool = False, concepts: bool = False) -> Row:
    """Return a row with an id and a message, or none, in columns that are empty otherwise."""
    columns = name_columns(wide=wide, concepts=concepts)
    return tuple(document_id if name == "id" else message if name == "error" else None for name in columns)


def _format(probability: float | None) -> str:
    return "" if probability is None else f" {probability:.2f}"
