"""The English encoder on other languages, which quality best does not read."""

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.documents import AnalysedDocument, Document, LabelledDocument, Style
from keywright.datasets.collection import load
from keywright.extraction.ranking.context_reader import best_candidates, shipped_reader
from keywright.extraction.systems.default import Default
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys
from studies.reader.candidate_gains import f1_at, gains_of
from studies.reader.rows import Gain
from studies.reader.standard_log_odds import standard_log_odds

_DOCUMENTS: Final = 250
"""Documents of each language; arbitrary."""


@dataclass(frozen=True, slots=True)
class OtherLanguage:
    """A training collection; its trees learnt from the first of every so many documents, the second ones are scored."""

    data: str
    language: str
    every: int


LANGUAGES: Final = (OtherLanguage("papyrus_fr/train", "fr", 21), OtherLanguage("wicc_es/train", "es", 2))
"""French theses, of which French trees took each third and those of all languages each seventh; and Spanish papers."""


def rows_of(here: OtherLanguage, mirror: Path | None = None) -> list[Gain]:
    """Return what the encoder would gain in the style of authors, on documents that no trees learnt from."""
    system = Default(style=Style.AUTHOR.value).for_language(here.language)
    if system is None:
        return []
    analyser = TextAnalyser(here.language)
    labelled = itertools.islice(load(here.data, mirror), 1, None, here.every)
    scores = (f1_of(system, each, analyser.analyse(each.document)) for each in labelled)
    some = list(itertools.islice((f1 for f1 in scores if f1 is not None), _DOCUMENTS))
    return list(gains_of("other language", here.data, Style.AUTHOR.value, np.stack(some)))


def f1_of(system: Default, labelled: LabelledDocument[Document], document: AnalysedDocument) -> Floats | None:
    """Return F1 of the candidates by log-odds, by corrections and by both, at each cutoff, (3, cutoffs).

    None where no keyphrase is among the candidates.
    """
    view, weight = system.view(document)
    log_odds = standard_log_odds(system, view, weight)
    read = best_candidates(log_odds)
    answers = np.isin(view.shortlist.key, gold_keys(labelled.gold, system.language))[read]
    if not answers.any():
        return None
    added = shipped_reader().corrections(document, view.shortlist, log_odds, Style.AUTHOR)
    return np.array([f1_at(each[read], answers) for each in (log_odds, added, log_odds + added)])
