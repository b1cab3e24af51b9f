"""RIS, which reference managers read: a record for each document, with a line ``KW`` for each keyphrase."""

from collections.abc import Iterable, Iterator

from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.bibliography.records import BibliographicRecord


def ris(outcomes: Iterable[Prediction | Failure]) -> Iterator[str]:
    """Yield a record for each document; the format has no comments, so that failures have no line.

    Records are of type ``JOUR`` where the journal is known, else ``GEN``.
    """
    for outcome in outcomes:
        if isinstance(outcome, Prediction):
            yield _record(BibliographicRecord.of(outcome))


def _record(record: BibliographicRecord) -> str:
    citation = record.citation
    tags = [
        ("TY", "JOUR" if citation.journal else "GEN"),
        ("ID", record.id),
        ("TI", citation.title),
        *(("AU", author.inverted) for author in citation.authors),
        ("T2", citation.journal),
        ("PY", str(citation.year or "")),
        ("DO", citation.doi),
        ("LA", record.language),
        *(("KW", phrase) for phrase in record.phrases),
    ]
    return "".join(f"{tag}  - {value}\n" for tag, value in tags if value) + "ER  - \n\n"
