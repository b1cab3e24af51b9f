"""Shards: parts of a collection, by the ids of documents alone, not by order or machine."""

import hashlib
from typing import Final

SHARDS: Final = 64
"""Parts of a collection. A crash costs at most about one part in so many; arbitrary."""


def shard(document_id: str, shards: int = SHARDS) -> int:
    """Return the shard of a document, 0 to ``shards - 1``, from the SHA-256 of its id."""
    digest = hashlib.sha256(document_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % shards
