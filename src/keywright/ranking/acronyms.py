"""Keyphrases with the short and the long form of their acronym, as the document defines it."""

from collections.abc import Mapping

from keywright.core.documents import AnalysedDocument
from keywright.core.predictions import Acronym
from keywright.text.abbreviations import Span, abbreviations
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


def acronyms(document: AnalysedDocument) -> Mapping[int, Acronym]:
    """Acronyms by the key of either form, the first definition of each; a document without definitions gives none."""
    stem = stemmer(document.source.language or "en")
    found: dict[int, Acronym] = {}
    for short, long in abbreviations(document):
        acronym = Acronym(_text(document, short), _text(document, long))
        for form in (acronym.short, acronym.long):
            found.setdefault(phrase_key(form, stem), acronym)
    return found


def _text(document: AnalysedDocument, span: Span) -> str:
    """The text of some tokens on one line."""
    return " ".join(document.source.text[int(document.start[span[0]]) : int(document.end[span[1] - 1])].split())
