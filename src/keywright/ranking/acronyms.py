"""Acronyms that a document defines, with their short and long forms."""

from collections.abc import Mapping

from keywright.core.documents import AnalysedDocument
from keywright.core.predictions import Acronym
from keywright.text.abbreviations import Span, abbreviations
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


def acronyms(document: AnalysedDocument) -> Mapping[int, Acronym]:
    """Return the first definition of each acronym, by the keys of both forms."""
    stem = stemmer(document.source.language or "en")
    definitions: dict[int, Acronym] = {}
    for short, long in abbreviations(document):
        acronym = Acronym(_text(document, short), _text(document, long))
        for form in (acronym.short, acronym.long):
            definitions.setdefault(phrase_key(form, stem), acronym)
    return definitions


def _text(document: AnalysedDocument, span: Span) -> str:
    """Return the text of a span on one line."""
    return " ".join(document.source.text[int(document.start[span[0]]) : int(document.end[span[1] - 1])].split())
