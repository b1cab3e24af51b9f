"""Documents of all that people pass to ``extract``: texts, files and records, alone or in any collection."""

import io
import math
import numbers
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.api.inputs import document, read
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, EmptyInput, KeywrightError, UnreadableInput
from keywright.core.predictions import Failure
from keywright.reading.file_names import check_text, shortened
from keywright.reading.jsonl import document_of_record

DocumentLike: TypeAlias = str | Path | Document | LabelledDocument[Document] | Mapping[str, Any]
"""A text, a file of one document, a document, with gold or without, or a record."""
Named: TypeAlias = tuple[str, Any]
"""The id of a document without its own, and what was passed in its place."""

_EXPECTED: Final = "expected a text, a pathlib.Path, kw.document(text), kw.read(path), or a dict with 'text'"
_RECORD: Final = "expected 'text', or 'title' and 'abstract', and perhaps 'id', as in a line of JSON Lines"
_FRAMES: Final = frozenset({"DataFrame", "LazyFrame", "Table", "RecordBatch"})
"""Names of the types of tables in pandas, polars, pyarrow and their kin, none of which is imported here."""
_CONTENT: Final = frozenset({"text", "title", "abstract", "sections"})


def is_document(value: object) -> bool:
    """Return whether a value is one document, not several."""
    return isinstance(value, str | Path | Document | LabelledDocument | Mapping)


def document_of(value: Any, name: str = "text") -> Document:
    """Return the document of a text, a file or a record; a document unchanged.

    ``name``: id of a text, and of a record without its own.

    Raises:
        UnreadableInput: a text that is the name of a file, or a file that cannot be read.
        EmptyInput: there are no words, or the value is missing (None, NaN).
        BadRecord: a dict without text.
        BadParameter: any other value.
    """
    match value:
        case str():
            check_text(value)
            return document(value, name)
        case Path():
            return read(value)
        case Document():
            return value
        case LabelledDocument():
            return document_of(value.document, name)
        case Mapping():
            return _of_record(value, name)
        case Failure():
            raise UnreadableInput(f"{value.document_id}: {value.message}", value.hint)
    if is_missing(value):
        raise EmptyInput(f"{name} is missing: the value is {value!r}", "leave it out, or give its text")
    raise not_a_document(value)


def is_missing(value: Any) -> bool:
    """Return whether a value says that there is none: None, NaN, and the missing values of pandas."""
    if isinstance(value, numbers.Real):
        return math.isnan(value)
    return value is None or type(value).__name__ in {"NAType", "NaTType"}


def not_a_document(value: object) -> BadParameter:
    """Return the error for a value that is not a document."""
    if isinstance(value, bytes | bytearray):
        return BadParameter("bytes are not a text", "decode them first: data.decode('utf-8')")
    return BadParameter(f"{shortened(repr(value))} of type {type(value).__name__} is not a document", _EXPECTED)


def named_items(documents: Any) -> tuple[Iterator[Named], bool]:
    """Return the items of a collection with ids for those without their own, and whether their number is known.

    Ids are the index of a pandas Series, where a repeated label gets a number; else ``text-1``, ``text-2`` by place.

    Raises:
        BadParameter: the value is not a collection of documents, or not one in order.
    """
    if {kind.__name__ for kind in type(documents).__mro__} & _FRAMES:
        raise _table(documents)
    if isinstance(documents, io.IOBase):
        hint = "kw.extract(kw.read(path)) takes the whole file as one document"
        raise BadParameter("an open file is a stream of lines, not of documents", hint)
    if isinstance(documents, AbstractSet):
        hint = "pass a list, such as sorted(texts): predictions come in its order"
        raise BadParameter("a set of documents has no order", hint)
    if isinstance(documents, bytes | bytearray) or not isinstance(documents, Iterable):
        raise not_a_document(documents)
    if hasattr(documents, "index") and hasattr(documents, "to_numpy"):  # a Series of pandas
        return zip(_labels(documents.index), documents, strict=True), True
    if (dimensions := getattr(documents, "ndim", 1)) != 1:
        message = f"an array of {dimensions} dimensions is not a list of documents"
        raise BadParameter(message, "pass one column: array[:, 0]")
    # Elements of arrays are scalars of their library; those of Python are what documents are made of.
    plain = getattr(documents, "to_pylist", None) or getattr(documents, "tolist", None)
    items: Iterable[Any] = plain() if plain else documents
    return ((f"text-{place}", item) for place, item in enumerate(items, start=1)), hasattr(documents, "__len__")


def _of_record(record: Mapping[Any, Any], name: str) -> Document:
    values = {str(key): value for key, value in record.items() if not is_missing(value)}
    if not _CONTENT & values.keys():
        keys = ", ".join(map(repr, record)) or "no key"
        by_id = "for texts by id pass [{'id': id, 'text': text}, ...]"
        raise BadRecord(f"a dict with {shortened(keys)} is not a record of a document", f"{_RECORD}; {by_id}")
    label = values.get("id", name)
    return document_of_record({**values, "id": int(label) if isinstance(label, numbers.Integral) else label})


def _labels(index: Iterable[Any]) -> Iterator[str]:
    for label in index:
        yield "/".join(map(str, label)) if isinstance(label, tuple) else str(label)


def _table(frame: Any) -> BadParameter:
    columns = getattr(frame, "column_names", None) or list(getattr(frame, "columns", ()))
    named = next((str(name) for name in columns if str(name).lower() in {"text", "abstract", "body"}), "text")
    hint = f"kw.extract_table(table, text={named!r}) gives a table, kw.extract(table[{named!r}]) a list"
    return BadParameter(f"a table with the columns {shortened(', '.join(map(str, columns)))} is not a text", hint)


def checked(value: Any, name: str) -> Document | Failure:
    """Return the document of a value, or the failure that it costs; a failure unchanged."""
    if isinstance(value, Failure):
        return value
    try:
        return document_of(value, name)
    except KeywrightError as error:
        own_name = value.get("id", name) if isinstance(value, Mapping) else value if isinstance(value, Path) else name
        return Failure.from_error(str(own_name), error)
