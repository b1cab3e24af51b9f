"""Resources of the default extractor by language: tables of phrases and words, trees, probabilities.

English and French have their own. All other languages share trees that were trained on English, French and Spanish
documents without tables: these rank by the document alone. Trees for tags are one for English, one for all others,
which also know the commonest words of some forty languages, and the classes of words.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from keywright.core.saving import MODELS
from keywright.extraction.corpus.knowledge import ANY, COMMON_WORDS, LANGUAGES, Knowledge, knowledge_of, lacking
from keywright.extraction.learners.ranker import TrainedRanker
from keywright.reading.language_identification import name_language
from keywright.text.stems import LEMMAS, SNOWBALL, STOP_LISTS, find_forms
from keywright.text.tag_lexicon import WORD_CLASSES
from keywright.text.word_borders import BY_ICU, KOREAN, find_word_borders


@lru_cache(maxsize=len(LANGUAGES) + 5)
def load_shipped_ranker(language: str = "en") -> TrainedRanker:
    """Return the trained ranker of a language, or of ``ANY`` other, read on first use."""
    return TrainedRanker.load(_file(language))


def load_shipped_tags(language: str = "en") -> TrainedRanker:
    """Return the trained ranker of tags in English, or for ``ANY`` other language, read on first use."""
    return load_shipped_ranker(f"tags_{language}")


def load_shipped_prose(language: str = "en") -> TrainedRanker:
    """Return the trained corrections for everyday prose in English, or in ``ANY`` other language."""
    return load_shipped_ranker(f"prose_{language}")


def _file(language: str) -> Path:
    return MODELS / f"default_{language}.json.zst"


class LanguageResources(NamedTuple):
    """Resources for documents of one language: tables, and trees for authors and readers, for tags, and for prose."""

    knowledge: Knowledge
    ranker: TrainedRanker
    tags: TrainedRanker | None = None
    prose: TrainedRanker | None = None


@dataclass(frozen=True)
class Languages:
    """The bundled resources by language."""

    def of(self, language: str) -> LanguageResources:
        """Return the resources of a language."""
        everyday = "en" if language == "en" else ANY
        ranker = load_shipped_ranker(language if language in LANGUAGES else ANY)
        return LanguageResources(
            knowledge_of(language), ranker, load_shipped_tags(everyday), load_shipped_prose(everyday)
        )

    @cached_property
    def fingerprint(self) -> str:
        """Hashes of all trees and tables but the English ones, which are parameters of a system themselves."""
        # Trees are hashed as files, so that extraction from English text does not unpack those of other languages.
        files = {
            "tags": _file(f"tags_{ANY}"),
            "prose": _file(f"prose_{ANY}"),
            "words": MODELS / COMMON_WORDS,
            "classes": MODELS / WORD_CLASSES,
        }
        hashes = {name: hashlib.sha256(file.read_bytes()).hexdigest()[:8] for name, file in files.items()}
        for name in (ANY, *LANGUAGES):
            if name != "en":
                tables = knowledge_of(name)
                trees = hashlib.sha256(_file(name).read_bytes()).hexdigest()[:8]
                counts = (tables.background, tables.chosen, tables.chosen_words, tables.chosen_heads)
                hashes[name] = "+".join((trees, *(table.fingerprint for table in counts if len(table))))
        return ",".join(f"{name}={digest}" for name, digest in hashes.items())


def warning_of(language: str, knowledge: Knowledge, only_style: str = "") -> str:
    """Return a warning of what is lacking for a language, such as other styles than one; empty where nothing is."""
    if not lacking(knowledge):
        return ""
    style = f" and style {only_style!r} only" if only_style else ""
    # French has trees and probabilities of its own, measured on theses.
    source = "" if language in {"fr", *read_measured()} else "; probabilities come from other languages"
    return f"language {language!r}: fewer resources than English{style}, see `keywright languages`{source}"


@dataclass(frozen=True, slots=True)
class LanguageSupport:
    """Resources for documents in a language on this machine, with names as ``keywright languages`` prints them.

    Attributes:
        language: ISO 639-1 code.
        name: in English.
        stop_words: whether there is a list of function words.
        forms: by what forms of a word are joined: ``stems``, ``lemmas``, or ``none``.
        word_borders: what tells words apart: ``spaces``, ``icu``, ``kiwi``, or ``none``.
        trained: whether the trees of the default saw documents in the language.
        reader: whether quality best reads it.
        measured: ``F@5`` and ``F@10`` of the default, and the calibration error ``ECE`` of its first ten probabilities,
            means over collections in the language, 0 to 1, with the language left out of trees and probabilities
            (English: the domain of each collection); None without collections.
    """

    language: str
    name: str
    stop_words: bool
    forms: str
    word_borders: str
    trained: bool
    reader: bool
    measured: dict[str, float] | None


def describe_support(language: str) -> LanguageSupport:
    """Return what there is for a language, without loading it."""
    return LanguageSupport(
        language,
        name_language(language),
        language in {"en", *STOP_LISTS},
        find_forms(language),
        find_word_borders(language),
        language in TRAINED,
        reader=True,  # one of English, one of all others
        measured=read_measured().get(language),
    )


@lru_cache(maxsize=1)
def read_measured() -> dict[str, dict[str, float]]:
    """Return what was measured of the default by language: see ``LanguageSupport``."""
    lines = Path(__file__).with_name("measured_languages.txt").read_text("utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {code: dict(zip(("F@5", "F@10", "ECE"), map(float, values), strict=True)) for code, *values in rows}


TRAINED: Final = frozenset("de en es fr it ja ko nl pl pt zh".split())
"""Languages of the training documents of the default, by ``datasets/training_mix.py``."""
SUPPORTED: Final = tuple(sorted({"en", KOREAN, *STOP_LISTS, *SNOWBALL, *LEMMAS, *BY_ICU}))
"""Languages for which there is anything besides the identification."""
