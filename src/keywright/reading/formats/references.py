"""Bibliographies: BibTeX, and RIS, MEDLINE and Web of Science, whose lines have tags; each record is a document."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from keywright.core.citations import make_citation, split_authors
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BadRecord, EmptyInput, needs_extra
from keywright.core.predictions import Failure
from keywright.reading.blocks import Block, assemble
from keywright.reading.encodings import decode
from keywright.reading.headings import split_keywords
from keywright.reading.language_identification import find_language
from keywright.reading.limits import Limits

KEYWORD_FIELDS: Final = tuple(
    "keyphrases|author keywords|author_keywords|de|keywords|descriptors|subjects|tags|index keywords|id".split("|")
)
"""Names of columns of keyphrases in lower case, the best first: those of Scopus and Web of Science, and usual ones."""
_TAGGED: Final = re.compile(r"^([A-Z][A-Z0-9]{1,3}) {0,2}(?:- ?|(?<=[A-Z0-9]{2}) )(.*)$")
"""A line of RIS (``KW  - phrase``), of MEDLINE (``OT  - phrase``) or of Web of Science (``DE phrase; phrase``)."""
_KEYWORD_TAGS: Final = ("KW", "DE", "OT", "MH", "ID")
"""Tags of keywords; the first that a record has counts. MEDLINE's main headings come behind the authors' own."""
META_TAGS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("PY", "Y1", "DP", "DA"), "year"), **dict.fromkeys(("TI", "T1"), "title"),
    **dict.fromkeys(("SO", "JO", "JF", "T2", "JT"), "journal"), **dict.fromkeys(("DO", "DI"), "doi"), "UR": "url",
    **dict.fromkeys(("LA", "LG"), "language"),
}  # fmt: skip
_AUTHORS: Final = ("FAU", "AF", "AU", "A1")
_NAMES: Final = ("title", "abstract", "author", "doi", "journal", "year", "language")  # fields as BibTeX has them


def read_references(data: bytes, name: str, limits: Limits) -> Iterator[Document | Failure]:
    """Yield the documents of a bibliography, some without words, and a failure for each broken entry of BibTeX."""
    limits.check_text(len(data), name)
    decoded, notes = decode(data, name)
    text = decoded.lstrip("\ufeff \n\r\t")
    is_bibtex = "@" in text and (name.lower().endswith(".bib") or text[0] in "@%")
    listed = _list_bibtex(text, name) if is_bibtex else _list_tagged(text, name)
    return (each.add_warnings(*notes) if isinstance(each, Document) else each for each in listed)


def _make_document(name: str, keywords: Sequence[str], fields: Mapping[str, str]) -> Document:
    title, abstract, authors, doi, journal, year, language = map(fields.get, _NAMES)
    text, sections = assemble([Block(SectionKind.TITLE, title or ""), Block(SectionKind.ABSTRACT, abstract or "")])
    cited = make_citation(title or "", split_authors(authors or ""), doi, journal or "", year)
    meta = {**fields, "abstract": None, **cited.as_meta(), "author_keywords": list(keywords)}
    return Document(name, text, sections, find_language(language), {key: value for key, value in meta.items() if value})


def _list_tagged(text: str, name: str) -> Iterator[Document]:
    record: dict[str, list[str]] = {}
    number, tag = 0, ""
    for line in (*text.splitlines(), "ER"):
        match = _TAGGED.match(line)
        begins = bool(match) and match[1] in {"TY", "PT", "PMID"}  # type: ignore[index]  # where it matches
        if (begins or line.split(" ")[0] == "ER") and record.keys() - {"FN", "VR", "TY", "PT"}:
            number += 1
            yield _read_record(record, f"{name}:{number}")
            record, tag = {}, ""
        if match and match[1] != "ER":
            tag = match[1]
            record.setdefault(tag, []).append(match[2].strip())
        elif match or not line.strip() or tag not in record:
            continue
        elif tag in {*_KEYWORD_TAGS, *_AUTHORS} and not (line.startswith("   ") and tag in _KEYWORD_TAGS):
            record[tag].append(line.strip())  # a keyword on each line in EndNote and CNKI, an author in Web of Science
        else:  # a value goes on
            record[tag][-1] = f"{record[tag][-1]} {line.strip()}"
    if not number:
        raise EmptyInput(f"{name} holds no record", "export it again, as RIS, or with all fields of Web of Science")


def _read_record(record: Mapping[str, list[str]], place: str) -> Document:
    is_ris = "TY" in record
    ids = ("ID", "DO") if is_ris else ("UT", "PMID", "DI", "DO")
    name = next((record[tag][0] for tag in ids if record.get(tag) and record[tag][0]), place)
    values = next((record[tag] for tag in _KEYWORD_TAGS if record.get(tag) and not (is_ris and tag == "ID")), ())
    phrases = [part.strip(" *") for value in values for part in value.split(";") if part.strip(" *")]
    meta = {name: record[tag][0] for tag, name in reversed(tuple(META_TAGS.items())) if record.get(tag)}
    meta["abstract"] = next((record[tag][0] for tag in ("AB", "N2") if record.get(tag)), "")
    meta["author"] = "; ".join(next((record[tag] for tag in _AUTHORS if tag in record), ()))
    return _make_document(name, phrases, meta)


def _list_bibtex(text: str, name: str) -> Iterator[Document | Failure]:
    with needs_extra("collection", "BibTeX needs the package bibtexparser"):
        from bibtexparser.entrypoint import parse_string  # noqa: PLC0415 - optional
        from bibtexparser.middlewares import LatexDecodingMiddleware  # noqa: PLC0415
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # it prints broken entries
    library = parse_string(text, append_middleware=[LatexDecodingMiddleware()])
    for block in library.failed_blocks:
        place = f"{name}:{(block.start_line or 0) + 1}"
        yield Failure.from_error(place, BadRecord(f"{place}: the entry cannot be read", "correct the entry"))
    for entry in library.entries:
        values = {
            key.lower().replace("-", "_"): " ".join(re.sub(r"[{}]", "", str(field.value)).split())
            for key, field in entry.fields_dict.items()
        }
        named = (values[each] for each in (*KEYWORD_FIELDS, "keywords_plus") if each != "id" and values.get(each))
        values["author"] = re.sub(r"\s+and\s+", "; ", values.get("author", ""))
        yield _make_document(entry.key, split_keywords(next(named, "")), values)
