"""Snippets of the documents, run as a reader would run them, in the order of their page.

    ```console      lines with ``$`` are run by a shell, what follows each must be what it prints; ``...`` stands for
                    any text. ``exit=3`` after ``console`` says with which status the last command ends.
    ```python       run in one namespace a page; with ``>>>`` prompts what follows must be what is printed.
    ```sh           installation and make: not run here, the words of the Makefile are checked elsewhere.

All of a page runs in one empty folder that holds copies of ``examples/`` and ``docs/examples/``, without the folders of
research data: a reader has none. When outputs have changed for good,

    make outputs

writes what is printed now into the pages; read the difference before you commit it.
"""

import contextlib
import doctest
import functools
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from markdown_it import MarkdownIt
from tests.end_to_end.program import warm_command
from tests.end_to_end.warm_program import plain_environment
from tests.house.tree import files

ROOT = Path(__file__).parents[2]
RUN = {"console", "python"}
SHOWN = {"sh", "json", "toml", "text", "markdown", "make"}
_EXIT = re.compile(r"exit=(\d+)")


@dataclass(frozen=True)
class Snippet:
    """A fenced block: its language, what follows the language, its text, and the lines of the page it stands on."""

    language: str
    note: str
    text: str
    first: int
    last: int


@dataclass(frozen=True)
class Command:
    """A command of a console block, with the output that is shown below it."""

    line: str
    shown: str


def snippets(page: str) -> list[Snippet]:
    """Fenced blocks of a page, in order."""
    found = []
    for token in MarkdownIt().parse(page):
        if token.type == "fence" and token.map:
            language, _, note = token.info.strip().partition(" ")
            found.append(Snippet(language, note, token.content, token.map[0] + 1, token.map[1] - 1))
    return found


@functools.cache
def links(page: str) -> list[str]:
    """Targets of a page's links to other files of the project."""
    tokens = [child for token in MarkdownIt().parse(page) for child in token.children or ()]
    targets = [str(token.attrs["href"]).partition("#")[0] for token in tokens if token.type == "link_open"]
    return [target for target in targets if target and "://" not in target]


def commands(text: str) -> Iterator[Command]:
    """Commands of a console block; a line that ends in a backslash goes on in the next."""
    pieces = re.split(r"^\$ ", text, flags=re.MULTILINE)
    for piece in pieces[1:]:
        line = re.match(r"(?:.*\\\n)*.*", piece)[0]
        yield Command(line, piece[len(line) :].strip("\n"))


class Place:
    """A folder with the examples, where a page's snippets run one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.module = ModuleType("__main__")
        self.names = vars(self.module)
        for name in ("examples", "docs/examples"):
            shutil.copytree(ROOT / name, folder / name)
        plain = plain_environment()
        programs = [str(warm_command().folder)] if sys.platform == "linux" else []
        binaries = os.pathsep.join([*programs, str(Path(sys.executable).parent), plain["PATH"]])
        self.environment = plain | {"PATH": binaries, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}

    def run(self, line: str) -> tuple[str, int]:
        """What a command prints, and its status."""
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return "\n".join(each.rstrip() for each in done.stdout.rstrip().splitlines()), done.returncode

    def python(self, snippet: Snippet, runner: doctest.DocTestRunner | None = None) -> str:
        """What is wrong with a Python block: nothing, or a report."""
        with warnings.catch_warnings():  # a reader sees notes about input on standard error, and goes on
            warnings.simplefilter("ignore", UserWarning)
            return self._python(snippet, runner)

    def _python(self, snippet: Snippet, runner: doctest.DocTestRunner | None) -> str:
        program, sys.modules["__main__"] = sys.modules["__main__"], self.module  # so that classes of the page pickle
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            if ">>> " not in snippet.text:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(snippet.text, f"line {snippet.first}", "exec"), self.names)  # noqa: S102  (our documents)
                return ""
            test = doctest.DocTestParser().get_doctest(snippet.text, self.names, "snippet", None, snippet.first)
            report: list[str] = []
            flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            runner = runner or doctest.DocTestRunner(optionflags=flags)
            runner.run(test, out=report.append, clear_globs=False)
            self.names |= test.globs
            return "".join(report)
        finally:
            os.chdir(before)
            sys.modules["__main__"] = program

    def console(self, snippet: Snippet) -> str:
        """What is wrong with a console block: nothing, or a report."""
        every = list(commands(snippet.text))
        for command in every:
            printed, status = self.run(command.line)
            given = _EXIT.search(snippet.note)
            expected = int(given[1]) if given and command is every[-1] else 0
            if status != expected:
                return f"$ {command.line}\nended with {status}, expected {expected}:\n{printed}"
            if command.shown and not matches(command.shown, printed):
                return f"$ {command.line}\nshould print\n{command.shown}\nand printed\n{printed}"
        return ""


def matches(shown: str, printed: str) -> bool:
    """Whether the output is what is shown; ``...`` stands for any text, ends of lines are not looked at.

    Of long decimals eight digits are compared: the last digits of a fitted curve differ between processors.
    """
    shown, printed = _shortened("\n".join(line.rstrip() for line in shown.splitlines())), _shortened(printed)
    return re.fullmatch(".*?".join(map(re.escape, shown.split("..."))), printed, re.DOTALL) is not None


def _shortened(text: str) -> str:
    return re.sub(r"\d+\.\d{9,}", lambda decimal: f"{float(decimal[0]):.8f}", text)


class _Recorder(doctest.DocTestRunner):
    """Keeps what each example prints, and says nothing."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.printed: list[tuple[doctest.Example, str]] = []

    def report_success(self, _out: object, _test: object, example: doctest.Example, got: str) -> None:
        self.printed.append((example, got))

    report_failure = report_success


