"""Build ``src/keywright/models/background_en.counts``: in how many scholarly abstracts phrases of 1 to 3 words occur.

    KEYWRIGHT_MIRROR=... python tools/build_background.py

Sources are the English titles and abstracts of the training mix and of the paper lists; the file holds 64-bit hashes
and counts, no text. Phrases in fewer than ``LEAST`` documents are left out. The same data give the same file.
"""

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path

import zstandard

from keywright.candidates.ngrams import ngrams
from keywright.core.arrays import Keys
from keywright.core.documents import Document
from keywright.corpus.counting import count_documents
from keywright.text.analyser import TextAnalyser

SOURCES = ("train/train_mix_en.jsonl.zst", "train/title_abstract_nokeywords.jsonl.zst")
LONGEST = 3
LEAST = 8
TARGET = Path(__file__).parents[1] / "src" / "keywright" / "models" / "background_en.counts"
CARD = {
    "name": "background_en",
    "what": "document frequencies of English phrases of 1 to 3 words, 64-bit keys of stems, no text",
    "sources": [
        (
            "titles and abstracts of the training mix (papyrus theses, Stack Exchange, KP20k sample, Krapivin past the "
            "first 460, Inspec training and validation, WWW, KDD, paper lists); test documents were removed from it"
        ),
        "titles and abstracts of paper lists without keywords",
    ],
    "licence": "counts are facts; the texts (CC BY-SA 4.0, MIT, IET terms, and none stated) are not part of the file",
    "made_by": "tools/build_background.py",
    "date": "2026-11-21",
    "least_documents": LEAST,
}


def texts(mirror: Path) -> Iterator[str]:
    """Title and abstract of each record."""
    for source in SOURCES:
        with (mirror / source).open("rb") as packed, zstandard.ZstdDecompressor().stream_reader(packed) as stream:
            for line in io.TextIOWrapper(stream, encoding="utf-8"):
                record = json.loads(line)
                yield f"{record['title']}\n\n{record['abstract']}"


def keys_of_documents(mirror: Path) -> Iterator[Keys]:
    """Keys of the phrases of each document."""
    analyser = TextAnalyser("en")
    for number, text in enumerate(texts(mirror)):
        yield ngrams(analyser.analyse(Document(str(number), text)), LONGEST).key


def main() -> None:
    """Count, save, and say what came out."""
    mirror = Path(os.environ["KEYWRIGHT_MIRROR"])
    table = count_documents(keys_of_documents(mirror), least=LEAST, **CARD)
    TARGET.parent.mkdir(exist_ok=True)
    table.save(TARGET)
    size = TARGET.stat().st_size / 1e6
    print(f"{table.documents} documents, {len(table)} phrases, {size:.1f} MB, fingerprint {table.fingerprint}")


if __name__ == "__main__":
    main()
