"""How many keyphrases quality best can move: those in the text, among the n-grams, and among what is read."""

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.arrays import Keys
from keywright.core.documents import AnalysedDocument, Style
from keywright.datasets.training_mix import TRAINING
from keywright.extraction.candidates.ngrams import ngrams_among
from keywright.extraction.ranking.context_reader import best_candidates
from keywright.extraction.systems.default import Default
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys
from studies.reader.rows import Reach
from studies.reader.standard_log_odds import standard_log_odds
from studies.training_data.training_documents import TrainingDocument, training_documents

EVERY: Final = 25
"""Step between the training documents that are counted; arbitrary, some five hundred remain."""
_LONGEST: Final = 8
"""Words of a keyphrase that is looked for in the text; longer ones are hardly ever in it."""


def rows_of(mirror: Path | None = None) -> Iterator[Reach]:
    """Yield a row for each training collection, in the style of its gold."""
    analyser, counts = TextAnalyser("en"), dict[str, Counter[str]]()
    for training in itertools.islice(training_documents(TRAINING, mirror), 0, None, EVERY):
        document = analyser.analyse(training.labelled.document)
        if len(document):
            counts.setdefault(training.part.data, Counter()).update(counted(training, document))
    for data, number in counts.items():
        yield Reach(data, *(number[name] for name in ("all", "text", "candidates", "shortlist", "read")))


def counted(training: TrainingDocument, document: AnalysedDocument) -> Iterator[str]:
    """Yield *all*, and the name of each place where it is found, for each keyphrase of a document."""
    places = _places(training.part.style, document)
    for keyphrase in training.labelled.gold:
        yield "all"
        yield from (name for name, keys in places.items() if np.isin(gold_keys([keyphrase], "en"), keys).any())


def _places(style: Style, document: AnalysedDocument) -> dict[str, Keys]:
    """Return the keys of phrases in the text, of all candidates, of the shortlist, and of those that are read."""
    system = Default(style=style.value)
    view, weight = system.view(document)
    every = np.ones(len(document), bool)
    return {
        "text": ngrams_among(document, _LONGEST, every, every).key,
        "candidates": view.candidates.key,
        "shortlist": view.shortlist.key,
        "read": view.shortlist.key[best_candidates(standard_log_odds(system, view, weight))],
    }
