"""Languages of the texts of pairs, where nobody named them."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from keywright.summaries.pairs import Pair
from keywright.summaries.texts import SummaryText
from keywright.text.language_identification import detect

_SAMPLE: Final = 500
"""Characters of a text that its script is read from; arbitrary."""


def with_languages(pairs: Iterable[Pair], language: str | None = None) -> Iterator[Pair]:
    """Yield pairs whose texts have a language, and a note where the summary's differs from that of the others.

    A short summary says little about its language, so what it is compared with decides.

    Args:
        pairs: summaries with what they are compared with.
        language: ISO 639-1 code of all texts; None for the one that texts name, else the one detected.
    """
    detected, script = cache(detect), cache(main_script)
    for pair in pairs:
        others = tuple(text for text in (pair.source, *pair.references) if text)
        together = "\n".join(text.whole for text in others)
        summary = pair.summary.whole
        notes = pair.notes
        if script(summary) and script(together) and script(summary) != script(together):
            notes = (*notes, f"the summary is in {script(summary)} letters, other texts in {script(together)} ones")
        elif detected(summary) and detected(together) and detected(summary) != detected(together):
            notes = (*notes, f"the summary seems to be in {detected(summary)!r}, other texts in {detected(together)!r}")
        code = language or next((text.language for text in (*others, pair.summary) if text.language), None)
        yield _spoken(replace(pair, notes=notes), code or detected(together) or detected(summary))


def main_script(text: str) -> str:
    """Return the script of most letters, such as ``Latin``; empty without letters."""
    names = (unicodedata.name(letter, "").partition(" ")[0] for letter in text[:_SAMPLE] if letter.isalpha())
    most = Counter(filter(None, names)).most_common(1)
    return most[0][0].capitalize() if most else ""


def _spoken(pair: Pair, language: str | None) -> Pair:
    def with_language(text: SummaryText) -> SummaryText:
        return replace(text, language=text.language or language)

    return replace(
        pair,
        summary=with_language(pair.summary),
        references=tuple(map(with_language, pair.references)),
        source=pair.source and with_language(pair.source),
    )
