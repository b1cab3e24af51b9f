"""keywright inspec: stands in for evalHulth2003, and reads its options as that tool does.

Old options may be shortened to a unique prefix and have their value glued. Those that correct a quirk are taken out
first, by their whole names only, so that they make no old prefix ambiguous.
"""

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn

import typer

from keywright.faces.cli.progress import progress

if TYPE_CHECKING:
    from keywright.evaluation.reference.hulth2003 import Evaluation
    from keywright.evaluation.reference.hulth2003_keywords import Selection

_FAILED: Final = 1
_FLAGS: Final = {
    "--strip-bom": "a byte order mark at the start of a file is dropped",
    "--glob-folders": "folder names are patterns, as in the original",
    "--require-documents": "no document found is an error, not zeros",
}
_EVALUATION_FLAGS: Final = {
    "--skip-blank": "an empty line of a .res file is no prediction",
    "--collapse-space": "white space inside a prediction is one blank",
    "--modern": "tokens, lemmas and stems of today",
}
_CHOICES: Final = {
    "--missing": ("empty", "a document without .res file has no predictions"),
    "--part-of-recall": ("gold", "part-of recall counts gold phrases that hold a prediction"),
    "--format": ("fixed", "six decimals"),
}
_GOLD: Final = {"eval": "uncontr_in", "evalGen": "uncontr"}


class _Parser(argparse.ArgumentParser):
    """Parser whose complaints are exceptions."""

    def error(self, message: str) -> NoReturn:
        """Complain to the caller."""
        raise argparse.ArgumentTypeError(message)


def inspec(context: typer.Context) -> None:
    """Print what evalHulth2003 prints: eval, evalGen, keywords. It ends with 1 where that tool fails."""
    corrections, rest = _corrections(context.args)
    parser, commands = _parsers()
    if not rest:
        sys.stdout.write(parser.format_help())
        raise typer.Exit(_FAILED)
    try:
        asked = parser.parse_args(rest)
        if asked.command is None:
            parser.error("a command is wanted: eval, evalGen or keywords")
        _check(corrections, asked.command)
    except argparse.ArgumentTypeError as error:
        shown = commands[rest[0]].format_help() if rest[0] in commands else ""
        sys.stdout.write(f"{shown}\n{error}\n")
        raise typer.Exit(_FAILED) from None
    except SystemExit as done:  # after the help that was asked for
        raise typer.Exit(int(done.code or 0)) from None
    _run(asked, corrections)


def _corrections(given: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Options that the original does not have, and the arguments without them."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    for flag in (*_FLAGS, *_EVALUATION_FLAGS):
        parser.add_argument(flag, action="store_true")
    for option, (value, _) in _CHOICES.items():
        parser.add_argument(option, choices=(value,))
    try:
        return parser.parse_known_args(given)
    except argparse.ArgumentTypeError as error:
        sys.stdout.write(f"\n{error}\n")
        raise typer.Exit(_FAILED) from None


def _check(corrections: argparse.Namespace, command: str) -> None:
    """Refuse corrections that a command has no use for.

    Raises:
        argparse.ArgumentTypeError: one was given.
    """
    idle = [name for name in (*_EVALUATION_FLAGS, *_CHOICES) if getattr(corrections, name[2:].replace("-", "_"))]
    if command == "keywords" and idle:
        message = f"{idle[0]} belongs to eval and evalGen"
        raise argparse.ArgumentTypeError(message)


def _parsers() -> tuple[_Parser, dict[str, _Parser]]:
    """The old tool's parser, and those of its commands by name."""
    both = [f"  {flag:22} {meaning}" for flag, meaning in _FLAGS.items()]
    more = [f"  {flag:22} {meaning}" for flag, meaning in _EVALUATION_FLAGS.items()]
    more += [f"  {f'{option} {value}':22} {meaning}" for option, (value, meaning) in _CHOICES.items()]
    head = "corrections, off by default:"
    example = "Example: keywright inspec eval -g dataset/test -p predictions"
    form = argparse.RawDescriptionHelpFormatter
    about = "Stands in for evalHulth2003, the scorer of Inspec (Hulth 2003)."
    parser = _Parser(prog="keywright inspec", description=about, epilog=example, formatter_class=form)
    parser.set_defaults(command=None)
    kinds = parser.add_subparsers()
    commands = {}
    for name, what, gold in (
        ("keywords", "Select the gold phrases that stand in the text.", ""),
        ("eval", "Evaluate extraction: gold of *.uncontr_in files.", "*.uncontr_in"),
        ("evalGen", "Evaluate generation: gold of *.uncontr files.", "*.uncontr"),
    ):
        notes = "\n".join([head, *both, *(more if gold else ()), "", example])
        one = kinds.add_parser(name, help=what, description=what, epilog=notes, formatter_class=form)
        one.set_defaults(command=name)
        if gold:
            one.add_argument("-g", "--groundTruth", required=True, help=f"folder of {gold} files")
            one.add_argument("-p", "--predicted", required=True, help="folder of *.res files, a phrase a line")
        else:
            one.add_argument("-d", "--data", required=True, help="folder of *.abstr and *.uncontr files")
            one.add_argument("-r", "--results", required=True, help="folder that gets the *.uncontr_in files")
        commands[name] = one
    return parser, commands


def _run(asked: argparse.Namespace, corrections: argparse.Namespace) -> None:
    """Do what was asked; errors are one line on standard error, and exit code 1, as everything that fails has there."""
    from keywright.core.errors import KeywrightError  # noqa: PLC0415 - help does without

    selecting = asked.command == "keywords"
    task = _selection(asked, corrections) if selecting else _evaluation(asked, corrections)
    try:
        with progress("selecting" if selecting else "evaluating", quiet=False) as tell:
            text = _done(task, tell)
    except (KeywrightError, OSError) as error:
        sys.stderr.write(f"{error}\n".encode("utf-8", "backslashreplace").decode())
        raise typer.Exit(_FAILED) from None
    sys.stdout.write(text)
    for warning in task.warnings:
        sys.stderr.write(f"{warning}\n".encode("utf-8", "backslashreplace").decode())


def _done(task: "Evaluation | Selection", tell: Callable[[int, int | None], None]) -> str:
    """What goes to standard output."""
    from keywright.evaluation.reference.hulth2003_keywords import Selection  # noqa: PLC0415 - help does without

    if isinstance(task, Selection):
        task.write(tell)
        return ""
    return task.text(tell)


def _evaluation(asked: argparse.Namespace, given: argparse.Namespace) -> "Evaluation":
    from keywright.evaluation.reference.hulth2003 import Evaluation, Schemes  # noqa: PLC0415 - help does without

    schemes = Schemes(
        modern=given.modern,
        recall_of_gold=given.part_of_recall is not None,
        require_documents=given.require_documents,
        fixed=given.format is not None,
    )
    return Evaluation(asked.groundTruth, asked.predicted, _GOLD[asked.command], _reading(given), schemes)


def _selection(asked: argparse.Namespace, given: argparse.Namespace) -> "Selection":
    from keywright.evaluation.reference.hulth2003_keywords import Selection  # noqa: PLC0415 - help does without

    return Selection(asked.data, asked.results, _reading(given), require_documents=given.require_documents)


def _reading(given: argparse.Namespace) -> Any:
    from keywright.evaluation.reference.hulth2003_files import Reading  # noqa: PLC0415 - help does without

    return Reading(
        glob_folders=given.glob_folders,
        strip_bom=given.strip_bom,
        collapse_space=given.collapse_space,
        skip_blank=given.skip_blank,
        missing_empty=given.missing is not None,
    )
