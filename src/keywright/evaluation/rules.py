"""The rules of which protocols are made: enums where the engine branches, functions and values where it calls."""

import enum
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from keywright.core.documents import Document, SectionKind
from keywright.text.stems import semeval_stem

Form: TypeAlias = str  # A phrase after normalisation, as it is compared
Entries: TypeAlias = Mapping[Form, tuple[int, ...]]
"""The gold of one document: for each accepted form the numbers of the gold entries that it equals."""


class ByteMarks(enum.StrEnum):
    """Treatment of a byte order mark at the start, and of carriage returns before line feeds."""

    KEPT = "kept"
    STRIPPED = "stripped"


class Repeats(enum.StrEnum):
    """Treatment of a phrase that repeats an earlier one of the same list."""

    KEPT = "kept"
    FIRST = "first"


class PhraseClass(enum.StrEnum):
    """Class of phrases that is scored, on both sides."""

    ALL = "all"
    PRESENT = "present"  # phrases that occur in the document's text
    ABSENT = "absent"  # all other phrases


class GoldClass(enum.StrEnum):
    """Criterion of present gold."""

    TEXT = "text"  # by the document's text, as for predictions
    MARK = "mark"  # by its place before or after `<peos>`; all of it is present where there is no such entry


class ShortList(enum.StrEnum):
    """Score of a list shorter than the cutoff."""

    NOTHING = "nothing"  # its hits are not counted in that row
    OF_CUTOFF = "of_cutoff"  # its hits count; precision divides by the cutoff
    OF_CUTOFF_IF_ANY = "of_cutoff_if_any"  # the same, but for an empty list precision divides by 0
    OF_LENGTH = "of_length"  # its hits count; precision divides by the list's length


class NoGold(enum.StrEnum):
    """Treatment of a document without gold."""

    ZERO = "zero"  # counted, with recall 0
    LEFT_OUT = "left_out"  # left out of R and F, and reported; its predictions count in P
    NOT_COUNTED = "not_counted"  # left out of P, R and F, and reported
    STOP = "stop"  # scoring fails when its list reaches the lowest cutoff


class Documents(enum.StrEnum):
    """Number of documents by which averages and pooled precision divide."""

    HUNDRED = "hundred"  # 100, however many documents the gold has
    COUNTED = "counted"


class Average(enum.StrEnum):
    """Aggregation of documents to one number."""

    MICRO = "micro"  # hits, predictions and gold pooled
    MACRO = "macro"  # means of P and R; F is the harmonic mean of the two means
    MEAN = "mean"  # means of P, R and F


class FScore(enum.StrEnum):
    """Values from which F is computed."""

    ROUNDED = "rounded"  # P and R as printed
    EXACT = "exact"


class ZeroDivisor(enum.StrEnum):
    """Result of a division by 0."""

    ZERO = "zero"
    STOP = "stop"


class OddIds(enum.StrEnum):
    """Treatment of an answer whose document id is missing, unknown or repeated."""

    COUNTED = "counted"  # scoring continues; the report counts them
    REFUSED = "refused"


class Unit(enum.StrEnum):
    """Unit in which the reference prints values; ``decimals`` are places of it."""

    FRACTION = "fraction"
    PERCENT = "percent"


class PartialCredit:
    """Base of the matching rules whose hits may be fractions; hits of every other rule are whole numbers."""

    __slots__ = ()


Normalise: TypeAlias = Callable[[str], Form]
Accept: TypeAlias = Callable[[Form], bool]
Alternatives: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]
Matching: TypeAlias = Callable[[Sequence[Form], Entries], Sequence[float]]
"""Hits by rank; a rule whose hits may be fractions derives from ``PartialCredit``."""
Write: TypeAlias = Callable[[Sequence[str]], tuple[str, ...]]
TextOf: TypeAlias = Callable[[Document], str]
Presence: TypeAlias = Callable[[Form, Form], bool]  # test whether a phrase occurs in a text, both normalised
PRESENT_END: Final = "<peos>"  # mark between present and absent phrases of separated lists


