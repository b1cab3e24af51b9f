"""Vocabularies in SKOS: what the statements of files of RDF say about concepts, one by one.

W3C, SKOS Reference; SKOS-XL, its appendix B. A broken statement costs itself where the format allows it.
"""

import codecs
import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from keywright.core import errors
from keywright.extraction.vocabularies.concept_builder import ConceptBuilder, ConceptsRead
from keywright.extraction.vocabularies.concepts import ALTERNATIVE, HIDDEN, PREFERRED
from keywright.reading.file_names import explain_missing
from keywright.reading.limits import open_unpacked
from keywright.reading.sources import DEFAULT_LIMITS

if TYPE_CHECKING:
    import pyoxigraph

_SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
_XL: Final = "http://www.w3.org/2008/05/skos-xl#"
_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_DEPRECATED: Final = "http://www.w3.org/2002/07/owl#deprecated"
_NOT_CONCEPTS: Final = frozenset(f"{_SKOS}{name}" for name in ("ConceptScheme", "Collection", "OrderedCollection"))
_PREFIXES: Final = {"NamedNode": "", "BlankNode": "_:"}  # beginnings of names, by types in pyoxigraph
_KINDS: Final = {"prefLabel": PREFERRED, "altLabel": ALTERNATIVE, "hiddenLabel": HIDDEN}
_ENDINGS: Final = {
    ".ttl": "TURTLE", ".turtle": "TURTLE", ".n3": "TURTLE", ".nt": "N_TRIPLES", ".nq": "N_QUADS", ".trig": "TRIG",
    ".rdf": "RDF_XML", ".owl": "RDF_XML", ".skos": "RDF_XML", ".xml": "RDF_XML", ".jsonld": "JSON_LD",
}  # fmt: skip
_PACKED: Final = (".gz", ".zst")
_ERRORS: Final = (SyntaxError, ValueError, MemoryError)  # errors of the parser; the last for a text of 16 MB
_IN_PIECES: Final = {"TURTLE", "N_TRIPLES", "N_QUADS"}  # formats whose statements can be read one by one
_PIECE: Final = 200_000  # bytes of statements that are read together in a damaged file; arbitrary
_LONGEST: Final = 20_000_000  # bytes without an end that are read as one statement; arbitrary, to bound memory
_STATEMENT_END: Final = re.compile(rb"\.\s*(?:#[^\n]*)?\r?\n\Z")
_PREFIX: Final = re.compile(rb"\s*(?:@?prefix|@?base)\s", re.IGNORECASE)
_DECLARATIONS: Final = 65_536  # bytes within which XML must come to its first element; arbitrary
_ENTITY: Final = re.compile(rb"<!ENTITY\s+(%?)\s*\S+\s+(?:(SYSTEM|PUBLIC)\b|\"([^\"]*)\"|'([^']*)')")
_ROOT: Final = re.compile(rb"<([A-Za-z_][\w.:-]*)")
_OPENING: Final = re.compile(rb"<[^/!?]")
_DEEPEST: Final = 1_000  # most elements in each other: the parser's time is quadratic in it; arbitrary
_COMMENT: Final = re.compile(rb"<!--.*?-->", re.DOTALL)
_TAIL: Final = 1_000  # bytes at the end of XML in which its last tag must be; arbitrary
_LONGEST_ENTITY: Final = 1_000  # bytes of an entity: those of vocabularies are namespaces; arbitrary


def rdf_format(name: str) -> str | None:
    """Return the format of a file of RDF by its name, packed or not; None for other files."""
    lower = name.lower()
    for packed in _PACKED:
        lower = lower.removesuffix(packed)
    return next((form for ending, form in _ENDINGS.items() if lower.endswith(ending)), None)


def read_skos(path: Path, form: str, languages: frozenset[str] = frozenset()) -> ConceptsRead:
    """Return the concepts of a file in SKOS, packed or not, of a ``form`` of ``rdf_format``.

    ``languages``: codes whose labels are kept, beside labels without; none keeps all. Raises UnreadableInput, or a
    subclass; EmptyInput: it has no concepts with labels. Broken statements of Turtle and N-Triples are counted.
    """
    try:
        return _collect_statements(_read_statements(path, form), ConceptBuilder(languages), path.name)
    except errors.BrokenFile:
        if form not in _IN_PIECES:
            raise
    # Only a damaged file is read again, in pieces, which is slower.
    builder = ConceptBuilder(languages)
    return _collect_statements(_read_readable(path, form, builder), builder, path.name)


