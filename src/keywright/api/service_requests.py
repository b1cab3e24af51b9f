"""Requests to the worker processes of a service: a document each, or a page, or a call of one of its functions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from keywright.api.options import RequestOptions
from keywright.reading.tables.rows import TableColumns


@dataclass(frozen=True, slots=True)
class TextRequest:
    """A JSON body with ``text``, and perhaps ``id``, or with ``document``, a record; and options."""

    body: bytes


@dataclass(frozen=True, slots=True)
class RecordRequest:
    """A line of a batch: its number, from 1, and its bytes, a record of a document."""

    line: bytes
    number: int
    options: RequestOptions


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A file with one document; ``name`` is its id, whose ending may show the format."""

    path: Path
    name: str
    options: RequestOptions


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A text, or a file with documents; ``name`` is the id of the text, and of a document that its file does not name.

    Exactly one of ``text`` and ``path`` is set. ``columns`` are those that are read of a table; without a column of
    texts it is guessed, and files of records are not taken for tables. ``most``: characters of all texts together.

    The text of the record is an object with ``signature``; ``guarantees``, pairs of a precision and the least
    probability that keeps it; ``documents``, objects with ``document`` and ``result``; and ``notes`` on the reading.
    """

    name: str
    options: RequestOptions
    text: str = ""
    path: Path | None = None
    columns: TableColumns = field(default_factory=TableColumns)
    most: int = 20_000_000


@dataclass(frozen=True, slots=True)
class OptionsRequest:
    """Options alone, which are checked; the record has only the full signature of the system."""

    options: RequestOptions


@dataclass(frozen=True, slots=True)
class LanguageRequest:
    """A text, and languages that it may be in; ``results`` are their probabilities, and the rest for none of them."""

    text: str
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartRequest:
    """The first request of a process, for which everything is loaded."""


@dataclass(frozen=True, slots=True)
class CallRequest:
    """A function of a face and its argument, for work on what clients sent; the answer is what it returns."""

    function: Callable[[Any], Any]
    argument: Any


Request: TypeAlias = (
    StartRequest
    | LanguageRequest
    | TextRequest
    | RecordRequest
    | FileRequest
    | OptionsRequest
    | PageRequest
    | CallRequest
)
