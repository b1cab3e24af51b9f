"""keywright: keyphrases, with a calibrated probability for each.

>>> import keywright as kw
>>> prediction = kw.extract("A grid scheduler assigns jobs to machines. The grid scheduler knows every machine.")
>>> prediction.keyphrases[0].text
'grid scheduler'

Names are loaded on first use: importing this package loads no other package.
"""

import importlib
from typing import TYPE_CHECKING, Any

from keywright.core import VERSION

if TYPE_CHECKING:
    from keywright.api import (  # isort: skip
        Analysis, Calibration, Collection, Comparison, Difference, Protocol, Report, adapt, analyse, apply_calibrator,
        build_vocabulary, calibrate, calibrated, collection, combine, compare, correlate_summaries, dataset, document,
        drift, embed, explain_difference, export, extract, extract_each, extract_files, extract_parts, extract_table,
        list_datasets, list_protocols, list_systems, list_tables, load, load_vocabulary, phrase_probabilities, prepare,
        read, read_all, report_summaries, reproduce, run, score, score_all, score_stream, score_summaries, system,
        train, vocabulary_gaps,
    )  # fmt: skip
    from keywright.core.documents import (  # isort: skip
        AnalysedDocument, Document, GoldKeyphrase, LabelledDocument, Section, SectionKind,
    )  # fmt: skip
    from keywright.core.errors import KeywrightError
    from keywright.core.keyphrases import Concept, Keyphrase
    from keywright.core.predictions import Failure, Prediction, Predictions, Run

__version__ = VERSION

__all__ = [
    "AnalysedDocument", "Analysis", "Calibration", "Collection", "Comparison", "Concept", "Difference", "Document",
    "Failure", "GoldKeyphrase", "Keyphrase", "KeywrightError", "LabelledDocument", "Prediction", "Predictions",
    "Protocol", "Report", "Run", "Section", "SectionKind", "__version__", "adapt", "analyse", "apply_calibrator",
    "build_vocabulary", "calibrate", "calibrated", "collection", "combine", "compare", "correlate_summaries", "dataset",
    "document", "drift", "embed", "explain_difference", "export", "extract", "extract_each", "extract_files",
    "extract_parts", "extract_table", "list_datasets", "list_protocols", "list_systems", "list_tables", "load",
    "load_vocabulary", "phrase_probabilities", "prepare", "read", "read_all", "report_summaries", "reproduce",
    "run", "score", "score_all", "score_stream", "score_summaries", "system", "train", "vocabulary_gaps",
]  # fmt: skip

_PLACES = {
    "core.documents": "AnalysedDocument Document GoldKeyphrase LabelledDocument Section SectionKind",
    "core.errors": "KeywrightError",
    "core.keyphrases": "Concept Keyphrase",
    "core.predictions": "Failure Prediction Predictions Run",
}
_PLACE = dict.fromkeys(__all__, "api") | {name: module for module, names in _PLACES.items() for name in names.split()}

_ELSEWHERE = {"KeyBERT", "KeywordExtractor", "Rake", "TopicRank", "extract_keywords", "get_ranked_phrases", "keywords"}
"""Names that people know from KeyBERT, YAKE, RAKE, pke, gensim and others."""


def __getattr__(name: str) -> Any:
    """Return a public name, loaded now."""
    if name not in _PLACE:
        hint = "; use kw.extract(text, top=10); kw.list_systems() gives the methods" if name in _ELSEWHERE else ""
        raise AttributeError(f"module 'keywright' has no attribute {name!r}{hint}")
    value = getattr(importlib.import_module(f"keywright.{_PLACE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return all public names, loaded or not."""
    return sorted(__all__)