def _collect_statements(statements: "Iterable[pyoxigraph.Quad]", builder: ConceptBuilder, name: str) -> ConceptsRead:
    collector = _Collector(builder)
    handlers, number = collector.handlers, 0
    for statement in statements:
        number += 1
        handler = handlers.get(statement.predicate.value)
        if handler is not None:
            handler(statement.subject, statement.object)
    for concept, kind, label in collector.named:  # one without text is left out as empty
        builder.add_label(concept, kind, *collector.texts.get(label, ("", "")))
    read = builder.finish()
    if not len(read.concepts):
        problems = "".join(f"; {count:,} {what}, first {read.first[what]}" for what, count in read.left_out.items())
        hint = "expected skos:Concept with skos:prefLabel"
        raise errors.EmptyInput(f"{name} holds no concepts with labels in {number:,} statements{problems}", hint)
    return read


class _Collector:
    """Functions of subject and object by predicate; labels of SKOS-XL are ``named``, and their ``texts`` elsewhere."""

    def __init__(self, builder: ConceptBuilder) -> None:
        self._builder = builder
        self.named: list[tuple[int, int, int]] = []
        self.texts: dict[int, tuple[str, str]] = {}
        in_scheme = partial(self._add_pair, builder.schemes)
        self.handlers: dict[str, Callable[[Any, Any], None]] = {
            _TYPE: self._add_type,
            _DEPRECATED: self._mark_deprecated,
            f"{_SKOS}broader": partial(self._add_pair, builder.links),
            f"{_SKOS}narrower": lambda subject, below: self._add_pair(builder.links, below, subject),
            f"{_SKOS}notation": self._add_notation,
            f"{_SKOS}inScheme": in_scheme,
            f"{_SKOS}topConceptOf": in_scheme,
            f"{_SKOS}hasTopConcept": lambda scheme, concept: in_scheme(concept, scheme),
            f"{_XL}literalForm": self._note_text,
        }
        for name, kind in _KINDS.items():
            self.handlers[f"{_SKOS}{name}"] = partial(self._add_label, kind)
            self.handlers[f"{_XL}{name}"] = partial(self._note_label, kind)

    def _number(self, node: Any) -> int:
        """Return the number of a node; literals have none, -1."""
        prefix = _PREFIXES.get(type(node).__name__)
        return -1 if prefix is None else self._builder.number(prefix + node.value)

    def _add_type(self, subject: Any, kind: Any) -> None:
        if kind.value == f"{_SKOS}Concept":
            self._builder.concepts.append(self._number(subject))
        elif kind.value in _NOT_CONCEPTS:
            self._builder.others.add(self._number(subject))

    def _mark_deprecated(self, subject: Any, value: Any) -> None:
        if value.value in {"true", "1"}:
            self._builder.deprecated.add(self._number(subject))

    def _add_pair(self, pairs: "array[int]", first: Any, second: Any) -> None:
        numbers = self._number(first), self._number(second)
        if min(numbers) >= 0:
            pairs.extend(numbers)

    def _add_notation(self, subject: Any, value: Any) -> None:
        self._builder.add_notation(self._number(subject), " ".join(value.value.split()))

    def _add_label(self, kind: int, subject: Any, label: Any) -> None:
        self._builder.add_label(self._number(subject), kind, label.value, getattr(label, "language", None) or "")

    def _note_label(self, kind: int, subject: Any, label: Any) -> None:
        self.named.append((self._number(subject), kind, self._number(label)))

    def _note_text(self, label: Any, text: Any) -> None:
        self.texts[self._number(label)] = text.value, text.language or ""


def _read_statements(path: Path, form: str) -> "Iterator[pyoxigraph.Quad]":
    """Yield the statements of a file, up to one that is broken, or entities that are not accepted (``BrokenFile``)."""
    parse, kind = _find_parser(form)
    with _open_file(path) as stream:
        source = _Source(stream, path.name, is_xml=form == "RDF_XML")
        root = _checked_root(source.head, path.name) if form == "RDF_XML" else b""
        try:
            yield from parse(source, kind)
        except errors.KeywrightError:  # the source refuses it
            raise
        except _ERRORS as error:
            raise _rdf_error(path.name, form, error) from error
        if root and not re.search(rb"</%s\s*>\s*(?:<!--.*)?\Z" % re.escape(root), source.tail, re.DOTALL):
            raise errors.BrokenFile(f"{path.name} ends before </{root.decode(errors='replace')}>", "download it again")


