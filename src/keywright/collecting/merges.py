"""Forms that are counted under phrases written otherwise, why, and phrases that an encoder finds to mean the same.

An encoder takes for near what only belongs to one field: *discourse analysis* and *discourse structure*, *4bit* and
*16bit*. In 260 pairs of keywords judged by hand (``studies/collection/meaning_pairs.tsv``), 52 of 130 with a cosine of
.88 or more are not the same; 34 of these 52 have other numbers, or all words of one are in the other. Pairs so are left
out; the thresholds are from what remains. It merges 68 pairs of other collections, and 65 are the same.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from keywright.collecting.forms import form_key, is_short_form
from keywright.core.arrays import to_units
from keywright.text.encoders import Encode

Forms: TypeAlias = Mapping[int, list[tuple[str, int]]]  # forms of each phrase, with their documents
_SAME: Final = 0.94  # least cosine of phrases that are merged: 23 of 25 judged pairs are the same
_SUGGESTED: Final = 0.88  # least cosine of those that are suggested: 57 of 75
_ROWS: Final = 512  # phrases that are compared with all others at once; arbitrary, 10 MB for 5,000 phrases
_NUMBERS: Final = re.compile(r"\d+")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_OTHER_LETTERS: Final = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")  # letters that are not Latin


@dataclass(frozen=True, slots=True)
class Merged:
    """A form that is counted under a phrase that is written otherwise; ``reason``: why."""

    form: str
    phrase: str
    documents: int
    reason: str


def list_merges(texts: list[str], forms: Forms, reasons: Mapping[str, str]) -> Iterator[Merged]:
    """Yield the forms that are counted under a phrase written otherwise, and why; ``reasons``: those by form."""
    for place, of_phrase in forms.items():
        shown = texts[place]
        for text, documents in of_phrase[1:]:
            if text == shown:  # it was named, and is written so
                continue
            if text.casefold() in reasons:
                reason = reasons[text.casefold()]
            elif text.casefold() == shown.casefold():
                reason = "capitals"
            elif is_short_form(text) and form_key(text, None) != form_key(shown, None):
                reason = "acronym"
            else:
                reason = "inflection, spelling or hyphens"
            yield Merged(text, shown, documents, reason)


def join_meanings(forms: Forms, chosen: AbstractSet[str], encode: Encode) -> tuple[list[Merged], list[Merged]]:
    """Return forms that are merged by meaning and those that may be; ``chosen``: forms that the user placed.

    An encoder with ``languages``, such as the shipped one, compares phrases in Latin letters only.
    """
    is_limited = getattr(encode, "languages", None) is not None  # it knows Latin letters only, and others are alike
    free = [
        place for place in sorted(forms)
        if chosen.isdisjoint(text.casefold() for text, _ in forms[place])
        and not (is_limited and _OTHER_LETTERS.search(forms[place][0][0]))
    ]  # fmt: skip
    same, suggestions = list[Merged](), list[Merged]()
    for index, other, cosine in _find_meanings([forms[place][0][0] for place in free], encode):
        shown, merges = forms[free[other]][0][0], same if cosine >= _SAME else suggestions
        merges += (Merged(text, shown, documents, f"meaning, {cosine:.2f}") for text, documents in forms[free[index]])
    return same, suggestions


def _find_meanings(texts: Sequence[str], encode: Encode) -> Iterator[tuple[int, int, float]]:
    """Yield phrases, by index, with an earlier one that may mean the same, and their cosine of ``_SUGGESTED`` or more.

    ``texts``: the most frequent phrase first. Each phrase has its nearest partner, which is itself without one, so that
    no chain joins what is far apart. Nothing for fewer than two phrases; errors are those of the encoder.
    """
    if len(texts) < 2:  # noqa: PLR2004 - a pair
        return
    units = to_units(np.asarray(encode(texts))).astype(np.float32)
    joined: set[int] = set()
    for start in range(0, len(texts), _ROWS):
        cosines = units[start : start + _ROWS] @ units[: start + _ROWS].T
        for row, index in enumerate(range(start, min(start + _ROWS, len(texts)))):
            near = cosines[row, :index]
            for other in np.argsort(-near, kind="stable")[: int((near >= _SUGGESTED).sum())]:
                if other not in joined and _may_be_same(texts[index], texts[other]):
                    joined.add(index)
                    yield index, int(other), float(near[other])
                    break


def _may_be_same(first: str, second: str) -> bool:
    """Return whether phrases have the same numbers, and neither has all words of the other and more."""
    words, others = (set(_WORDS.findall(text.casefold())) for text in (first, second))
    return set(_NUMBERS.findall(first)) == set(_NUMBERS.findall(second)) and not (words < others or others < words)
