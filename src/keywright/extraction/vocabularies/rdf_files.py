"""Files of RDF, statement by statement; a broken statement costs itself where the format allows it."""

import codecs
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from keywright.core.errors import (
    BrokenFile,
    EmptyInput,
    KeywrightError,
    MissingData,
    UnreadableInput,
    UnsupportedFormat,
    needs_extra,
)
from keywright.extraction.vocabularies.concept_builder import ConceptBuilder
from keywright.reading.file_names import explain_missing
from keywright.reading.limits import Limits, open_unpacked

if TYPE_CHECKING:
    import pyoxigraph

BROKEN: Final = "statements that cannot be read"
_ENDINGS: Final = {
    ".ttl": "TURTLE", ".turtle": "TURTLE", ".n3": "TURTLE", ".nt": "N_TRIPLES", ".nq": "N_QUADS", ".trig": "TRIG",
    ".rdf": "RDF_XML", ".owl": "RDF_XML", ".skos": "RDF_XML", ".xml": "RDF_XML", ".jsonld": "JSON_LD",
}  # fmt: skip
_MARK: Final = codecs.BOM_UTF8
_PACKED: Final = (".gz", ".zst")
_ERRORS: Final = (SyntaxError, ValueError, MemoryError)
"""Errors of the parser; it has no more memory for a text of 16 MB."""
_IN_PIECES: Final = {"TURTLE", "N_TRIPLES", "N_QUADS"}  # formats whose statements can be read one by one
_PIECE: Final = 200_000  # bytes of statements that are read together in a damaged file; arbitrary
_LONGEST: Final = 20_000_000
"""Bytes without the end of a statement, which are then read as one; arbitrary, to bound memory."""
_STATEMENT_END: Final = re.compile(rb"\.\s*(?:#[^\n]*)?\r?\n\Z")
_PREFIX: Final = re.compile(rb"\s*(?:@?prefix|@?base)\s", re.IGNORECASE)
_DECLARATIONS: Final = 65_536  # bytes within which XML must come to its first element; arbitrary
_ENTITY: Final = re.compile(rb"<!ENTITY\s+(%?)\s*\S+\s+(?:(SYSTEM|PUBLIC)\b|\"([^\"]*)\"|'([^']*)')")
_ROOT: Final = re.compile(rb"<([A-Za-z_][\w.:-]*)")
_OPENING: Final = re.compile(rb"<[^/!?]")
_DEEPEST: Final = 1_000
"""Most elements in each other: the parser's time grows with the square of their number. Arbitrary."""
_COMMENT: Final = re.compile(rb"<!--.*?-->", re.DOTALL)
_TAIL: Final = 1_000  # bytes at the end of XML in which its last tag must be; arbitrary
_LONGEST_ENTITY: Final = 1_000
"""Bytes of an entity: those of vocabularies are namespaces. Arbitrary."""


def rdf_format(name: str) -> str | None:
    """Return the format of a file of RDF by its name, packed or not; None for other files."""
    lower = name.lower()
    for packed in _PACKED:
        lower = lower.removesuffix(packed)
    return next((form for ending, form in _ENDINGS.items() if lower.endswith(ending)), None)


def quads(path: Path, form: str, limits: Limits) -> "Iterator[pyoxigraph.Quad]":
    """Yield the statements of a file.

    Raises BrokenFile: a broken statement, or entities that are not accepted; UnsupportedFormat: JSON-LD with context
    from elsewhere; EmptyInput, MissingData, UnreadableInput: nothing to read; MissingExtra: no pyoxigraph.
    """
    parse, kind = _parser(form)
    with _open_file(path, limits) as stream:
        source = _Source(stream, path.name, is_xml=form == "RDF_XML")
        root = _checked_root(source.head, path.name) if form == "RDF_XML" else b""
        try:
            yield from parse(source, kind)
        except KeywrightError:  # the source refuses it
            raise
        except _ERRORS as error:
            raise _rdf_error(path.name, form, error) from error
        if root and not re.search(rb"</%s\s*>\s*(?:<!--.*)?\Z" % re.escape(root), source.tail, re.DOTALL):
            raise BrokenFile(f"{path.name} ends before </{root.decode(errors='replace')}>", "download it again")


def quads_in_pieces(path: Path, form: str, limits: Limits, builder: ConceptBuilder) -> "Iterator[pyoxigraph.Quad]":
    """Yield readable statements of a damaged file, others are counted in the builder; raises else as ``quads``."""
    parse, kind = _parser(form)
    with _open_file(path, limits) as stream:
        head = b""
        for line, piece in _pieces(_statements(stream, in_lines=form != "TURTLE")):
            try:
                parser = parse(BytesIO(head + b"".join(piece)), kind)
                whole = list(parser)
            except _ERRORS:
                yield from _apart(line, piece, head, (parse, kind), builder)
            else:
                yield from whole
            head += b"".join(statement for statement in piece if _PREFIX.match(statement))


def _apart(
    line: int, piece: Iterable[bytes], head: bytes, how: tuple[Any, Any], builder: ConceptBuilder
) -> "Iterator[pyoxigraph.Quad]":
    """Yield what can be read of the statements of a piece, each by itself."""
    parse, kind = how
    for statement in piece:
        try:
            yield from list(parse(BytesIO(head + statement), kind))
        except _ERRORS as error:
            lines = getattr(error, "lineno", None) or 1
            place = line + max(0, lines - 1 - head.count(b"\n"))
            builder.leave_out(BROKEN, f"line {place:,}: {_reason(error)}")
        if _PREFIX.match(statement):
            head += statement
        line += statement.count(b"\n")


