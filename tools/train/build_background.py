"""Build ``src/keywright/models/background_*.counts``: document frequencies of phrases in scholarly abstracts.

    KEYWRIGHT_MIRROR=... python tools/train/build_background.py [LANGUAGE ...]

Sources are the English titles and abstracts of the training mix and of the paper lists, and those of the French theses;
the files hold 64-bit hashes and counts, no text. Phrases in fewer than ``LEAST`` documents are left out. The same data
give the same files.
"""

import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from keywright.core.arrays import Keys
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.zstandard import zstd
from keywright.extraction.candidates.ngrams import content_words, ngrams
from keywright.extraction.candidates.prefilter import content_words_and_connectors
from keywright.extraction.corpus.counts import count_documents
from keywright.text.analyser import TextAnalyser

SOURCES: Final = {
    "en": ("train/train_mix_en.jsonl.zst", "train/title_abstract_nokeywords.jsonl.zst"),
    "fr": ("train/papyrus_fr.jsonl.zst",),
}
LONGEST: Final = {"en": 3, "fr": 4}
"""Tokens of the longest phrases; French phrases contain function words, *droit de l'enfant*, English ones do not."""
LEAST: Final = {"en": 8, "fr": 5}
"""Documents that a phrase must occur in; arbitrary, a smaller number makes a larger file."""
MODELS: Final = Path(__file__).parents[2] / "src" / "keywright" / "models"
CARDS: Final[dict[str, dict[str, Any]]] = {
    "en": {
        "what": "document frequencies of English phrases of 1 to 3 words, 64-bit keys of stems, no text",
        "sources": [
            (
                "titles and abstracts of the training mix (papyrus theses, Stack Exchange, KP20k sample, Krapivin past "
                "the first 460, Inspec training and validation, WWW, KDD, paper lists); test documents were removed "
                "from it"
            ),
            "titles and abstracts of paper lists without keywords",
        ],
        "licence": (
            "counts are facts; the texts (CC BY-SA 4.0, MIT, IET terms, and none stated) are not part of the file"
        ),
    },
    "fr": {
        "what": "document frequencies of French phrases of 1 to 4 tokens, 64-bit keys of stems, no text",
        "sources": ["titles and abstracts of theses of the Université de Montréal (Papyrus), CC BY-SA 4.0"],
        "licence": "counts are facts; the texts (CC BY-SA 4.0) are not part of the file",
    },
}


def texts(mirror: Path, language: str = "en") -> Iterator[str]:
    """Yield title and abstract of each record."""
    for source in SOURCES[language]:
        with (mirror / source).open("rb") as packed, zstd.open(packed) as stream:
            for line in io.TextIOWrapper(stream, encoding="utf-8"):
                record = json.loads(line)
                yield f"{record['title']}\n\n{record['abstract']}"


def keys_of_documents(mirror: Path, language: str = "en") -> Iterator[Keys]:
    """Yield the keys of the phrases of each document."""
    analyser = TextAnalyser(language)
    for number, text in enumerate(texts(mirror, language)):
        document = analyser.analyse(Document(str(number), text, language=language))
        yield phrases_of(document, language)


def phrases_of(document: AnalysedDocument, language: str) -> Keys:
    """Return the keys of the phrases that are counted in a document."""
    inside = content_words if language == "en" else content_words_and_connectors
    return ngrams(document, LONGEST[language], content_words, inside).key


def main() -> None:
    """Count, save, and print a summary."""
    mirror = Path(os.environ["KEYWRIGHT_MIRROR"])
    for language in sys.argv[1:] or SOURCES:
        name, least = f"background_{language}", LEAST[language]
        # made_by is the path that the program had: cards are part of hashed files
        card = {"name": name, **CARDS[language], "made_by": "tools/build_background.py", "date": "2026-11-21"}
        card["least_documents"] = least
        table = count_documents(keys_of_documents(mirror, language), least=least, **card)
        target = MODELS / f"{name}.counts"
        table.save(target)
        size = target.stat().st_size / 1e6
        print(f"{name}: {table.documents} documents, {len(table)} phrases, {size:.1f} MB, {table.fingerprint}")


if __name__ == "__main__":
    main()
