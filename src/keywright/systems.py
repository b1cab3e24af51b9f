"""Names for writing a system: documents and rankings, candidates, numbers of candidates, and checks.

A function ``text -> phrases``, or ``text -> (phrase, score) pairs``, is a system without any of them. A class needs
``name``, ``needs`` and ``extract``, which ends in ``rank``:

>>> from keywright import systems
>>> class Frequent:
...     name = "frequent"
...     needs = frozenset({"stems"})
...
...     def extract(self, document: systems.AnalysedDocument) -> systems.Ranking:
...         candidates = systems.ngrams(document, 3)
...         return systems.rank(document, candidates, 1.0 * candidates.frequency * candidates.length)
>>> import keywright as kw
>>> kw.extract("Rain gardens hold rain. Rain gardens need sand.", Frequent(), top=1).texts
('Rain gardens',)

Names are loaded on first use; docs/how-to/write-a-system.md explains each.
"""

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keywright.core.candidates import Candidates, Ranking
    from keywright.core.documents import AnalysedDocument, LabelledDocument
    from keywright.core.interfaces import Extractor
    from keywright.extraction.candidates.ngrams import (
        content_words,
        ngrams,
        nouns_and_adjectives,
        runs,
        stop_words,
        words_and_numbers,
    )
    from keywright.extraction.candidates.patterns import noun_chunks
    from keywright.extraction.features.functions.centrality import pagerank, sum_over_words, word_graph
    from keywright.extraction.features.functions.mentions import first_mention, last_mention, relative_frequency
    from keywright.extraction.ranking.rank import rank
    from keywright.testing import check_extractor, check_trainable
    from keywright.text.analyser import TextAnalyser

_LINES = Path(__file__).with_name("systems.txt").read_text("utf-8").splitlines()  # modules, and their names
_PLACE = {name: module for module, *names in map(str.split, _LINES) for name in names}

__all__ = [
    "AnalysedDocument", "Candidates", "Extractor", "LabelledDocument", "Ranking", "TextAnalyser", "check_extractor",
    "check_trainable", "content_words", "first_mention", "last_mention", "ngrams", "noun_chunks",
    "nouns_and_adjectives", "pagerank", "rank", "relative_frequency", "runs", "stop_words", "sum_over_words",
    "word_graph", "words_and_numbers",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return a name of this module, loaded now."""
    if name not in _PLACE:
        raise AttributeError(f"module 'keywright.systems' has no attribute {name!r}; there are: {', '.join(__all__)}")
    value = getattr(importlib.import_module(f"keywright.{_PLACE[name]}"), name)
    globals()[name] = value
    return value
