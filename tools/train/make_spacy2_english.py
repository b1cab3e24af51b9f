"""Write ``src/keywright/models/spacy2_english.json.zst`` and print its SHA-256.

Usage: python tools/train/make_spacy2_english.py EXCEPTIONS LEMMAS

EXCEPTIONS is ``tokens_exceptions.jsonl.gz`` of the reference answers: each exception of spaCy 2.0.11's tokenizer with
its tokens and their lemmas where these differ. LEMMAS is ``en_lemma_lookup.json.gz`` of the package
spacy-lookups-data 1.0.5, whose table is that of spaCy 2.0.11 but for the entries of ``OLDER``.
"""

import gzip
import hashlib
import json
import sys
from pathlib import Path

from keywright.core.zstandard import zstd

OUTPUT = Path(__file__).parents[2] / "src" / "keywright" / "models" / "spacy2_english.json.zst"
OLDER = {
    "spun": "spin-dry",
    "dry": "spin-dry",
    "first": "\ufeff1",
    "lenses": "lense",
    "singing": "singe",
    " furtherst": "further",
    " skilled": "skill",
    "spun-dry": None,
}
"""Entries of 2.0.11 that differ; None removes the entry."""


def main(exceptions: Path, lookups: Path) -> None:
    """Read both, write one file, with sorted keys so that the same tables give the same bytes."""
    cuts = {}
    with gzip.open(exceptions, "rt", encoding="utf-8") as lines:
        for line in lines:
            chunk, words, lemmas = json.loads(line)
            cuts[chunk] = [[word, lemmas.get(str(at), word)] for at, word in enumerate(words)]
    with gzip.open(lookups, "rt", encoding="utf-8") as file:
        table = json.load(file) | OLDER
    entries = {word: lemma for word, lemma in table.items() if lemma is not None}
    content = {"exceptions": cuts, "lemmas": entries}
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    packed = zstd.compress(text.encode(), 22)
    OUTPUT.write_bytes(packed)
    digest = hashlib.sha256(packed).hexdigest()
    print(f"{len(cuts)} exceptions, {len(entries)} lemmas, {len(packed)} bytes, sha256 {digest}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
