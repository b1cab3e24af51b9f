"""Names of columns and keys: which one holds the ids, the phrases, the ranks; errors name the nearest."""

import difflib
from collections.abc import Collection, Sequence
from typing import Final

from keywright.core.errors import BadRecord

IDS: Final = ("id", "doc_id", "document_id", "docno")
PHRASES: Final = ("keyphrase", "phrase", "keyword", "term")
"""Columns with one phrase a row, the documented name first."""
PHRASE_LISTS: Final = ("keyphrases", "keywords", "phrases")
"""Columns with all phrases of a document, the documented name first."""
_NEAR: Final = 0.6
"""Similarity from which a name is suggested: the default of difflib."""


def chosen(names: Collection[str], accepted: Sequence[str]) -> str | None:
    """Return the name that is the first of ``accepted``, else the only other one among them; case does not count.

    Raises:
        BadRecord: several others are there, and none is the first.
    """
    by_form = {name.strip().casefold(): name for name in names}
    matches = [by_form[form] for form in accepted if form in by_form]
    if len(matches) > 1 and accepted[0] not in by_form:
        raise BadRecord(f"both {' and '.join(map(repr, matches))} are there", f"rename one of them to {accepted[0]!r}")
    return matches[0] if matches else None


def column(names: Collection[str], accepted: Sequence[str], what: str, kind: str = "column") -> str:
    """Return the name of a column that must be there.

    Raises:
        BadRecord: it is missing; the hint has the nearest name.
    """
    name = chosen(names, accepted)
    if name is None:
        raise missing(accepted[0], names, what, kind)
    return name


def missing(name: str, names: Collection[str], what: str, kind: str = "column") -> BadRecord:
    """Return the error for a missing column or field, with those that are there and the nearest."""
    near = difflib.get_close_matches(name, list(names), n=1, cutoff=_NEAR)
    suggestion = f"; is it {near[0]!r}?" if near else ""
    return BadRecord(f"{what} has no {kind} {name!r}", f"there are {', '.join(map(repr, names)) or 'none'}{suggestion}")
