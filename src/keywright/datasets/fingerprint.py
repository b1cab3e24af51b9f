"""Fingerprints, which tell whether a copy of a collection, in any packing, holds the same records.

How to compute one, in any language:

1. For each document make one JSON object with three keys. ``id`` is its id. ``text`` is its text as the reader gives
   it. ``gold`` is an object from each kind of gold that the document has to the list of its entries, in the
   collection's order, each entry the list of its accepted forms.
2. Write it without blanks, keys sorted, no character escaped that JSON does not demand, as UTF-8
   (Python: ``json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)``). The SHA-256 of these
   bytes, in hexadecimal, is the record's digest.
3. Sort the digests by the id of their record (code points), put a line feed after each; the SHA-256 of all that, in
   hexadecimal, is the fingerprint.

With two steps a collection of any size needs one short digest per document in memory, in any order of documents.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping

from keywright.core.documents import Document, LabelledDocument


def record_digest(labelled: LabelledDocument[Document]) -> str:
    """Return the SHA-256 of one record in canonical form, 64 hexadecimal digits. Sections and meta are left out."""
    gold: dict[str, list[tuple[str, ...]]] = {}
    for entry in labelled.gold:
        gold.setdefault(entry.by, []).append(entry.forms)
    record = {"id": labelled.id, "text": labelled.document.text, "gold": gold}
    canonical = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


def combined(digests: Mapping[str, str]) -> str:
    """Return the fingerprint of a collection from its record digests by id, 64 hexadecimal digits."""
    lines = "".join(f"{digests[name]}\n" for name in sorted(digests))
    return hashlib.sha256(lines.encode("ascii")).hexdigest()


def fingerprint(labelled: Iterable[LabelledDocument[Document]]) -> str:
    """Return the fingerprint of labelled documents with distinct ids, in any order."""
    return combined({one.id: record_digest(one) for one in labelled})
