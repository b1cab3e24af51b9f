"""Which part of a collection a document belongs to: a fact about its id, not about order or machines."""

import hashlib
from typing import Final

SHARDS: Final = 64
"""Parts of a collection: a crash costs at most about this share of what was done since."""


def shard(document_id: str, shards: int = SHARDS) -> int:
    """Number of the shard, 0 to ``shards - 1``, from the SHA-256 of the id."""
    digest = hashlib.sha256(document_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % shards
