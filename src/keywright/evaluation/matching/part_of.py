"""Part-of matching, as evalHulth2003 counts it."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the rules load more than the old tool's eight numbers need
    from keywright.evaluation.rules import Entries, Form


def part_of(forms: "Collection[Form]", entries: "Entries") -> list[int]:
    """Hits by rank: a prediction has one if its tokens follow each other in a gold entry, or are all of it.

    The empty phrase is part of any gold. Several predictions may be parts of one entry, so that hits can outnumber the
    gold and recall exceed 1.
    """
    padded = [f" {entry} " for entry in entries]
    return [int(form in entries or _within(form, padded)) for form in forms]


def holding(forms: "Collection[Form]", entries: "Collection[Form]") -> int:
    """How many gold entries have a prediction as part: what recall counts where it is to stay within 1."""
    padded = [f" {form} " for form in forms if form]
    return len(entries) if "" in forms else sum(any(one in f" {entry} " for one in padded) for entry in entries)


def _within(form: "Form", padded: Sequence[str]) -> bool:
    """Whether a form stands in one of those between blanks."""
    if not form:
        return bool(padded)
    sought = f" {form} "
    return any(sought in one for one in padded)
