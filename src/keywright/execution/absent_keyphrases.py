"""Keyphrases behind a list that the text does not contain, or why there are none."""

from typing import Final

from keywright.core.documents import AnalysedDocument
from keywright.core.predictions import Keyphrase
from keywright.corpus.knowledge import knowledge_of
from keywright.execution.phrase_filter import PhraseFilter
from keywright.ranking.absent_phrases import LANGUAGE, shipped_absent
from keywright.ranking.domain import unlike_training

MOST: Final = 5
"""Absent keyphrases of a document: as many as are usually scored; people choose two or three."""
_NONE: Final = "no absent keyphrases:"


def absent_keyphrases(
    document: AnalysedDocument, phrase_filter: PhraseFilter, *, explain: bool
) -> tuple[tuple[Keyphrase, ...], tuple[str, ...]]:
    """Return up to five absent keyphrases that pass a filter, best first, and a warning where none can be suggested.

    Texts in other languages than English get none, nor do those unlike the documents that the default learnt from.
    """
    language = document.source.language or LANGUAGE
    if language != LANGUAGE:
        return (), (f"{_NONE} they are suggested for English texts only, and this one is in language {language!r}",)
    if reason := unlike_training(document, knowledge_of(LANGUAGE)):
        return (), (f"{_NONE} the text is unlike those that they were learned from ({reason})",)
    suggested = shipped_absent().suggested(document, MOST, explain=explain)
    passing = phrase_filter.apply(suggested, document)
    if suggested and not passing:
        return (), (f"{_NONE} none of those suggested passes the options",)
    return passing, () if suggested else (f"{_NONE} the words of the text suggest none",)
