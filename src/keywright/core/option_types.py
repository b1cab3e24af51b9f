"""Declarations of options: what an option is named, which values it accepts, who may use it, and what people read."""

import enum
import numbers
import re
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from keywright.core.errors import BadParameter


class User(enum.Flag):
    """Who may use an option; in Python all options can be used."""

    COMMAND_LINE = enum.auto()
    SERVICE = enum.auto()
    ASSISTANT = enum.auto()
    PAGE = enum.auto()


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from ``least`` to ``most``, None for no end; ``is_open``: without both ends."""

    least: float | None = None
    most: float | None = None
    is_open: bool = False

    def __contains__(self, number: float) -> bool:
        least = -sys.float_info.max if self.least is None else self.least
        most = sys.float_info.max if self.most is None else self.most
        return least < number < most or (not self.is_open and number in (least, most))

    def __str__(self) -> str:
        """Return the range in words, such as ``from 0 to 1``; empty for all numbers."""
        ends = zip(("above", "and below") if self.is_open else ("from", "to"), (self.least, self.most), strict=True)
        return " ".join(f"{word} {end:,}" for word, end in ends if end is not None)


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its name, type, range and default, who may use it, and what people read about it.

    ``help``: one sentence that is readable alone, other options in backticks; ``metavar``: placeholder on the command
    line, empty for a switch, ``FILE`` for one of phrases; ``request_most``: largest number in a request of others, to
    the service, an assistant or the page, None for any; ``word``: a text in place of a number; ``letter``: short name;
    ``file``: a sentence about ``FILE``; ``by_name``: what a text in the place of phrases names in a request; ``label``,
    ``example``, ``words``: name, placeholder and values in words in the form of the page, the empty text being the
    default; ``needs``: ``vocabulary`` or ``calibrator``, without which the form does not have it; ``name``, ``type``,
    ``default``: those of its field.
    """

    help: str
    metavar: str = ""
    range: Range = Range()
    request_most: float | None = None
    word: str = ""
    letter: str = ""
    file: str = ""
    by_name: str = ""
    label: str = ""
    example: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    needs: str = ""
    users: User = ~User(0)
    name: str = ""
    type: Any = None
    default: Any = None

    @property
    def value_type(self) -> Any:
        """The type without None."""
        return typing.get_args(self.type)[0] if isinstance(self.type, types.UnionType) else self.type

    @property
    def json_type(self) -> str:
        """The type of a value in JSON; ``array`` for phrases."""
        if typing.get_origin(self.value_type):
            return "array"
        return {bool: "boolean", int: "integer", float: "number"}.get(self.value_type, "string")

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of an enumeration; none for other types."""
        return tuple(map(str, self.value_type)) if isinstance(self.value_type, enum.EnumType) else ()

    @property
    def flags(self) -> tuple[str, ...]:
        """The names on the command line."""
        return (f"--{self.name.replace('_', '-')}", *([f"-{self.letter}"] if self.letter else []))

    @property
    def command_line_help(self) -> str:
        """The help with names as on the command line."""
        text = re.sub("`([a-z_0-9]+)`", lambda name: f"--{name[1].replace('_', '-')}", self.help)
        return f"{text} {self.file}".rstrip()

    @property
    def request(self) -> "Option":
        """The option with the range of requests of others."""
        return self if self.request_most is None else replace(self, range=replace(self.range, most=self.request_most))

    @property
    def expected(self) -> str:
        """The values that are accepted, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        words = {"boolean": "true or false", "integer": "a whole number", "number": "a number", "array": "phrases"}
        or_word = f", or {self.word}" if self.word else ""
        return f"{words.get(self.json_type, 'a text')} {self.range}".rstrip() + or_word

    def check(self, value: Any) -> None:
        """Raise ``BadParameter`` for a value of another type, or out of range."""
        match self.json_type:
            case _ if self.word and value == self.word:
                valid = True
            case "boolean":
                valid = isinstance(value, bool)
            case "integer" | "number" as kind:
                number: Any = numbers.Integral if kind == "integer" else numbers.Real
                valid = isinstance(value, number) and not isinstance(value, bool) and value in self.range
            case "string":
                valid = isinstance(value, str) and (not self.choices or value in self.choices)
            case _:
                # An index of a vocabulary is a sequence of texts as well.
                valid = isinstance(value, Sequence) and not isinstance(value, str)
                valid = valid and (not isinstance(value, list) or all(isinstance(each, str) for each in value))
        if not valid and (value is not None or not isinstance(self.type, types.UnionType)):
            raise BadParameter(f"{self.name} {value!r:.60}", f"expected {self.expected}")


def declare(*description: Any, default: Any = None, **further: Any) -> Any:
    """Return the field of a table that is an option with these arguments of ``Option``."""
    return field(default=default, metadata={"option": Option(*description, **further)})
