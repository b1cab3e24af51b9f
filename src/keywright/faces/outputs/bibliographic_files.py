"""Extracted keyphrases in bibliographic formats, by the names that ``output_formats`` has for them."""

from collections.abc import Iterable, Iterator

from keywright.core.errors import TooLarge
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs import citation_formats as bibtex_entries
from keywright.faces.outputs import citation_formats as csl_items
from keywright.faces.outputs import citation_formats as ris_records
from keywright.faces.outputs import marc_records, metadata_formats
from keywright.faces.outputs import metadata_formats as rdf_statements
from keywright.faces.outputs import metadata_formats as schema_org
from keywright.faces.outputs.results import Result, Writer
from keywright.faces.outputs.screen import escape_controls


def write_bibtex(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield an entry of BibTeX for each document."""
    return _escape_pieces(writer, bibtex_entries.format_bibtex(_list_outcomes(results)))


def write_ris(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a record of RIS for each document."""
    return _escape_pieces(writer, ris_records.format_ris(_list_outcomes(results)))


def write_jats(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield the metadata of JATS articles."""
    return _escape_pieces(
        writer, metadata_formats.format_jats(_list_outcomes(results), writer.reviewed or metadata_formats.JATS_GROUP)
    )


def write_dublin_core(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield records of Dublin Core."""
    return _escape_pieces(writer, metadata_formats.format_dublin_core(_list_outcomes(results)))


def write_marcxml(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield records of MARC in XML."""
    return _escape_pieces(writer, marc_records.format_marcxml(_list_outcomes(results), reviewed=bool(writer.reviewed)))


def write_marc(writer: Writer, results: Iterable[Result]) -> Iterator[bytes]:
    """Yield records of MARC in ISO 2709; a document whose record would be too long counts as failed."""
    marc_records.load_pymarc()
    for outcome in _list_outcomes(results):
        if isinstance(outcome, Prediction):
            try:
                yield marc_records.encode_marc21(outcome, reviewed=bool(writer.reviewed))
            except TooLarge as error:
                writer.failures.append(Failure.from_error(outcome.document_id, error))
                writer.done -= 1


def write_turtle(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield statements of RDF."""
    return _escape_pieces(writer, rdf_statements.format_turtle(_list_outcomes(results)))


def write_csl_json(_writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield one JSON list with an item for each document, a line for each."""
    separator = "[\n"
    for item in csl_items.make_csl_items(_list_outcomes(results)):
        yield separator + to_json(item)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def write_json_ld(_writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield one JSON object with the graph of all documents, a line for each."""
    yield f'{{"@context": {to_json(schema_org.JSON_LD_CONTEXT)}, "@graph": ['
    separator = "\n"
    for article in schema_org.make_json_ld_articles(_list_outcomes(results)):
        yield separator + to_json(article)
        separator = ",\n"
    yield "\n]}\n"


def _list_outcomes(results: Iterable[Result]) -> Iterator[Prediction | Failure]:
    return (outcome for _, outcome in results)


def _escape_pieces(writer: Writer, pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces; for a terminal without characters that could control it."""
    return (escape_controls(piece) if writer.terminal else piece for piece in pieces)
