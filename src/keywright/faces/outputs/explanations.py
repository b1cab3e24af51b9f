"""The reasons for each phrase of a document, with its score, its places and a sentence, as text for people."""

from keywright.core.documents import Document
from keywright.core.predictions import Keyphrase, Prediction
from keywright.faces.outputs.screen import Screen
from keywright.faces.outputs.terminal_text import printable
from keywright.faces.phrase_location import places_words, snippet
from keywright.faces.reason_words import LEGEND, reason_lines, weighed


def explanations(document: Document, prediction: Prediction, screen: Screen) -> str:
    """Return the explanation of each phrase, in the order of ranks, and what the signs of reasons mean."""
    width = len(str(len(prediction.keyphrases)))
    text = "\n".join(
        _explanation(document, keyphrase, f"{rank:{width + 1}}.", screen)
        for rank, keyphrase in enumerate(prediction.keyphrases, start=1)
    )
    if any(map(weighed, prediction.keyphrases)):
        text += "\n" + screen.wrapped(LEGEND)
    return screen.characters(text)


def _explanation(document: Document, keyphrase: Keyphrase, rank: str, screen: Screen) -> str:
    """Return why a phrase ranked, where it occurs, and a sentence with the phrase between guillemets."""
    margin = " " * (len(rank) + 1)
    text = screen.wrapped(printable(keyphrase.text), f"{rank} ")
    name = "why"
    for sign, words in reason_lines(document, keyphrase):
        start = f"{sign:4}" if weighed(keyphrase) else f"{sign}: "
        text += screen.wrapped(printable(words), f"{margin}{name:7}{start}")
        name = ""
    text += screen.wrapped(f"{keyphrase.score:.4g}", f"{margin}score  ")
    if keyphrase.grounds and keyphrase.grounds.places:
        text += screen.wrapped(printable(places_words(keyphrase.grounds.places)), f"{margin}where  ")
    if shown := snippet(document, keyphrase):
        text += screen.wrapped(printable(f"{shown.before}»{shown.phrase}«{shown.after}"), f"{margin}text   ")
    return text
