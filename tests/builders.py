"""Small documents, gold, predictions and runs that many tests need."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from keywright.core.documents import AnalysedDocument, Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.normal_forms.spacy2 import split_chunks, tokenise_chunk
from keywright.evaluation.scoring.report import Report
from keywright.text.analyser import TextAnalyser


def document(text: str, *sections: Section, name: str = "a", language: str | None = None) -> Document:
    return Document(name, text, sections, language)


def analysed(text: str, *sections: Section, name: str = "a", language: str | None = None) -> AnalysedDocument:
    """Analyse a text; without a language as English, and the document names none."""
    return _analyser(language or "en").analyse(document(text, *sections, name=name, language=language))


def sectioned(parts: Mapping[SectionKind, str], end: str = "\n") -> AnalysedDocument:
    """Analyse a text made of parts, each a section and followed by ``end``."""
    text, sections = "", []
    for kind, part in parts.items():
        sections.append(Section(kind, len(text), len(text) + len(part)))
        text += part + end
    return analysed(text, *sections)


def gold(*phrases: str, by: str = "author") -> tuple[GoldKeyphrase, ...]:
    """Return gold of phrases with one form each."""
    return tuple(GoldKeyphrase((phrase,), by) for phrase in phrases)


def labelled(text: str, *phrases: str, name: str = "a") -> LabelledDocument[AnalysedDocument]:
    """Analyse a text and give it gold by its author."""
    return LabelledDocument(analysed(text, name=name), gold(*phrases))


def prediction(name: str, *phrases: str | Keyphrase, **fields: Any) -> Prediction:
    """Return a ranked list; the scores of plain texts fall from 0 by 1."""
    ranked = (Keyphrase(item, -float(rank)) if isinstance(item, str) else item for rank, item in enumerate(phrases))
    return Prediction(name, tuple(ranked), **fields)


def plain_ids(report: Report) -> Report:
    """Return a report whose ids are tuples of texts, however they are stored."""
    return replace(report, counts={by: replace(each, ids=tuple(each.ids)) for by, each in report.counts.items()})


def run(lists: Mapping[str, Iterable[str | Keyphrase]], system: str = "toy") -> Run:
    """Return a run with a list for each document's name."""
    return Run(system, "", "", tuple(prediction(name, *phrases) for name, phrases in lists.items()))


@cache
def _analyser(language: str) -> TextAnalyser:
    return TextAnalyser(language)


def tokenise(text: str) -> list[tuple[str, str]]:
    """Return tokens and lemmas of a text as spaCy 2.0.11 has them."""
    return [token for chunk in split_chunks(text) for token in tokenise_chunk(chunk)]
