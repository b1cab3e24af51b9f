"""JSON Lines: one document a line, with gold where it is labelled; packed files are read as they are."""

import gzip
import io
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.errors import BadRecord, BrokenFile, EmptyInput, KeywrightError, TooLarge
from keywright.core.gold import GoldKeyphrase, LabelledDocument
from keywright.core.runs import Failure
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.blocks import Block, assemble
from keywright.reading.finishing import LeftOut, Particulars, from_text
from keywright.reading.keywords import split_keywords
from keywright.reading.limits import Limits

GOLD: Final = "author"
"""Kind of gold that ``keyphrases`` of a record are, unless its ``by`` says another."""

_OWN: Final = frozenset({"id", "text", "title", "abstract", "sections", "language", "keyphrases", "by"})
_FORM: Final = 'expected {"id": …, "text": …}, or "id", "title", "abstract" and perhaps "text" or "sections"'
_CHUNK: Final = 1 << 20
_BITE: Final = 1 << 10  # packed bytes given at once, because a few may unpack to very many
_SMALL: Final = 1_000_000


def read_jsonl(data: bytes, name: str, limits: Limits) -> Iterator[Document]:
    """The documents of a JSON Lines file, in its order; blank lines are passed over.

    Raises:
        BadRecord: a line breaks the format; documents before it have been given.
        BrokenFile: a packed file is damaged.
        EmptyInput: no record.
        TooLarge: above ``limits``.
    """
    for line in lines_of(data, name, limits):
        yield line.document(limits)


def read_jsonl_on(data: bytes, name: str, limits: Limits) -> Iterator[Document | Failure]:
    """The same going on after broken lines; each becomes a ``Failure`` named by file and line."""
    for line in lines_of(data, name, limits):
        try:
            yield line.document(limits)
        except KeywrightError as error:
            yield Failure(f"{name}:{line.number}", error.code, error.message, error.hint)


def read_labelled(data: bytes, name: str, limits: Limits) -> Iterator[LabelledDocument[Document]]:
    """The documents with their gold; a record without ``keyphrases`` has none."""
    for line in lines_of(data, name, limits):
        yield LabelledDocument(line.document(limits), gold_of(line.record(), f"line {line.number} of {name}"))