def _read_readable(path: Path, form: str, builder: ConceptBuilder) -> "Iterator[pyoxigraph.Quad]":
    """Yield readable statements of a damaged file, others are counted; raises else as ``_read_statements``."""
    parse, kind = _find_parser(form)
    with _open_file(path) as stream:
        head, line = b"", 1
        for piece in _pieces(_statements(stream) if form == "TURTLE" else stream):
            try:
                whole = list(parse(BytesIO(head + b"".join(piece)), kind))
            except _ERRORS:
                whole = None  # each statement is read by itself
            yield from whole or ()
            for statement in piece:
                if whole is None:
                    try:
                        yield from list(parse(BytesIO(head + statement), kind))
                    except _ERRORS as error:
                        place = line + max(0, (getattr(error, "lineno", None) or 1) - 1 - head.count(b"\n"))
                        builder.leave_out("statements that cannot be read", f"line {place:,}: {_reason(error)}")
                if _PREFIX.match(statement):
                    head += statement
                line += statement.count(b"\n")


def _statements(stream: Iterable[bytes]) -> Iterator[bytes]:
    """Yield statements of Turtle: a dot ends one at a line's end, before a line in the first column."""
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


def _pieces(statements: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield statements, many at once."""
    size, piece = 0, list[bytes]()
    for statement in statements:
        piece.append(statement)
        size += len(statement)
        if size > _PIECE:
            yield piece
            size, piece = 0, []
    yield piece


def _find_parser(form: str) -> tuple[Any, Any]:
    with errors.needs_extra("skos", "vocabularies in RDF need the package pyoxigraph"):
        from pyoxigraph import RdfFormat, parse  # noqa: PLC0415 - optional
    return parse, getattr(RdfFormat, form)


@contextmanager
def _open_file(path: Path) -> Iterator[BufferedReader]:
    """Open a file, which is unpacked if it is packed."""
    if not path.exists():
        raise errors.MissingData(*explain_missing(str(path)))
    if not path.is_file():
        raise errors.UnreadableInput(f"{path.name} is not a regular file", "name a file")
    if not path.stat().st_size:
        raise errors.EmptyInput(f"{path.name} is an empty file", "expected a vocabulary in SKOS")
    try:
        file = path.open("rb")
    except OSError as error:
        raise errors.UnreadableInput(
            f"{path.name} cannot be opened: {error.strerror}", "check its permissions"
        ) from error
    with file, open_unpacked(file, path.name, DEFAULT_LIMITS) as stream:
        if stream.peek(len(codecs.BOM_UTF8)).startswith(codecs.BOM_UTF8):
            stream.read(len(codecs.BOM_UTF8))
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
            signs = self._last + data  # a sign of two characters may begin in the bytes before
            self._last = data[-1:]
            self._depth += len(_OPENING.findall(signs)) - signs.count(b"</") - signs.count(b"/>")
            if self._depth > _DEEPEST:
                message = f"{self._name} has more than {_DEEPEST:,} elements in each other"
                raise errors.BrokenFile(message, "save it as Turtle")
        return data


def _checked_root(head: bytes, name: str) -> bytes:
    """Return the name of the root; refuse entities of other files, and those that may unpack to any size."""
    root = _ROOT.search(_COMMENT.sub(b"", head))
    if root is None:
        hint = "expected RDF/XML; a long DOCTYPE or comment at its beginning can be removed"
        raise errors.BrokenFile(f"{name} has no element of XML in its first {_DECLARATIONS:,} bytes", hint)
    declared = _COMMENT.sub(b"", head)[: root.start()]
    entities = list(_ENTITY.finditer(declared))
    values = [match[3] or match[4] or b"" for match in entities]
    odd = len(entities) != declared.count(b"<!ENTITY") or any(match[1] or match[2] for match in entities)
    if odd or any(b"&" in value.replace(b"&#", b"") or len(value) > _LONGEST_ENTITY for value in values):
        message = f"{name} declares entities of other files, or entities that unpack to more"
        raise errors.BrokenFile(message, "save it without them, for example as Turtle")
    return root[1]


def _rdf_error(name: str, form: str, error: Exception) -> errors.UnreadableInput:
    if "LoadDocumentCallback" in str(error):
        hint = "write the context into the file, or save the vocabulary as Turtle"
        return errors.UnsupportedFormat(
            f"{name} takes its @context from another address, and nothing is downloaded", hint
        )
    what = {"RDF_XML": "RDF/XML", "JSON_LD": "JSON-LD", "TRIG": "TriG"}.get(form, form)
    line = f"line {error.lineno:,}: " if isinstance(error, SyntaxError) and error.lineno else ""
    message = f"{name} cannot be read as {what}: {line}{_reason(error)}"
    return errors.BrokenFile(message, "correct it there, or save it as Turtle")


def _reason(error: Exception) -> str:
    """Return the message of the parser without its places, which are those in a piece of the file."""
    return re.sub(r"^Parser error (?:at|between) .*?: | \(line \d+\)$", "", str(error))
