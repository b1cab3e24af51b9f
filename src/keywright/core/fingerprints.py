"""Fingerprints, which tell whether two sets of documents are equal, whatever their names."""

import hashlib
from collections.abc import Iterable

from keywright.core.documents import Document


def of_texts(documents: Iterable[Document]) -> str:
    """Return the first 16 hexadecimal digits of a SHA-256 over ids and texts, in any order of documents."""
    digests = sorted(
        hashlib.sha256(f"{each.id}\0{each.text}".encode("utf-8", "surrogatepass")).digest() for each in documents
    )
    return hashlib.sha256(b"".join(digests)).hexdigest()[:16]
