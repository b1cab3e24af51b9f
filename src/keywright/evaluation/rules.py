"""The rules of which protocols are made: enums where the engine branches, named functions where it calls."""

import enum
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from keywright.core.documents import Document, SectionKind
from keywright.text.stems import semeval_stem

Form: TypeAlias = str
"""A phrase after normalisation: what is compared."""

Entries: TypeAlias = Mapping[Form, tuple[int, ...]]
"""The gold of one document: for each accepted form, which entries it equals."""


class ByteMarks(enum.StrEnum):
    """What becomes of a byte order mark at the start, and of carriage returns before line feeds."""

    KEPT = "kept"
    STRIPPED = "stripped"


class Repeats(enum.StrEnum):
    """What becomes of a phrase that came before in the same list."""

    KEPT = "kept"
    FIRST = "first"


class PhraseClass(enum.StrEnum):
    """Which phrases are scored, on both sides."""

    ALL = "all"
    PRESENT = "present"  # those that stand in the document's text
    ABSENT = "absent"  # the others


class GoldClass(enum.StrEnum):
    """What tells present gold from absent gold."""

    TEXT = "text"  # the document's text, as for predictions
    MARK = (
        "mark"  # its place before or after a ``<peos>``, which is an entry where all are scored; without one, present
    )


class ShortList(enum.StrEnum):
    """What a list shorter than the cutoff gives."""

    NOTHING = "nothing"  # its hits are not counted in that row
    OF_CUTOFF = "of_cutoff"  # its hits count; precision is of the cutoff
    OF_CUTOFF_IF_ANY = "of_cutoff_if_any"  # the same, but an empty list adds nothing to what precision divides by
    OF_LENGTH = "of_length"  # its hits count; precision is of the list's length


class NoGold(enum.StrEnum):
    """What becomes of a document without gold."""

    ZERO = "zero"  # counted, with recall 0
    LEFT_OUT = "left_out"  # of R and F, and reported; its predictions count in P
    NOT_COUNTED = "not_counted"  # left out of P, too, and reported
    STOP = "stop"  # scoring fails when its list reaches the lowest cutoff


class Documents(enum.StrEnum):
    """By how many documents averages and pooled precision divide."""

    HUNDRED = "hundred"  # whatever the gold holds
    COUNTED = "counted"


class Average(enum.StrEnum):
    """How documents become one number."""

    MICRO = "micro"  # hits, predictions and gold pooled
    MACRO = "macro"  # means of P and R; F is the harmonic mean of the two means
    MEAN = "mean"  # means of P, R and F


class FScore(enum.StrEnum):
    """What F is computed from."""

    ROUNDED = "rounded"  # P and R as printed
    EXACT = "exact"


class ZeroDivisor(enum.StrEnum):
    """What a quotient is whose divisor is 0."""

    ZERO = "zero"
    STOP = "stop"


class OddIds(enum.StrEnum):
    """What becomes of an answer whose document id is missing, unknown or repeated."""

    COUNTED = "counted"  # scoring goes on, the report says how many
    REFUSED = "refused"


class Unit(enum.StrEnum):
    """What the reference prints; ``decimals`` are places of it."""

    FRACTION = "fraction"
    PERCENT = "percent"


Normalise: TypeAlias = Callable[[str], Form]
Accept: TypeAlias = Callable[[Form], bool]
Alternatives: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]
Matching: TypeAlias = Callable[[Sequence[Form], Entries], list[int]]
PartialMatching: TypeAlias = Callable[[Sequence[Form], Entries], list[float]]
"""Matching whose hits may be fractions; it says so by an attribute ``partial``."""
Write: TypeAlias = Callable[[Sequence[str]], tuple[str, ...]]
TextOf: TypeAlias = Callable[[Document], str]
Presence: TypeAlias = Callable[[Form, Form], bool]
"""Whether a phrase stands in a text, both normalised."""

PRESENT_END: Final = "<peos>"
"""What stands between present and absent phrases where lists are separated."""


def unchanged(phrases: Sequence[str]) -> tuple[str, ...]:
    """Surface forms as the system gave them."""
    return tuple(phrases)


def as_given(phrase: str) -> Form:
    """The phrase itself, blanks and case included."""
    return phrase


def neutral(phrase: str) -> Form:
    """Unicode NFKC, case folded, white space collapsed, each run of letters stemmed (Porter, Martin's variant)."""
    return " ".join(semeval_stem(unicodedata.normalize("NFKC", phrase).casefold()).split())


def everything(form: Form) -> bool:  # noqa: ARG001 - it accepts whatever it is given
    """Any form, the empty one included."""
    return True


def not_empty(form: Form) -> bool:
    """Any form with something in it."""
    return bool(form)


def first_two(forms: tuple[str, ...]) -> tuple[str, ...]:
    """The first and the second alternative; further ones are not accepted."""
    return forms[:2]


def every(forms: tuple[str, ...]) -> tuple[str, ...]:
    """Every alternative that has something in it; a gold entry that is empty as a whole stays."""
    return tuple(filter(None, forms)) or forms[:1]


def whole_text(document: Document) -> str:
    """All of the document's text."""
    return document.text


def title_and_abstract(document: Document) -> str:
    """Title and abstract; all of the text where one of them is not told apart, as in most abstracts."""
    parts = [document.section(kind) for kind in (SectionKind.TITLE, SectionKind.ABSTRACT)]
    return " ".join(part for part in parts if part) if all(parts) else document.text


def token_run(form: Form, text: Form) -> bool:
    """Its tokens, cut at single blanks, follow each other somewhere in the text's. The empty phrase is nowhere."""
    return f" {form} " in f" {text} " if form else False


def substring(form: Form, text: Form) -> bool:
    """It is part of the text, letter by letter: ``art`` stands in ``part``. The empty phrase is nowhere."""
    return form in text if form else False


def is_mark(form: Form) -> bool:
    """Whether a phrase begins with the token that stands between present and absent ones."""
    return form == PRESENT_END or form.startswith(f"{PRESENT_END} ")


def pairs(forms: Sequence[Form], entries: Entries) -> list[int]:
    """Hits by rank: a prediction has one for every gold entry it equals, however often that entry was hit."""
    return [len(entries[form]) if form in entries else 0 for form in forms]


def any_entry(forms: Sequence[Form], entries: Entries) -> list[int]:
    """Hits by rank: a prediction has one if it equals a gold entry, whether or not that entry was hit before."""
    return [int(form in entries) for form in forms]


def once(forms: Sequence[Form], entries: Entries) -> list[int]:
    """Hits by rank: a prediction has one if it equals a gold entry that no better ranked one has taken."""
    taken: set[int] = set()
    hits = []
    for form in forms:
        free = next((entry for entry in entries.get(form, ()) if entry not in taken), None)
        hits.append(int(free is not None))
        if free is not None:
            taken.add(free)
    return hits
