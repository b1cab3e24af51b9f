"""Rows of the study of language identifiers."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from keywright.experiments.study import TableRow


@dataclass(frozen=True, slots=True)
class Errors(TableRow):
    """Errors of an identifier on one kind of texts.

    Attributes:
        identifier: its name.
        texts: kind of text.
        length: in characters, of parts of the declaration; None for others.
        language: of the texts; None for several.
        number: of texts.
        wrong: share that was taken for another language, 0 to 1.
        undecided: share that was taken for none, 0 to 1.
        english: share that was taken for English and is not, 0 to 1.
        microseconds: processor time per text.
    """

    part: ClassVar[str] = "errors"
    identifier: str
    texts: str
    length: int | None
    language: str | None
    number: int
    wrong: float
    undecided: float
    english: float
    microseconds: float
    keys: ClassVar[Mapping[str, str]] = MappingProxyType({"english": "as_english"})


@dataclass(frozen=True, slots=True)
class Cost(TableRow):
    """Cost of an identifier.

    Attributes:
        identifier: its name.
        seconds: processor time to import it and to identify one sentence, in a process that has numpy.
        megabytes: of its files on disk, and of those of packages that only it needs.
        licence: of code and model.
        released: year and month of the last release.
    """

    part: ClassVar[str] = "cost"
    identifier: str
    seconds: float
    megabytes: float
    licence: str
    released: str
