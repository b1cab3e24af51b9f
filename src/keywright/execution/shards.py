"""Parts of the input of one command, for several machines, or for a command that is resumed."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.id_set import IdSet
from keywright.execution.collection_runs import shard
from keywright.execution.distinct_ids import DistinctIds
from keywright.execution.extraction import Source
from keywright.reading.jsonl import document_or_failure
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import DEFAULT_LIMITS, Unread


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a collection: every document is in exactly one, by the SHA-256 of its id, wherever it is read.

    ``number`` is from 1 to ``of``.
    """

    number: int
    of: int

    @classmethod
    def parsed(cls, text: str) -> "Shard":
        """Return the shard that a text such as ``2/8`` names.

        Raises:
            BadParameter: it is not of this form, or the number is not one of the shards.
        """
        match = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*", text)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise BadParameter(f"shard {text!r}", "expected I/N, such as 2/8 for the second of eight")
        return cls(int(match[1]), int(match[2]))

    def holds(self, document_id: str) -> bool:
        """Return whether a document is in this shard."""
        return shard(document_id, self.of) == self.number - 1


def id_of(source: Source) -> str:
    """Return the id of a document, or of the file that it is in."""
    match source:
        case Unread():
            return source.name
        case JsonLine():
            return id_of(document_or_failure(source, DEFAULT_LIMITS))
    return source.id if isinstance(source, Document) else source.document_id


def remaining(sources: Iterable[Source], part: Shard | None, done: Collection[str] | IdSet = ()) -> Iterator[Source]:
    """Yield the sources that are in a shard and not done; repeated ids are numbered as in the results."""
    if part is None and not done:
        yield from sources
        return
    numbering = DistinctIds()
    for unread in sources:
        # An id is in the record, which is then not read again where the work is done.
        source = document_or_failure(unread, DEFAULT_LIMITS) if isinstance(unread, JsonLine) else unread
        if part is not None and not part.holds(id_of(source)):
            continue
        if done and numbering.distinct(id_of(source)) in done:
            continue
        yield source
