"""The bundled background: in how many documents of a general scholarly collection phrases occur."""

from functools import lru_cache
from importlib import resources
from pathlib import Path

from keywright.corpus.counts import PhraseCounts


@lru_cache(maxsize=1)
def background() -> PhraseCounts:
    """Document frequencies of English phrases of 1 to 3 words; mapped into memory on first use.

    Its card, made by ``tools/build_background.py``, names the sources and their licences.
    """
    with resources.as_file(resources.files("keywright") / "models" / "background_en.counts") as path:
        return PhraseCounts.load(Path(path))
