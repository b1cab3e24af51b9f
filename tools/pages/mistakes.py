"""Write the page of typical mistakes: each one is made, and what keywright answers is written beside it.

python -m tools.pages.mistakes          writes docs/reference/mistakes.md, and all of them as mistakes.csv
python -m tools.pages.mistakes --check  exits with status 1 if the page differs
"""

import contextlib
import csv
import io
import os
import re
import shlex
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest import mock

from tools.pages.mistake_cases import CASES, ROOT, Mistake, write_inputs
from tools.pages.writing import write_or_check

import keywright as kw
from keywright.core.predictions import Failure
from keywright.faces.cli import main

PAGE: Final = ROOT / "docs" / "reference" / "mistakes.md"
TABLE: Final = PAGE.with_suffix(".csv")
SHOWN: Final = 3
"""Mistakes of each kind that the page shows; arbitrary."""
INTRO: Final = """# Typical mistakes

<!-- Written by tools/pages/mistakes.py, which makes each mistake: change the cases in mistake_cases.py. -->

This page shows answers of keywright to mistakes that people make in the first days; [all {count}](mistakes.csv) are a
table. Each is made, and a test compares the page with the answers. In Python the result is an exception, or, in a list,
a `Failure` in the place of the one document that cannot be processed. On the command line it is the exit status, with a
message on standard error: 0 success (perhaps with a note), 1 partial success, 2 wrong usage, 3 unreadable input,
4 a part that is not installed.
"""
_BOX: Final = re.compile(r"^[│╭╰─ ]+|[│╮╯─ ]+$")
_SPECIAL: Final = re.compile(r"([\\*_<>|\[\]])")


class Answer(NamedTuple):
    """The answer to a mistake.

    Attributes:
        result: exit status of a command, or the name of an error in Python.
        lines: what is said.
    """

    mistake: Mistake
    result: str
    lines: tuple[str, ...]


def answers(folder: Path) -> dict[str, list[Answer]]:
    """Make each mistake in a folder; return the answers by heading."""
    write_inputs(folder)
    plain = {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb", "KEYWRIGHT_DEBUG": "0", "KEYWRIGHT_MIRROR": ""}
    with mock.patch.dict(os.environ, plain), contextlib.chdir(folder):
        _command(Mistake("keywright run firstphrases abstracts.jsonl -o run.jsonl --top 5 --quiet"))
        return {heading: [_answer(mistake) for mistake in mistakes] for heading, mistakes in CASES.items()}


def page(by_heading: Mapping[str, Sequence[Answer]]) -> str:
    """Return the page, with the first mistakes of each kind."""
    text = [INTRO.format(count=sum(map(len, by_heading.values())))]
    for heading, group in by_heading.items():
        text += [f"## {heading}\n", "| typed | result | answer |", "|---|---|---|", *map(_row, group[:SHOWN]), ""]
    return "\n".join(text)


def table(by_heading: Mapping[str, Sequence[Answer]]) -> str:
    """Return all mistakes as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("kind", "typed", "without", "result", "answer"))
    for heading, group in by_heading.items():
        for answer in group:
            typed, without = answer.mistake
            writer.writerow((heading, typed, without, answer.result.strip("`"), " / ".join(answer.lines)))
    return text.getvalue()


def _row(answer: Answer) -> str:
    without = f" without {answer.mistake.without}" if answer.mistake.without else ""
    return f"| `{answer.mistake.typed}`{without} | {answer.result} | {'<br>'.join(map(_escaped, answer.lines))} |"


def _answer(mistake: Mistake) -> Answer:
    with _without(mistake.without):
        return _command(mistake) if mistake.typed.startswith("keywright ") else _python(mistake)


@contextlib.contextmanager
def _without(library: str) -> Iterator[None]:
    """Let imports of a library fail, as where it is not installed; other modules stay as they are."""
    names = [name for name in sys.modules if library and f"{name}.".startswith(f"{library}.")]
    hidden: dict[str, Any] = {name: sys.modules.pop(name) for name in names}
    modules: dict[str, Any] = sys.modules
    modules |= {library: None} if library else {}  # None is not importable
    try:
        yield
    finally:
        modules.pop(library, None)
        modules |= hidden


def _command(mistake: Mistake) -> Answer:
    """Run a command line in this process; return what it says on standard error, without frames and usage."""
    said, printed = io.StringIO(), io.TextIOWrapper(io.BytesIO(), "utf-8")
    status = 0
    with (
        mock.patch.object(sys, "argv", shlex.split(mistake.typed)),
        contextlib.redirect_stderr(said),
        contextlib.redirect_stdout(printed),
    ):
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
    lines = (_BOX.sub("", text) for text in said.getvalue().splitlines())
    shown = (text for text in lines if text and text != "Error" and not text.startswith(("Usage:", "Try '")))
    return Answer(mistake, str(status), tuple(shown))


def _python(mistake: Mistake) -> Answer:
    """Evaluate an expression; return its error, or what it gives, a line for each entry of a list."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # a mistake leaves its file open
        try:
            value = eval(mistake.typed, {"kw": kw})  # noqa: S307 - the cases of this tool
        except Exception as error:  # noqa: BLE001 - whatever people would see
            return Answer(mistake, f"`{type(error).__name__}`", (str(error),))
    entries = value if isinstance(value, list) else [value]
    failed = any(isinstance(entry, Failure) for entry in entries)
    return Answer(mistake, "`Failure`" if failed else "", tuple(map(_shown, entries)))


def _shown(value: Any) -> str:
    return f"{value.message}; {value.hint}" if isinstance(value, Failure) else repr(value)


def _escaped(text: str) -> str:
    """Return a text for a cell of a Markdown table; what is between backticks is code there as well."""
    pieces = text.split("`")
    return "`".join(
        piece.replace("|", "\\|") if place % 2 else _SPECIAL.sub(r"\\\1", piece) for place, piece in enumerate(pieces)
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        answered = answers(Path(place))
        write_or_check({PAGE: page(answered), TABLE: table(answered)}, check="--check" in sys.argv[1:])
