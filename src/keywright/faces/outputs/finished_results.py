"""Extracted keyphrases as JSON and JSON Lines, from records that are finished already, each written as it comes."""

from collections.abc import Iterable, Iterator

from keywright.core.finished_records import FinishedRecord, signed_texts
from keywright.faces.outputs.results import Writer


def json_list(writer: Writer, records: Iterable[FinishedRecord]) -> Iterator[str]:
    """Yield one JSON list with a record for each document."""
    separator = "[\n"
    for text in signed_texts(records, writer.system, writer.options, signed=writer.signed):
        yield separator + text
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def json_lines(writer: Writer, records: Iterable[FinishedRecord]) -> Iterator[str]:
    """Yield a line of JSON for each document."""
    return (text + "\n" for text in signed_texts(records, writer.system, writer.options, signed=writer.signed))
