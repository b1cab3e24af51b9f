"""JSON Lines: one document a line, with gold where it is labelled; packed files are unpacked."""

import gzip
import io
import json
import math
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadRecord, BrokenFile, EmptyInput, KeywrightError
from keywright.core.predictions import Failure
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.blocks import Block, LeftOut, Particulars, assemble, from_text
from keywright.reading.formats import GZIP, ZSTANDARD, Limits
from keywright.reading.headings import split_keywords
from keywright.reading.plain import with_line_feeds

GOLD: Final = "author"
"""Kind of gold of a record's ``keyphrases``, unless its ``by`` names another."""
_KEYS: Final = frozenset({"id", "text", "title", "abstract", "sections", "language", "keyphrases", "by"})
_FORM: Final = 'expected {"id": …, "text": …}, or "id", "title", "abstract" and perhaps "text" or "sections"'
_FRONT: Final = {SectionKind.TITLE, SectionKind.AUTHORS}
_CHUNK: Final = 1 << 20  # bytes unpacked at once; arbitrary
_PACKED_CHUNK: Final = 1 << 10  # packed bytes unpacked at once, because a few may unpack to very many; arbitrary
_HARMLESS: Final = 1_000_000  # bytes unpacked that are accepted at any ratio; arbitrary


def read_jsonl(data: bytes, name: str, limits: Limits) -> Iterator[Document]:
    """Yield the documents of a JSON Lines file, in its order; blank lines are skipped.

    Raises:
        BadRecord: a line breaks the format, after the documents before it were yielded.
        BrokenFile: a packed file is damaged.
        EmptyInput: no record.
        TooLarge: above ``limits``.
    """
    for line in lines_of(data, name, limits):
        yield line.document(limits)


def read_jsonl_on(data: bytes, name: str, limits: Limits) -> Iterator[Document | Failure]:
    """Yield the documents of a JSON Lines file, and for each broken line a ``Failure`` named by file and line."""
    for line in lines_of(data, name, limits):
        try:
            yield line.document(limits)
        except KeywrightError as error:
            yield Failure.from_error(f"{name}:{line.number}", error)


def read_labelled(data: bytes, name: str, limits: Limits) -> Iterator[LabelledDocument[Document]]:
    """Yield the documents with their gold, which a record without ``keyphrases`` does not have."""
    for line in lines_of(data, name, limits):
        yield LabelledDocument(line.document(limits), gold_of(line.record(), f"line {line.number} of {name}"))


class JsonLine(NamedTuple):
    """A line of a file of records: the file's name, the line's number, from 1, and its bytes."""

    file: str
    number: int
    data: bytes

    def record(self) -> Mapping[str, Any]:
        """Return the JSON object in this line; raise ``BadRecord`` when there is none."""
        place = f"line {self.number} of {self.file}"
        try:
            record = json.loads(self.data.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_finite)
        except (ValueError, RecursionError) as error:
            raise BadRecord(f"{place} is not valid JSON: {error}", "repair or remove the line") from error
        if not isinstance(record, dict):
            raise BadRecord(f"{place} is a JSON {type(record).__name__}, not an object", _FORM)
        return record

    def document(self, limits: Limits) -> Document:
        """Return the document of this line; errors name the line."""
        try:
            return document_of_record(self.record(), limits)
        except KeywrightError as error:
            if error.message.startswith(f"line {self.number} of"):
                raise
            raise type(error)(f"line {self.number} of {self.file}: {error.message}", error.hint) from error


def lines_of(data: bytes, name: str, limits: Limits) -> Iterator[JsonLine]:
    """Yield the lines of a file that are not blank, unpacked if they are packed."""
    limits.check_file(len(data), name)
    empty = True
    for number, line in enumerate(io.BytesIO(unpack(data, name, limits)), start=1):
        if line.strip():
            empty = False
            yield JsonLine(name, number, line)
    if empty:
        raise EmptyInput(f"{name} holds no record", _FORM)


