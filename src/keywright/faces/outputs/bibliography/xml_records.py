"""Records in XML: the metadata of JATS articles with a ``kwd-group``, and Dublin Core with ``dc:subject``."""

from collections.abc import Iterable, Iterator
from typing import Final

from keywright.core.citations import Author
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.bibliography.records import BibliographicRecord, failure_line
from keywright.faces.outputs.bibliography.xml_text import DECLARATION, attributes, comment, element

_SPACES: Final = {
    "xmlns:oai_dc": "http://www.openarchives.org/OAI/2.0/oai_dc/",
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
}
GROUP: Final = "generated"
"""``kwd-group-type``: readers of JATS do not take such keywords for those of the authors; nor does this project's."""


def jats(outcomes: Iterable[Prediction | Failure], group: str = GROUP) -> Iterator[str]:
    """Yield a ``pmc-articleset`` piece by piece, an ``article`` for each document; a failure is a comment.

    ``group``: type of the group of keywords, such as that of the people who reviewed them.
    """
    yield f"{DECLARATION}<pmc-articleset>\n"
    for outcome in outcomes:
        yield comment(failure_line(outcome)) if isinstance(outcome, Failure) else _article(outcome, group)
    yield "</pmc-articleset>\n"


def dublin_core(outcomes: Iterable[Prediction | Failure]) -> Iterator[str]:
    """Yield ``records`` piece by piece, an ``oai_dc:dc`` for each document; a failure is a comment."""
    yield f"{DECLARATION}<records{attributes(_SPACES)}>\n"
    for outcome in outcomes:
        yield comment(failure_line(outcome)) if isinstance(outcome, Failure) else _core(outcome)
    yield "</records>\n"


def _article(prediction: Prediction, group: str) -> str:
    record = BibliographicRecord.of(prediction)
    citation, language = record.citation, {"xml:lang": record.language}
    journal = element("journal-title-group", [element("journal-title", citation.journal)]) if citation.journal else ""
    doi = element("article-id", citation.doi, {"pub-id-type": "doi"}) if citation.doi else ""
    title = element("title-group", [element("article-title", citation.title)]) if citation.title else ""
    date = element("pub-date", [element("year", f"{citation.year:04}")]) if citation.year else ""
    phrases = [element("kwd", term.name, {"vocab-term-identifier": term.uri}) for term in record.keyphrases]
    tags = {term.language for term in record.keyphrases}
    of_phrases = {"xml:lang": tags.pop() if len(tags) == 1 else ""}
    keywords = element("kwd-group", phrases, {"kwd-group-type": group} | of_phrases) if phrases else ""
    names = [element("contrib", [_contributor(author)], {"contrib-type": "author"}) for author in citation.authors]
    meta = [
        doi,
        element("article-id", record.id, {"pub-id-type": "publisher-id"}),
        title,
        element("contrib-group", names) if names else "",
        date,
        keywords,
    ]
    front = [element("journal-meta", [journal]) if journal else "", element("article-meta", meta)]
    return element("article", [element("front", front)], language) + "\n"


def _contributor(author: Author) -> str:
    if not author.family:
        return element("string-name", author.name)
    forename = element("given-names", author.given_names) if author.given_names else ""
    return element("name", [element("surname", author.family), forename])


def _core(prediction: Prediction) -> str:
    record = BibliographicRecord.of(prediction)
    citation = record.citation
    values = [
        ("title", citation.title),
        *(("creator", author.inverted) for author in citation.authors),
        *(("subject", phrase) for phrase in record.phrases),
        ("source", citation.journal),
        ("date", f"{citation.year:04}" if citation.year else ""),
        ("identifier", record.address),
        ("identifier", record.id),
        ("language", record.language),
    ]
    return element("oai_dc:dc", [element(f"dc:{name}", value) for name, value in values if value]) + "\n"
