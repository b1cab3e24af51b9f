"""Extracted keyphrases as JSON and JSON Lines, from records that are finished already, each written as it comes."""

from collections.abc import Iterable, Iterator

from keywright.core.finished_records import FinishedRecord
from keywright.faces.cli.results import Writer


def json_list(writer: Writer, records: Iterable[FinishedRecord]) -> Iterator[str]:
    """Yield one JSON list with a record for each document."""
    separator = "[\n"
    for text in _texts(writer, records):
        yield separator + text
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def json_lines(writer: Writer, records: Iterable[FinishedRecord]) -> Iterator[str]:
    """Yield a line of JSON for each document."""
    return (text + "\n" for text in _texts(writer, records))


def _texts(writer: Writer, records: Iterable[FinishedRecord]) -> Iterator[str]:
    """Yield the text of each record; the first of a prediction has the full signature, and the options."""
    for record in records:
        if writer.signed or record.failure is not None:
            yield record.text
        else:
            options = {"options": dict(writer.options)} if writer.options else {}
            writer.signed = True
            yield record.extended({"signature": writer.system, **options}).text