def document_of_record(record: Mapping[str, Any], limits: Limits | None = None) -> Document:
    """Return the document of one record.

    ``text`` alone gets the sections found in it; ``title``, ``abstract``, then ``text`` or ``sections`` become sections
    in this order. The title and all other keys become ``meta``.
    """
    name = record.get("id")
    if not isinstance(name, (str, int)) or isinstance(name, bool) or name == "":
        raise BadRecord(f'a record has {name!r} as "id"', "every record needs an id, a string")
    strings = {key: _string(record, key) for key in ("title", "abstract", "text", "language")}
    if not any(strings[key] for key in ("title", "abstract", "text")) and not record.get("sections"):
        raise BadRecord(f"record {name!r} has no text", _FORM)
    if strings["title"] or strings["abstract"] or "sections" in record:
        blocks = [Block(SectionKind.TITLE, strings["title"]), Block(SectionKind.ABSTRACT, strings["abstract"])]
        sections = [*_sections(record, str(name))]
        text, parts = assemble([*blocks, *(sections or [Block(SectionKind.BODY, strings["text"])])])
        if not sections and strings["text"]:
            parts = (*parts, *_sections_at_end(text, strings["text"].strip()))
    else:
        text = with_line_feeds(strings["text"])
        parts = find_sections(text)
    meta = {key: value for key, value in record.items() if key not in _KEYS}
    if strings["title"]:
        meta["title"] = strings["title"]
    keywords = meta.pop("author_keywords", ())
    listed = split_keywords(keywords) if isinstance(keywords, str) else [str(keyword) for keyword in keywords or ()]
    about = Particulars(strings["language"] or None, tuple(listed), meta)
    return from_text((text, parts), str(name), limits or Limits(), LeftOut(), about)


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


def unpack(data: bytes, name: str, limits: Limits) -> bytes:
    """Return bytes as they are, or unpacked when they begin like gzip or Zstandard, in bounded memory."""
    if data.startswith(GZIP):
        pieces = _gunzip(data)
    elif data.startswith(ZSTANDARD):
        pieces = _unzstd(data)
    else:
        return data
    unpacked = bytearray()
    try:
        for piece in pieces:
            unpacked += piece
            limits.check_unpacked(len(data), len(unpacked), name, _HARMLESS)
    except (OSError, EOFError, zlib.error) as error:
        raise BrokenFile(f"{name} cannot be unpacked: {error}", "download it again") from error
    return bytes(unpacked)


def _gunzip(data: bytes) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _unzstd(data: bytes) -> Iterator[bytes]:
    """Yield unpacked pieces of all frames; raise for a file that was cut off, which the library's stream does not."""
    import zstandard  # noqa: PLC0415 - only packed files need it

    rest = data
    while rest:
        frame = zstandard.ZstdDecompressor().decompressobj()
        view = memoryview(rest)
        at = 0
        try:
            while not frame.eof and at < len(view):
                yield frame.decompress(view[at : at + _PACKED_CHUNK])
                at += _PACKED_CHUNK
        except zstandard.ZstdError as error:
            raise EOFError(str(error)) from error
        if not frame.eof:
            raise EOFError("it ends in the middle")
        rest = frame.unused_data + bytes(view[at:])


def _no_number(_constant: str) -> None:
    """Return None for NaN and infinity, which JSON does not have."""


def _finite(digits: str) -> float | None:
    """Return a number; None if it is too large for one."""
    number = float(digits)
    return number if math.isfinite(number) else None


def _string(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadRecord(f'"{key}" of record {record.get("id")!r} is {value!r:.60}', "expected a string")
    return value


def _sections(record: Mapping[str, Any], name: str) -> Iterator[Block]:
    for section in record.get("sections") or ():
        kind = section.get("kind", "body") if isinstance(section, dict) else None
        text = section.get("text") if isinstance(section, dict) else None
        if kind not in set(SectionKind) or not isinstance(text, str):
            expected = f'expected {{"kind", "text"}}; kinds: {", ".join(SectionKind)}'
            raise BadRecord(f"record {name!r} has the section {section!r:.80}", expected)
        yield Block(SectionKind(kind), text)


def _sections_at_end(text: str, body: str) -> Iterator[Section]:
    """Yield the sections found in the body at the end of a text, but title and authors."""
    at = len(text) - len(body)
    for section in find_sections(body):
        if section.kind not in _FRONT:
            yield Section(section.kind, section.start + at, section.end + at)