class JsonLine(NamedTuple):
    """A line of a file of records: its number, from 1, and what it says."""

    file: str
    number: int
    data: bytes

    def record(self) -> Mapping[str, Any]:
        """The JSON object in this line; ``BadRecord`` when there is none."""
        try:
            record = json.loads(self.data.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            message = f"line {self.number} of {self.file} is no JSON: {error}"
            raise BadRecord(message, "repair or remove the line") from error
        if not isinstance(record, dict):
            raise BadRecord(
                f"line {self.number} of {self.file} is a JSON {type(record).__name__}, not an object", _FORM
            )
        return record

    def document(self, limits: Limits) -> Document:
        """The document of this line; errors name the line."""
        try:
            return document_of_record(self.record(), limits)
        except KeywrightError as error:
            if error.message.startswith(f"line {self.number} of"):
                raise
            raise type(error)(f"line {self.number} of {self.file}: {error.message}", error.hint) from error


def lines_of(data: bytes, name: str, limits: Limits) -> Iterator[JsonLine]:
    """The lines of a file that are not blank; ``.gz`` and ``.zst`` content is unpacked first."""
    limits.check_file(len(data), name)
    found = False
    for number, line in enumerate(io.BytesIO(unpack(data, name, limits)), start=1):
        if line.strip():
            found = True
            yield JsonLine(name, number, line)
    if not found:
        raise EmptyInput(f"{name} holds no record", _FORM)


def document_of_record(record: Mapping[str, Any], limits: Limits | None = None) -> Document:
    """The document of one record.

    ``text`` alone gets the sections that can be seen in it; ``title``, ``abstract``, then ``text`` or ``sections``
    stand in this order with what they are called. All other keys become ``meta``.

    Raises:
        BadRecord: a key is missing or of the wrong type.
        EmptyInput: no words.
        TooLarge: above ``limits``.
    """
    name = record.get("id")
    if not isinstance(name, (str, int)) or isinstance(name, bool) or name == "":
        raise BadRecord(f'a record has {name!r} as "id"', "every record needs an id, a string")
    strings = {key: _string(record, key) for key in ("title", "abstract", "text", "language")}
    if not any(strings[key] for key in ("title", "abstract", "text")) and not record.get("sections"):
        raise BadRecord(f"record {name!r} has no text", _FORM)
    if strings["title"] or strings["abstract"] or "sections" in record:
        blocks = [Block(SectionKind.TITLE, strings["title"]), Block(SectionKind.ABSTRACT, strings["abstract"])]
        given = [*_sections(record, str(name))]
        blocks += given or [Block(SectionKind.BODY, strings["text"])]
        read = assemble(blocks)
        if not given and strings["text"]:
            read = _with_found(read[0], read[1], strings["text"].strip())
    else:
        text = strings["text"].replace("\r\n", "\n").replace("\r", "\n")
        read = (text, find_sections(text))
    meta = {key: value for key, value in record.items() if key not in _OWN}
    keywords = meta.pop("author_keywords", ())
    listed = split_keywords(keywords) if isinstance(keywords, str) else [str(keyword) for keyword in keywords or ()]
    about = Particulars(strings["language"] or None, tuple(listed), meta)
    return from_text(read, str(name), limits or Limits(), LeftOut(), about)


def gold_of(record: Mapping[str, Any], where: str) -> tuple[GoldKeyphrase, ...]:
    """Gold of a record: ``keyphrases`` is a list of strings, or of lists of accepted forms; none when it is missing.

    Raises:
        BadRecord: ``keyphrases`` is something else.
    """
    given = record.get("keyphrases")
    by = record.get("by", GOLD)
    if given is None:
        return ()
    wrong = BadRecord(
        f"keyphrases of {where} are {given!r:.80}", 'expected ["phrase", …] or [["phrase", "another form"], …]'
    )
    if not isinstance(given, list) or not isinstance(by, str):
        raise wrong
    gold = []
    for entry in given:
        forms = [entry] if isinstance(entry, str) else entry
        if not isinstance(forms, list) or not forms or not all(isinstance(form, str) and form for form in forms):
            raise wrong
        gold.append(GoldKeyphrase(tuple(forms), by))
    return tuple(gold)


def unpack(data: bytes, name: str, limits: Limits) -> bytes:
    """Bytes as they are, or unpacked when they begin like gzip or Zstandard, in bounded memory.

    Raises:
        BrokenFile: damaged or cut off.
        TooLarge: they unpack to more than ``limits`` allow.
    """
    if data[:2] == b"\x1f\x8b":
        pieces = _gunzip(data)
    elif data[:4] == b"\x28\xb5\x2f\xfd":
        pieces = _unzstd(data)
    else:
        return data
    unpacked = bytearray()
    try:
        for piece in pieces:
            unpacked += piece
            bomb = len(unpacked) > _SMALL and len(unpacked) > limits.expansion * len(data)
            if len(unpacked) > limits.expanded_bytes or bomb:
                raise TooLarge(
                    f"{name} unpacks from {len(data):,} to more than {len(unpacked):,} bytes; at most "
                    f"{limits.expanded_bytes:,}, or {limits.expansion} times its size, are accepted",
                    "raise Limits.expanded_bytes or Limits.expansion if you trust the file",
                )
    except (OSError, EOFError, zlib.error) as error:
        raise BrokenFile(f"{name} cannot be unpacked: {error}", "fetch it again") from error
    return bytes(unpacked)


def _gunzip(data: bytes) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _unzstd(data: bytes) -> Iterator[bytes]:
    """Unpacked pieces of all frames; the library's own stream ends without a word where a file was cut off."""
    import zstandard  # noqa: PLC0415 - only packed files need it

    rest = data
    while rest:
        frame = zstandard.ZstdDecompressor().decompressobj()
        view = memoryview(rest)
        at = 0
        try:
            while not frame.eof and at < len(view):
                yield frame.decompress(view[at : at + _BITE])
                at += _BITE
        except zstandard.ZstdError as error:
            raise EOFError(str(error)) from error
        if not frame.eof:
            raise EOFError("it ends in the middle")
        rest = frame.unused_data + bytes(view[at:])


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
            known = ", ".join(SectionKind)
            raise BadRecord(
                f"record {name!r} has the section {section!r:.80}", f'expected {{"kind", "text"}}; kinds: {known}'
            )
        yield Block(SectionKind(kind), text)


def _with_found(text: str, sections: tuple[Section, ...], body: str) -> tuple[str, tuple[Section, ...]]:
    """Sections with those that can be seen in the body, which stands at the end of the text."""
    at = len(text) - len(body)
    front = {SectionKind.TITLE, SectionKind.AUTHORS}
    seen = (found for found in find_sections(body) if found.kind not in front)
    return text, (*sections, *(Section(found.kind, found.start + at, found.end + at) for found in seen))