def is_in_pieces(form: str) -> bool:
    """Return whether the statements of a format can be read one by one."""
    return form in _IN_PIECES


def _statements(stream: Iterable[bytes], *, in_lines: bool) -> Iterator[bytes]:
    """Yield statements with line ends; in Turtle a dot ends one at a line's end, before a line in the first column."""
    if in_lines:
        yield from stream
        return
    lines: list[bytes] = []
    size, ended = 0, False
    for line in stream:
        if lines and ((ended and line[:1].strip()) or size > _LONGEST):
            yield b"".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line)
        ended = _STATEMENT_END.search(line) is not None or (ended and not line.strip())
    yield b"".join(lines)


def _pieces(statements: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield statements, many at once, with the number of the first line."""
    line, size, piece = 1, 0, list[bytes]()
    for statement in statements:
        piece.append(statement)
        size += len(statement)
        if size > _PIECE:
            yield line, piece
            line += sum(each.count(b"\n") for each in piece)
            size, piece = 0, []
    yield line, piece


def _parser(form: str) -> tuple[Any, Any]:
    with needs_extra("skos", "vocabularies in RDF need the package pyoxigraph"):
        from pyoxigraph import RdfFormat, parse  # noqa: PLC0415 - optional
    return parse, getattr(RdfFormat, form)


@contextmanager
def _open_file(path: Path, limits: Limits) -> Iterator[BufferedReader]:
    """Open a file, which is unpacked if it is packed."""
    if not path.exists():
        raise MissingData(*explain_missing(str(path)))
    if not path.is_file():
        raise UnreadableInput(f"{path.name} is not a regular file", "name a file")
    if not path.stat().st_size:
        raise EmptyInput(f"{path.name} is an empty file", "expected a vocabulary in SKOS")
    try:
        file = path.open("rb")
    except OSError as error:
        raise UnreadableInput(f"{path.name} cannot be opened: {error.strerror}", "check its permissions") from error
    with file, open_unpacked(file, path.name, limits) as stream:
        if stream.peek(len(_MARK)).startswith(_MARK):
            stream.read(len(_MARK))
        yield stream


class _Source:
    """A stream that knows its first and last bytes, and refuses XML with too many elements in each other, by signs."""

    def __init__(self, stream: BufferedReader, name: str, *, is_xml: bool) -> None:
        self._stream, self._name, self._is_xml = stream, name, is_xml
        self._depth, self._last = 0, b""
        self.head = self._unread = stream.read(_DECLARATIONS)
        self.tail = self.head[-_TAIL:]

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; too many elements in each other are a ``BrokenFile``."""
        if self._unread:
            data, self._unread = self._unread[:size], self._unread[size:] if size >= 0 else b""
        else:
            data = self._stream.read(size)
            self.tail = (self.tail + data)[-_TAIL:]
        if self._is_xml:
            self._count(data)
        return data

    def _count(self, data: bytes) -> None:
        signs = self._last + data  # a sign of two characters may begin in the bytes before
        self._last = data[-1:]
        self._depth += len(_OPENING.findall(signs)) - signs.count(b"</") - signs.count(b"/>")
        if self._depth > _DEEPEST:
            raise BrokenFile(f"{self._name} has more than {_DEEPEST:,} elements in each other", "save it as Turtle")


def _checked_root(head: bytes, name: str) -> bytes:
    """Return the name of the root; refuse entities of other files, and those that may unpack to any size."""
    root = _ROOT.search(_COMMENT.sub(b"", head))
    if root is None:
        hint = "expected RDF/XML; a long DOCTYPE or comment at its beginning can be removed"
        raise BrokenFile(f"{name} has no element of XML in its first {_DECLARATIONS:,} bytes", hint)
    declared = _COMMENT.sub(b"", head)[: root.start()]
    entities = list(_ENTITY.finditer(declared))
    values = [match[3] or match[4] or b"" for match in entities]
    odd = len(entities) != declared.count(b"<!ENTITY") or any(match[1] or match[2] for match in entities)
    if odd or any(b"&" in value.replace(b"&#", b"") or len(value) > _LONGEST_ENTITY for value in values):
        message = f"{name} declares entities of other files, or entities that unpack to more"
        raise BrokenFile(message, "save it without them, for example as Turtle")
    return root[1]


def _rdf_error(name: str, form: str, error: Exception) -> UnreadableInput:
    if "LoadDocumentCallback" in str(error):
        hint = "write the context into the file, or save the vocabulary as Turtle"
        return UnsupportedFormat(f"{name} takes its @context from another address, and nothing is downloaded", hint)
    what = {"RDF_XML": "RDF/XML", "JSON_LD": "JSON-LD", "TRIG": "TriG"}.get(form, form)
    line = f"line {error.lineno:,}: " if isinstance(error, SyntaxError) and error.lineno else ""
    message = f"{name} cannot be read as {what}: {line}{_reason(error)}"
    return BrokenFile(message, "correct it there, or save it as Turtle")


def _reason(error: Exception) -> str:
    """Return the message of the parser without its places, which are those in a piece of the file."""
    return re.sub(r"^Parser error (?:at|between) .*?: | \(line \d+\)$", "", str(error))
