"""Options that several verbs share, so that they mean the same everywhere."""

import enum
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from keywright.core.errors import BadParameter

Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="For machines: one JSON value on standard output, nothing else there.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="No messages and no progress; errors stay.")]
Output: TypeAlias = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there; the file appears when it is whole.")
]
Language: TypeAlias = Annotated[
    str | None,
    typer.Option("--language", metavar="CODE", help="Such as en or fr, for all documents; else each one's own."),
]
Jobs: TypeAlias = Annotated[int | None, typer.Option("--jobs", "-j", metavar="N", help="Processes that work at once.")]
Parameters: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="A parameter of the system; may be given several times."),
]
CalibratorFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--calibrator", metavar="FILE", help="Probabilities by what `keywright calibrate` wrote."),
]
_PROMISED: Final = "What a calibrator allows"
MinPrecision: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--min-precision",
        metavar="X",
        rich_help_panel=_PROMISED,
        help="Show so much that on average at least X of a list is right.",
    ),
]
Confident: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--guarantee", metavar="C", rich_help_panel=_PROMISED, help="How surely --min-precision holds; else 0.9."
    ),
]
MinRecall: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--min-recall",
        metavar="X",
        rich_help_panel=_PROMISED,
        help="Show on average at least X of the right ones that are found.",
    ),
]
AbstainBelow: TypeAlias = Annotated[
    float,
    typer.Option(
        "--abstain-below",
        metavar="P",
        rich_help_panel=_PROMISED,
        help="Show nothing of a document if its best phrase is less probable.",
    ),
]
BestF1: TypeAlias = Annotated[
    bool,
    typer.Option("--best-f1", rich_help_panel=_PROMISED, help="Show as many as promise each document the best F1."),
]
RunFormat: TypeAlias = Annotated[
    str | None,
    typer.Option("--run-format", metavar="NAME", help="Format of the run, such as csv or trec, where it is not seen."),
]


class Format(enum.StrEnum):
    """How extracted keyphrases are written."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    HTML = "html"


class InputFormat(enum.StrEnum):
    """What files hold."""

    AUTO = "auto"
    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    JATS = "jats"
    TEI = "tei"
    DOCX = "docx"
    JSONL = "jsonl"


class EngineName(enum.StrEnum):
    """Where documents are worked on."""

    SERIAL = "serial"
    PROCESSES = "processes"


Engine: TypeAlias = Annotated[
    EngineName | None, typer.Option("--engine", help="One after the other, or in several processes.")
]


def pairs(given: Sequence[str] | None) -> dict[str, str]:
    """``NAME=VALUE`` options by name.

    Raises:
        BadParameter: one is not of that form, or a name comes twice.
    """
    found: dict[str, str] = {}
    for one in given or ():
        name, sign, value = one.partition("=")
        if not sign or not name.strip():
            raise BadParameter(f"--param {one}", "expected NAME=VALUE, such as cutoff=850")
        if name.strip() in found:
            raise BadParameter(f"--param {name.strip()} comes twice", "give each parameter once")
        found[name.strip()] = value
    return found