def renewed(page: str, place: Place) -> str:
    """A page with the outputs of its blocks as they are now; where none is shown, or ``...`` inside, it stays."""
    lines = page.splitlines()
    blocks = []
    for snippet in snippets(page):
        if snippet.language == "console":
            blocks.append((snippet, _console_now(snippet, place)))
        elif snippet.language == "python" and ">>> " in snippet.text:
            blocks.append((snippet, _python_now(snippet, place)))
        elif snippet.language == "python":
            place.python(snippet)
    for snippet, block in reversed(blocks):
        lines[snippet.first : snippet.last] = block
    return "\n".join(lines) + "\n"


def _console_now(snippet: Snippet, place: Place) -> list[str]:
    """Lines of a console block with its outputs as they are now."""
    block = []
    for command in commands(snippet.text):
        printed, status = place.run(command.line)
        if status and not _EXIT.search(snippet.note):
            raise SystemExit(f"$ {command.line}\nended with {status}, nothing is written:\n{printed}")
        keep = not command.shown or "..." in command.shown.removesuffix("\n...")
        lines = (command.shown if keep else printed).splitlines()
        if not keep and command.shown.endswith("\n..."):
            lines = _cut_after(lines, command.shown.splitlines()[-2])
        block += [f"$ {command.line}", *lines]
    return block


def _cut_after(lines: list[str], last: str) -> list[str]:
    """Return an output up to the line that was the last one shown before ``...``, or all of it without that line."""
    return [*lines[: lines.index(last) + 1], "..."] if last in lines else lines


def _python_now(snippet: Snippet, place: Place) -> list[str]:
    """Lines of a block with prompts, with its outputs as they are now."""
    recorder = _Recorder()
    place.python(snippet, recorder)
    block = snippet.text.splitlines()
    for example, printed in reversed(recorder.printed):
        if example.want and "..." not in example.want:
            after = example.lineno + example.source.count("\n")
            block[after : after + example.want.count("\n")] = printed.splitlines()
    return block


def pages() -> list[Path]:
    """Documents whose snippets run, relative to the root."""
    return [
        path for path in files() if path.suffix == ".md" and path.parts[0] in {"README.md", "CONTRIBUTING.md", "docs"}
    ]


def main() -> None:
    """Renew the pages named on the command line, or all."""
    for path in map(Path, sys.argv[1:] or pages()):
        text = (ROOT / path).read_text("utf-8")
        with tempfile.TemporaryDirectory() as folder:
            (ROOT / path).write_text(renewed(text, Place(Path(folder))), "utf-8")


if __name__ == "__main__":
    main()
