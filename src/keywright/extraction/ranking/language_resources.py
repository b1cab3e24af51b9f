"""Resources of the default extractor by language: tables of phrases and words, trees, probabilities.

English and French have their own. All other languages share trees that were trained on English, French and Spanish
documents without tables: these rank by the document alone. Trees for tags are one for English, one for all others.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from keywright.extraction.corpus.knowledge import ANY, LANGUAGES, Knowledge, knowledge_of, lacking
from keywright.extraction.learners.ranker import TrainedRanker

MEASURED: Final = frozenset({"en", "fr", "es"})
"""Languages in which probabilities were compared with what people chose; in all others they are withheld."""

_MODELS: Final = {
    "en": "a model trained on English documents",
    "fr": "a model trained on French theses",
    ANY: "a model of the document's own statistics, trained on documents in twelve languages",
}
"""Model by language, in the words of a warning."""


@lru_cache(maxsize=len(LANGUAGES) + 3)
def load_shipped_ranker(language: str = "en") -> TrainedRanker:
    """Return the trained ranker of a language, or of ``ANY`` other, read on first use."""
    with resources.as_file(_file(language)) as path:
        return TrainedRanker.load(Path(path))


def load_shipped_tags(language: str = "en") -> TrainedRanker:
    """Return the trained ranker of tags in English, or for ``ANY`` other language, read on first use."""
    return load_shipped_ranker(f"tags_{language}")


def _file(language: str) -> Traversable:
    return resources.files("keywright") / "models" / f"default_{language}.json.zst"


@dataclass(frozen=True, slots=True, eq=False)
class LanguageResources:
    """Resources for documents of one language: tables, trees for authors and readers, trees for tags."""

    knowledge: Knowledge
    ranker: TrainedRanker
    tags: TrainedRanker | None = None


@dataclass(frozen=True)
class Languages:
    """The bundled resources by language."""

    def of(self, language: str) -> LanguageResources:
        """Return the resources of a language."""
        name = language if language in LANGUAGES else ANY
        tags = load_shipped_tags("en" if language == "en" else ANY)
        return LanguageResources(knowledge_of(name), load_shipped_ranker(name), tags)

    @cached_property
    def fingerprint(self) -> str:
        """Hashes of all trees and tables but the English ones, which are parameters of a system themselves.

        Trees are hashed as files, so that extraction from English text does not unpack those of other languages.
        """
        hashes = {"tags": hashlib.sha256(_file(f"tags_{ANY}").read_bytes()).hexdigest()[:8]}
        for name in (ANY, *LANGUAGES):
            if name != "en":
                tables = knowledge_of(name)
                trees = hashlib.sha256(_file(name).read_bytes()).hexdigest()[:8]
                counts = (tables.background, tables.chosen, tables.chosen_words, tables.chosen_heads)
                hashes[name] = "+".join((trees, *(table.fingerprint for table in counts if len(table))))
        return ",".join(f"{name}={digest}" for name, digest in hashes.items())


def warning_of(language: str, knowledge: Knowledge, only_style: str = "") -> str:
    """Return a warning of what is lacking for documents of a language; empty where nothing is.

    ``only_style``: the only style of the model, if that is not the one asked for.
    """
    missing = lacking(knowledge)
    if not missing:
        return ""
    style = f", in style {only_style!r} only" if only_style else ""
    model = _MODELS.get(language, _MODELS[ANY])
    return f"language {language!r}: without {', '.join(missing)}; ranked by {model}{style}"


def withheld(language: str) -> str:
    """Return why documents of a language that is not in ``MEASURED`` get no probabilities."""
    return f"no probabilities: none were measured in language {language!r}"
