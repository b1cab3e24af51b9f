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

from keywright.corpus.by_language import ANY, KNOWN, knowledge_of, lacking
from keywright.corpus.knowledge import Knowledge
from keywright.learners.ranker import TrainedRanker

UNTOLD: Final = frozenset({"ja", "zh"})
"""Languages written without blanks, whose phrases of characters are like none that the trees have seen."""

_LEARNT: Final = {
    "en": "what was learnt from English documents",
    "fr": "what was learnt from French theses",
    ANY: "what the document itself tells, as learnt from English and French ones",
}
"""What trees have learnt from, by language."""


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
        ranker: trees and probabilities.
    """

    knowledge: Knowledge
    ranker: TrainedRanker


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


def warning_of(language: str, knowledge: Knowledge | None = None, only_style: str = "") -> str:
    """Return a warning of what is lacking for documents of a language; empty where nothing is.

    Args:
        language: ISO 639-1 code.
        knowledge: its tables; None where there are no resources at all.
        only_style: the only style that was learnt, if that is not the one asked for.
    """
    if knowledge is None:
        return f"nothing was learnt for language {language!r}: phrases are counted and weighed"
    missing = lacking(knowledge)
    if not missing:
        return ""
    style = f", in style {only_style!r} only" if only_style else ""
    return (
        f"language {language!r}: without {', '.join(missing)}; ranked by {_LEARNT.get(language, _LEARNT[ANY])}{style}"
    )
