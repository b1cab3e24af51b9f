"""What the default extractor knows and has learnt of each language: tables of phrases and words, trees, probabilities.

English and French have their own. All other languages that are written with blanks share trees that were trained on
English and French documents with all tables hidden: they rank by what a document itself tells.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from keywright.corpus.by_language import ANY, KNOWN, knowledge_of
from keywright.corpus.knowledge import Knowledge
from keywright.learners.ranker import TrainedRanker

UNTOLD: Final = frozenset({"ja", "zh"})
"""Languages written without blanks, whose phrases of characters are like none that the trees have seen."""


@lru_cache(maxsize=len(KNOWN) + 1)
def shipped(language: str = "en") -> TrainedRanker:
    """The trained trees of a language, or of ``ANY`` other, read on first use."""
    with resources.as_file(_file(language)) as path:
        return TrainedRanker.load(Path(path))


def _file(language: str) -> Traversable:
    return resources.files("keywright") / "models" / f"default_{language}.json.zst"


@dataclass(frozen=True, slots=True, eq=False)
class LanguageResources:
    """What there is for documents of one language.

    Attributes:
        knowledge: tables, some or all of them empty.
        judge: trees and probabilities.
    """

    knowledge: Knowledge
    judge: TrainedRanker


@dataclass(frozen=True)
class Languages:
    """The expertise that ships, by language."""

    def of(self, language: str) -> LanguageResources | None:
        """What there is for a language; None where there is nothing, as for those written without blanks."""
        if language in UNTOLD:
            return None
        name = language if language in KNOWN else ANY
        return LanguageResources(knowledge_of(name), shipped(name))

    @cached_property
    def fingerprint(self) -> str:
        """Hashes of all trees and tables but the English ones, which are parts of a system themselves.

        Trees by the bytes of their files: nobody who reads English waits for trees of other languages to be unpacked.
        """
        found = {}
        for name in (ANY, *KNOWN):
            if name != "en":
                tables = knowledge_of(name)
                trees = hashlib.sha256(_file(name).read_bytes()).hexdigest()[:8]
                counts = (tables.background, tables.chosen, tables.chosen_words, tables.chosen_heads)
                found[name] = "+".join((trees, *(table.fingerprint for table in counts if len(table))))
        return ",".join(f"{name}={hashes}" for name, hashes in found.items())
