"""Extracted keyphrases in bibliographic formats, by the names that ``output_formats`` has for them."""

from collections.abc import Iterable, Iterator

from keywright.core.errors import TooLarge
from keywright.core.json_text import to_json
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.bibliography import bibtex as bibtex_entries
from keywright.faces.outputs.bibliography import csl_json as csl_items
from keywright.faces.outputs.bibliography import json_ld as schema_org
from keywright.faces.outputs.bibliography import marc as marc_records
from keywright.faces.outputs.bibliography import ris as ris_records
from keywright.faces.outputs.bibliography import turtle as rdf_statements
from keywright.faces.outputs.bibliography import xml_records
from keywright.faces.outputs.results import Result, Writer
from keywright.faces.outputs.terminal_text import printable


def bibtex(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield an entry of BibTeX for each document."""
    return _shown(writer, bibtex_entries.bibtex(_outcomes(results)))


def ris(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a record of RIS for each document."""
    return _shown(writer, ris_records.ris(_outcomes(results)))


def jats(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield the metadata of JATS articles."""
    return _shown(writer, xml_records.jats(_outcomes(results), writer.reviewed or xml_records.GROUP))


def dublin_core(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield records of Dublin Core."""
    return _shown(writer, xml_records.dublin_core(_outcomes(results)))


def marcxml(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield records of MARC in XML."""
    return _shown(writer, marc_records.marcxml(_outcomes(results), reviewed=bool(writer.reviewed)))


def marc(writer: Writer, results: Iterable[Result]) -> Iterator[bytes]:
    """Yield records of MARC in ISO 2709; a document whose record would be too long counts as failed."""
    marc_records.library()
    for outcome in _outcomes(results):
        if isinstance(outcome, Prediction):
            try:
                yield marc_records.marc21(outcome, reviewed=bool(writer.reviewed))
            except TooLarge as error:
                writer.failures.append(Failure.from_error(outcome.document_id, error))
                writer.done -= 1


def turtle(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield statements of RDF."""
    return _shown(writer, rdf_statements.turtle(_outcomes(results)))


def csl_json(_writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield one JSON list with an item for each document, a line for each."""
    separator = "[\n"
    for item in csl_items.items(_outcomes(results)):
        yield separator + to_json(item)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def json_ld(_writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield one JSON object with the graph of all documents, a line for each."""
    yield f'{{"@context": {to_json(schema_org.CONTEXT)}, "@graph": ['
    separator = "\n"
    for article in schema_org.articles(_outcomes(results)):
        yield separator + to_json(article)
        separator = ",\n"
    yield "\n]}\n"


def _outcomes(results: Iterable[Result]) -> Iterator[Prediction | Failure]:
    return (outcome for _, outcome in results)


def _shown(writer: Writer, pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces; for a terminal without characters that could control it."""
    return (printable(piece) if writer.terminal else piece for piece in pieces)
