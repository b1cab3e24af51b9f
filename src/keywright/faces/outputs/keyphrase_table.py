"""The keyphrases of a document as a table for people, in as many columns as the screen has room for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from keywright.core.documents import Document
from keywright.core.predictions import Keyphrase, Prediction
from keywright.core.result_rows import has_concepts
from keywright.faces.outputs.screen import Screen
from keywright.faces.outputs.terminal_text import printable, rendered, table
from keywright.faces.phrase_location import first_place, one_line
from keywright.faces.phrase_names import also, shown_name

if TYPE_CHECKING:
    from keywright.api import PhraseGroup

_MENTIONS_FROM: Final = 50
"""Minimum width for a column of mentions and a long bar; arbitrary: below, half of the line would be numbers."""
_PLACE_FROM: Final = 64
"""Minimum width for a column of first places; arbitrary, as above."""
_BAR, _SHORT_BAR = 10, 5  # characters of a bar for 1; arbitrary


def keyphrase_table(document: Document, prediction: Prediction, groups: "Sequence[PhraseGroup]", screen: Screen) -> str:
    """Return a table with a row for each group of phrases: rank, phrase, value with a bar, mentions, first place.

    The value is the probability; for systems without probabilities the score, with a bar unless some are negative.
    Narrow screens show fewer columns, from the right.
    """
    keyphrases = prediction.keyphrases
    calibrated = any(keyphrase.probability is not None for keyphrase in keyphrases)
    mentions, place = screen.width >= _MENTIONS_FROM, screen.width >= _PLACE_FROM
    value = "probability" if calibrated else "score"
    concepts = has_concepts((prediction,))
    columns = ["", "keyphrase", *["concept"] * concepts, value, *["mentions"] * mentions, *["first in"] * place]
    rows = table(*columns, numbers=("", "mentions"), compact=True)
    for fixed in rows.columns[2 + concepts :]:
        fixed.no_wrap = True
    values = _probabilities(keyphrases) if calibrated else _scores(keyphrases)
    for group in groups:
        keyphrase = keyphrases[group.leader]
        name = printable(one_line(shown_name(keyphrase)))
        if group.others:
            name += f"\n{printable(also(prediction, group))}"
        number, share = values[group.leader]
        bar = screen.bar(share, _BAR if mentions else _SHORT_BAR)
        label = printable(one_line(keyphrase.concept.label)) if keyphrase.concept else ""
        cells = [str(group.leader + 1), name, *[label] * concepts, f"{number} {bar}".rstrip()]
        rows.add_row(*cells, *[str(len(keyphrase.spans))] * mentions, *[first_place(document, keyphrase)] * place)
    return rendered(rows, screen)


def _probabilities(keyphrases: Sequence[Keyphrase]) -> list[tuple[str, float]]:
    """Return each probability as text, and the share of a bar."""
    values = (keyphrase.probability for keyphrase in keyphrases)
    return [("", 0.0) if value is None else (f"{value:.2f}", value) for value in values]


def _scores(keyphrases: Sequence[Keyphrase]) -> list[tuple[str, float]]:
    """Return each score as text, and its share of the best one; without bars if a share would have no meaning."""
    scores = [keyphrase.score for keyphrase in keyphrases]
    texts = [f"{score:.4g}" for score in scores]
    width = max(map(len, texts), default=0)
    best = max(scores, default=0.0) if min(scores, default=0.0) >= 0 else 0.0
    return [(text.ljust(width), score / best if best else 0.0) for text, score in zip(texts, scores, strict=True)]