@dataclass(frozen=True, slots=True)
class AcceptForms:
    """An ``accept`` rule: it accepts every form but those with certain tokens, and perhaps the empty one."""

    name: str  # the rule in signatures
    empty: bool = True  # whether the empty form is accepted
    refused: frozenset[str] = frozenset()  # tokens between single blanks that no accepted form has

    @property
    def fingerprint(self) -> str:
        """The rule in signatures."""
        return self.name

    @property
    def meaning(self) -> str:
        """The rule in words."""
        forms = "Any form" if self.empty else "Any form but the empty one"
        tokens = " or ".join(f"`{token}`" for token in sorted(self.refused))
        return f"{forms} that has no token {tokens}" if tokens else forms

    def __call__(self, form: Form) -> bool:
        """Check whether a form counts."""
        if not form or not self.refused:
            return bool(form) or self.empty
        return self.refused.isdisjoint(form.split(" "))


everything: Final = AcceptForms("everything")
not_empty: Final = AcceptForms("not_empty", empty=False)


def unchanged(phrases: Sequence[str]) -> tuple[str, ...]:
    """Return surface forms as the system gave them."""
    return tuple(phrases)


def as_given(phrase: str) -> Form:
    """Return the phrase itself, blanks and case included."""
    return phrase


def neutral(phrase: str) -> Form:
    """Apply Unicode NFKC, fold case, collapse white space, stem each run of letters (Porter, Martin's variant)."""
    return " ".join(semeval_stem(unicodedata.normalize("NFKC", phrase).casefold()).split())


def first_two(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Accept the first and the second alternative only."""
    return forms[:2]


def every(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Accept every alternative that is not empty; keep a gold entry that is empty as a whole."""
    return tuple(filter(None, forms)) or forms[:1]


def whole_text(document: Document) -> str:
    """Return all of the document's text."""
    return document.text


def title_and_abstract(document: Document) -> str:
    """Return title and abstract; all of the text where either is not marked, as in most collections of abstracts."""
    parts = [document.section(kind) for kind in (SectionKind.TITLE, SectionKind.ABSTRACT)]
    return " ".join(part for part in parts if part) if all(parts) else document.text


def token_run(form: Form, text: Form) -> bool:
    """Find the phrase's tokens, split at single blanks, in a row in the text; the empty phrase is never present."""
    return f" {form} " in f" {text} " if form else False


def substring(form: Form, text: Form) -> bool:
    """Find the phrase in the text as characters: ``art`` occurs in ``part``; the empty phrase is never present."""
    return form in text if form else False


def is_mark(form: Form) -> bool:
    """Check whether a phrase begins with the mark between present and absent phrases."""
    return form == PRESENT_END or form.startswith(f"{PRESENT_END} ")


def pairs(forms: Sequence[Form], entries: Entries) -> list[int]:
    """Give a prediction one hit for every gold entry that it equals, even if the entry was hit before."""
    return [len(entries.get(form, ())) for form in forms]


def any_entry(forms: Sequence[Form], entries: Entries) -> list[int]:
    """Give a prediction one hit if it equals a gold entry, even if the entry was hit before."""
    return [int(form in entries) for form in forms]


def once(forms: Sequence[Form], entries: Entries) -> list[int]:
    """Give a prediction one hit if it equals a gold entry that no better ranked prediction has taken."""
    taken: set[int] = set()
    hits = []
    for form in forms:
        free = next((entry for entry in entries.get(form, ()) if entry not in taken), None)
        hits.append(int(free is not None))
        if free is not None:
            taken.add(free)
    return hits


def part_of(forms: Collection[Form], entries: Entries) -> list[int]:
    """Give a prediction one hit if its tokens follow each other in a gold entry, or are all of it.

    The empty phrase is part of any gold. Several predictions may be parts of one entry, so that hits can outnumber the
    gold and recall exceed 1.
    """
    padded = [f" {entry} " for entry in entries]
    inner = (f" {form} " if form else "" for form in forms)
    return [
        int(form in entries or any(part in entry for entry in padded)) for form, part in zip(forms, inner, strict=True)
    ]
