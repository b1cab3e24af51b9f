"""Part-of matching, as evalHulth2003 counts it."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the rules load more than the old tool's eight numbers need
    from keywright.evaluation.rules import Entries, Form


def part_of(forms: "Collection[Form]", entries: "Entries") -> list[int]:
    """Give a prediction one hit if its tokens follow each other in a gold entry, or are all of it.

    The empty phrase is part of any gold. Several predictions may be parts of one entry, so that hits can outnumber the
    gold and recall exceed 1.
    """
    padded = [f" {entry} " for entry in entries]
    return [int(form in entries or _within(form, padded)) for form in forms]


def holding(forms: "Collection[Form]", entries: "Collection[Form]") -> int:
    """Count the gold entries that have a prediction as part: the numerator of a recall that stays within 1."""
    padded = [f" {form} " for form in forms if form]
    return len(entries) if "" in forms else sum(any(form in f" {entry} " for form in padded) for entry in entries)


def _within(form: "Form", padded: Sequence[str]) -> bool:
    """Check whether a form is in one of the entries, which have blanks around them."""
    padded_form = f" {form} " if form else ""
    return any(padded_form in entry for entry in padded)
