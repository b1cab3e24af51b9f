"""Fingerprints: whether two sets of documents are the same, whatever they are called."""

import hashlib
from collections.abc import Iterable

from keywright.core.documents import Document


def of_texts(documents: Iterable[Document]) -> str:
    """First 16 hexadecimal digits of a SHA-256 over ids and texts; the order of the documents does not matter."""
    digests = sorted(
        hashlib.sha256(f"{one.id}\0{one.text}".encode("utf-8", "surrogatepass")).digest() for one in documents
    )
    return hashlib.sha256(b"".join(digests)).hexdigest()[:16]
