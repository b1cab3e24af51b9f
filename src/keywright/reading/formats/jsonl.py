"""JSON Lines: one document a line, with gold where it is labelled; packed files are unpacked."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from keywright.core.documents import SECTION_KINDS, Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadParameter, BadRecord, KeywrightError
from keywright.core.predictions import Failure
from keywright.reading.bare_text.asides import mark_asides
from keywright.reading.bare_text.cleaning import clean_text, with_line_feeds
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.blocks import Block, LeftOut, Particulars, assemble, from_text
from keywright.reading.headings import split_keywords
from keywright.reading.language_identification import check_declared
from keywright.reading.limits import Limits
from keywright.reading.record_lines import FORM, JsonLine, lines_of

GOLD: Final = "author"  # kind of gold of a record's ``keyphrases``, unless its ``by`` names another
_KEYS: Final = frozenset({"id", "text", "title", "abstract", "sections", "language", "keyphrases", "by"})
_BODY_KEYS: Final = ("body", "content", "contents", "full_text", "fulltext")
_TEXT_KEYS: Final = (*_BODY_KEYS, "summary", "description")
"""Keys under which other collections have the text; usual ones, arbitrary."""
_RUN: Final = frozenset({"system", "data"})  # keys of the first line of a run
_RUN_HINT: Final = "expected a file of documents; `keywright score RUN --gold DOCUMENTS` takes the run first"
_FRONT: Final = {SectionKind.TITLE, SectionKind.AUTHORS}


def read_jsonl(data: bytes, name: str, limits: Limits) -> Iterator[Document]:
    """Yield the documents of a JSON Lines file, in its order; blank lines are skipped."""
    for line in lines_of(data, name, limits):
        yield document_of_line(line, limits, clean=True)


def document_or_failure(line: JsonLine, limits: Limits) -> Document | Failure:
    """Return the document of a line of JSON Lines; for a broken one a ``Failure`` with its id, or file and line."""
    try:
        return document_of_line(line, limits, clean=True)
    except KeywrightError as error:
        return Failure.from_error(line.id, error)


def read_labelled(lines: Iterable[JsonLine], limits: Limits) -> Iterator[LabelledDocument[Document]]:
    """Yield the documents with their gold, which a record without ``keyphrases`` does not have."""
    for line in lines:
        gold = gold_of(line.record(), f"line {line.number} of {line.file}")
        yield LabelledDocument(document_of_line(line, limits), gold)


def document_of_line(line: JsonLine, limits: Limits, *, clean: bool = False) -> Document:
    """Return the document of a line; errors name the line."""
    try:
        return document_of_record(line.record(unique=clean), limits, clean=clean)
    except KeywrightError as error:
        if error.message.startswith(f"line {line.number} of"):
            raise
        raise type(error)(f"line {line.number} of {line.file}: {error.message}", error.hint) from error


def document_of_record(record: Mapping[str, Any], limits: Limits | None = None, *, clean: bool = False) -> Document:
    """Return the document of one record.

    ``text`` alone gets the sections found in it; ``title``, ``abstract``, then ``text`` or ``sections`` become sections
    in this order. The title and all other keys become ``meta``. ``clean``: whether texts lose signs that do not belong
    to their words, as bare texts do; those of collections stay as they are.
    """
    name = record.get("id")
    if name is None and record.keys() >= _RUN:
        raise BadRecord(f"it is the first line of a run of {record['system']!r:.40}, not a document", _RUN_HINT)
    if not isinstance(name, (str, int)) or isinstance(name, bool) or name == "":
        raise BadRecord(f'a record has {name!r} as "id"', "every record needs an id, a string")
    strings = {key: _string(record, key) for key in ("title", "abstract", "text", "language")}
    if not any(strings[key] for key in ("title", "abstract", "text")) and not record.get("sections"):
        raise BadRecord(f"record {name!r} has no text", FORM)
    _check_text_keys(record, strings)
    tidy = clean_text if clean else str
    strings |= {key: tidy(strings[key]) for key in ("title", "abstract", "text")}
    if strings["title"] or strings["abstract"] or "sections" in record:
        blocks = [Block(SectionKind.TITLE, strings["title"]), Block(SectionKind.ABSTRACT, strings["abstract"])]
        sections = [Block(block.kind, tidy(block.text)) for block in _sections(record, str(name))]
        text, parts = assemble([*blocks, *(sections or [Block(SectionKind.BODY, strings["text"])])])
        if not sections and strings["text"]:
            body = strings["text"].strip()
            at = len(text) - len(body)
            inside = (section for section in find_sections(body) if section.kind not in _FRONT)
            parts = (*parts, *(Section(section.kind, section.start + at, section.end + at) for section in inside))
    else:
        text = with_line_feeds(strings["text"])
        parts = find_sections(text)
    parts = mark_asides(text, parts, is_bare=True) if clean else parts
    meta = {key: value for key, value in record.items() if key not in _KEYS}
    if strings["title"]:
        meta["title"] = strings["title"]
    listed = _author_keywords(meta.pop("author_keywords", None), str(name))
    try:
        about = Particulars(check_declared(strings["language"]), tuple(listed), meta)
    except BadParameter as error:
        raise BadRecord(f"record {str(name)!r}: {error.message}", error.hint) from error
    unread = [key for key in _BODY_KEYS if isinstance(record.get(key), str) and record[key].strip()]
    notes = [f"the text under {key!r} is not read: call it 'text'" for key in unread if clean and not strings["text"]]
    return from_text((text, parts), str(name), limits or Limits(), LeftOut(), about).add_warnings(*notes)


def gold_of(record: Mapping[str, Any], where: str) -> tuple[GoldKeyphrase, ...]:
    """Return the gold of a record: ``keyphrases``, a list of strings, or of lists of accepted forms; may be missing."""
    keyphrases = record.get("keyphrases")
    by = record.get("by", GOLD)
    if keyphrases is None:
        return ()
    expected = 'expected ["phrase", …] or [["phrase", "another form"], …]'
    wrong = BadRecord(f"keyphrases of {where} are {keyphrases!r:.80}", expected)
    if not isinstance(keyphrases, list) or not isinstance(by, str):
        raise wrong
    gold = []
    for entry in keyphrases:
        forms = [entry] if isinstance(entry, str) else entry
        if not isinstance(forms, list) or not forms or not all(isinstance(form, str) and form for form in forms):
            raise wrong
        gold.append(GoldKeyphrase(tuple(forms), by))
    return tuple(gold)


def _check_text_keys(record: Mapping[str, Any], strings: Mapping[str, str]) -> None:
    """Raise for a title whose text is under a key that is not read: the title alone would be the document."""
    if strings["text"] or strings["abstract"] or record.get("sections"):
        return
    key = next((key for key in _TEXT_KEYS if isinstance(record.get(key), str) and record[key].strip()), None)
    if key:
        message = f"record {record.get('id')!r} has a title, and a text under {key!r}, which is not read"
        raise BadRecord(message, f"call it 'text' or 'abstract' in place of {key!r}")


def _string(record: Mapping[str, Any], key: str) -> str:
    value = "" if record.get(key) is None else record[key]
    if not isinstance(value, str):
        raise BadRecord(f'"{key}" of record {record.get("id")!r} is {value!r:.60}', "expected a string")
    return value


def _author_keywords(value: Any, name: str) -> list[str]:
    """Return keywords from a list of strings, or one string with separators; none for nothing."""
    if isinstance(value, str):
        return split_keywords(value)
    if value is not None and not (isinstance(value, list) and all(isinstance(keyword, str) for keyword in value)):
        raise BadRecord(f"author_keywords of record {name!r} are {value!r:.60}", "expected strings in a list")
    return value or []


def _sections(record: Mapping[str, Any], name: str) -> Iterator[Block]:
    sections = record.get("sections") or []
    if not isinstance(sections, list):
        raise BadRecord(f"record {name!r} has the sections {sections!r:.60}", "expected a list of them")
    for section in sections:
        kind = section.get("kind", "body") if isinstance(section, dict) else None
        text = section.get("text") if isinstance(section, dict) else None
        if kind not in SECTION_KINDS or not isinstance(text, str):
            expected = f'expected {{"kind", "text"}}; kinds: {", ".join(SectionKind)}'
            raise BadRecord(f"record {name!r} has the section {section!r:.80}", expected)
        yield Block(SectionKind(kind), text)
