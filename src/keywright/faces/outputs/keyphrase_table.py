"""The keyphrases of a document for people: a table as wide as the screen, and the reasons for each phrase."""

from collections.abc import Sequence
from typing import Final

from keywright import api
from keywright.core.documents import Document
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, has_concepts
from keywright.faces.outputs.phrase_words import (
    LEGEND,
    collapse_spaces,
    describe_places,
    find_snippet,
    is_weighed,
    list_others,
    list_reasons,
    name_first_section,
    name_phrase,
)
from keywright.faces.outputs.screen import Screen, draw_rows, escape_controls

_MENTIONS_FROM: Final = 50
"""Minimum width for a column of mentions and a long bar; arbitrary: below, half of the line would be numbers."""
_PLACE_FROM: Final = 64
"""Minimum width for a column of first places; arbitrary, as above."""
_BAR, _SHORT_BAR = 10, 5  # characters of a bar for 1; arbitrary


def draw_keyphrases(
    document: Document, prediction: Prediction, groups: "Sequence[api.PhraseGroup]", screen: Screen
) -> str:
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
    if calibrated:
        numbers = ["" if each.probability is None else f"{each.probability:.2f}" for each in keyphrases]
        shares = [each.probability or 0.0 for each in keyphrases]
    else:
        texts = [f"{each.score:.4g}" for each in keyphrases]
        width = max(map(len, texts), default=0)
        numbers = [text.ljust(width) for text in texts]
        scores = [each.score for each in keyphrases]
        # Shares of the best score; with a negative score they would have no meaning.
        best = max(scores, default=0.0) if min(scores, default=0.0) >= 0 else 0.0
        shares = [score / best if best else 0.0 for score in scores]
    rows = []
    for group in groups:
        keyphrase = keyphrases[group.leader]
        name = collapse_spaces(name_phrase(keyphrase))
        if group.others:
            name += f"\n{list_others(prediction, group)}"
        bar = screen.bar(shares[group.leader], _BAR if mentions else _SHORT_BAR)
        label = collapse_spaces(keyphrase.concept.label) if keyphrase.concept else ""
        cells = [str(group.leader + 1), name, *[label] * concepts, f"{numbers[group.leader]} {bar}".rstrip()]
        cells += [*[str(len(keyphrase.spans))] * mentions, *[name_first_section(document, keyphrase)] * place]
        rows.append(cells)
    return draw_rows(screen, columns, rows, ("", "mentions"), fixed=(value, "first in"), gap=2)


def explain_keyphrases(document: Document, prediction: Prediction, screen: Screen) -> str:
    """Return the explanation of each phrase, in the order of ranks, and what the signs of reasons mean."""
    width = len(str(len(prediction.keyphrases)))
    text = "\n".join(
        _explain_keyphrase(document, keyphrase, f"{rank:{width + 1}}.", screen)
        for rank, keyphrase in enumerate(prediction.keyphrases, start=1)
    )
    if any(map(is_weighed, prediction.keyphrases)):
        text += "\n" + screen.wrap(LEGEND)
    return screen.characters(text)


def _explain_keyphrase(document: Document, keyphrase: Keyphrase, rank: str, screen: Screen) -> str:
    """Return why a phrase ranked, where it occurs, and a sentence with the phrase between guillemets."""
    margin = " " * (len(rank) + 1)
    text = screen.wrap(escape_controls(keyphrase.text), f"{rank} ")
    name = "why"
    for sign, words in list_reasons(document, keyphrase):
        start = f"{sign:4}" if is_weighed(keyphrase) else f"{sign}: "
        text += screen.wrap(escape_controls(words), f"{margin}{name:7}{start}")
        name = ""
    text += screen.wrap(f"{keyphrase.score:.4g}", f"{margin}score  ")
    if keyphrase.grounds and keyphrase.grounds.places:
        text += screen.wrap(escape_controls(describe_places(keyphrase.grounds.places)), f"{margin}where  ")
    if shown := find_snippet(document, keyphrase):
        text += screen.wrap(escape_controls(f"{shown.before}»{shown.phrase}«{shown.after}"), f"{margin}text   ")
    return text
