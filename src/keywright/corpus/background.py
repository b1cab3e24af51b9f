"""The bundled backgrounds: document frequencies in general scholarly collections, by language."""

from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal

from keywright.corpus.counts import PhraseCounts

LANGUAGES: Final = ("en", "fr")
"""Languages with a background."""


@lru_cache(maxsize=len(LANGUAGES))
def background(language: Literal["en", "fr"] = "en") -> PhraseCounts:
    """Return document frequencies of phrases of 1 to 3 words (French: 4), mapped into memory on first use.

    Its card, made by ``tools/train/build_background.py``, names the sources and their licences.
    """
    with resources.as_file(resources.files("keywright") / "models" / f"background_{language}.counts") as path:
        return PhraseCounts.load(Path(path))
