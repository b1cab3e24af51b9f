"""keywright inspec: drop-in replacement for evalHulth2003, with its option parser.

Old options may be shortened to a unique prefix, with the value attached. Options that fix a bug are removed first, by
their full names only, so that they make no old prefix ambiguous.
"""

import argparse
import sys
from typing import Final, NoReturn

import typer

from keywright.faces.cli.options import declare
from keywright.faces.cli.printing import show_progress

_FAILED: Final = 1  # status of the original after any error
_FLAGS: Final = {
    "--strip-bom": "drop a byte order mark at the start of a file",
    "--glob-folders": "read folder names as patterns, as the original does",
    "--require-documents": "fail if there is no document, in place of zeros",
}
_EVALUATION_FLAGS: Final = {
    "--skip-blank": "skip empty lines of .res files",
    "--collapse-space": "read white space inside a prediction as one blank",
    "--modern": "use modern tokens, lemmas and stems",
}
_CHOICES: Final = {
    "--missing": ("empty", "read a missing .res file as no predictions"),
    "--part-of-recall": ("gold", "count gold phrases that hold a prediction in part-of recall"),
    "--format": ("fixed", "print six decimals"),
}
_GOLD: Final = {"eval": "uncontr_in", "evalGen": "uncontr"}


class _Parser(argparse.ArgumentParser):
    """Parser that raises exceptions."""

    def error(self, message: str) -> NoReturn:
        """Raise the message as an exception."""
        raise argparse.ArgumentTypeError(message)


@declare("keywright inspec eval -g dataset/test -p predictions")
def inspec(context: typer.Context) -> None:
    """Print the output of evalHulth2003: eval, evalGen, keywords. Exits with status 1 where that tool fails."""
    fixes, rest = _parse_fixes(context.args)
    parser, commands = _make_parsers()
    if not rest:
        sys.stdout.write(parser.format_help())
        raise typer.Exit(_FAILED)
    try:
        options = parser.parse_args(rest)
        if options.command is None:
            parser.error("expected a command: eval, evalGen or keywords")
        _check(fixes, options.command)
    except argparse.ArgumentTypeError as error:
        shown = commands[rest[0]].format_help() if rest[0] in commands else ""
        sys.stdout.write(f"{shown}\n{error}\n")
        raise typer.Exit(_FAILED) from None
    except SystemExit as done:  # after printing help
        raise typer.Exit(int(done.code or 0)) from None
    _run(options, fixes)


def _parse_fixes(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Return the options that the original does not have, and the arguments without them."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    for flag in (*_FLAGS, *_EVALUATION_FLAGS):
        parser.add_argument(flag, action="store_true")
    for option, (value, _) in _CHOICES.items():
        parser.add_argument(option, choices=(value,))
    try:
        return parser.parse_known_args(arguments)
    except argparse.ArgumentTypeError as error:
        sys.stdout.write(f"\n{error}\n")
        raise typer.Exit(_FAILED) from None


def _check(fixes: argparse.Namespace, command: str) -> None:
    """Check that fixes apply to the command.

    Raises:
        argparse.ArgumentTypeError: one does not.
    """
    idle = [name for name in (*_EVALUATION_FLAGS, *_CHOICES) if getattr(fixes, name[2:].replace("-", "_"))]
    if command == "keywords" and idle:
        message = f"{idle[0]} belongs to eval and evalGen"
        raise argparse.ArgumentTypeError(message)


def _make_parsers() -> tuple[_Parser, dict[str, _Parser]]:
    """Return the old tool's parser, and the parsers of its commands by name."""
    both = [f"  {flag:22} {meaning}" for flag, meaning in _FLAGS.items()]
    more = [f"  {flag:22} {meaning}" for flag, meaning in _EVALUATION_FLAGS.items()]
    more += [f"  {f'{option} {value}':22} {meaning}" for option, (value, meaning) in _CHOICES.items()]
    head = "fixes, off by default:"
    example = "Example: keywright inspec eval -g dataset/test -p predictions"
    form = argparse.RawDescriptionHelpFormatter
    about = "Drop-in replacement for evalHulth2003, the scorer of Inspec (Hulth 2003)."
    parser = _Parser(prog="keywright inspec", description=about, epilog=example, formatter_class=form)
    parser.set_defaults(command=None)
    kinds = parser.add_subparsers()
    commands = {}
    for name, purpose, gold in (
        ("keywords", "Select the gold phrases that occur in the text.", ""),
        ("eval", "Evaluate extraction, with the gold of *.uncontr_in files.", "*.uncontr_in"),
        ("evalGen", "Evaluate generation, with the gold of *.uncontr files.", "*.uncontr"),
    ):
        notes = "\n".join([head, *both, *(more if gold else ()), "", example])
        command = kinds.add_parser(name, help=purpose, description=purpose, epilog=notes, formatter_class=form)
        command.set_defaults(command=name)
        if gold:
            command.add_argument("-g", "--groundTruth", required=True, help=f"folder of {gold} files")
            command.add_argument("-p", "--predicted", required=True, help="folder of *.res files, one phrase per line")
        else:
            command.add_argument("-d", "--data", required=True, help="folder of *.abstr and *.uncontr files")
            command.add_argument("-r", "--results", required=True, help="folder to write *.uncontr_in files to")
        commands[name] = command
    return parser, commands


def _run(options: argparse.Namespace, fixes: argparse.Namespace) -> None:
    """Run the command; every error is one line on standard error and exit status 1, as in the original."""
    from keywright import api  # noqa: PLC0415 - help does without
    from keywright.core.errors import KeywrightError  # noqa: PLC0415 - help does without

    reading = {name: getattr(fixes, name) for name in ("glob_folders", "strip_bom", "collapse_space", "skip_blank")}
    reading["missing_empty"] = fixes.missing is not None
    try:
        if options.command == "keywords":
            required = fixes.require_documents
            selection = api.hulth_keywords(options.data, options.results, reading, require_documents=required)
            with show_progress("selecting", quiet=False) as tell:
                selection.write(tell)
            warnings = selection.warnings
        else:
            schemes = {"modern": fixes.modern, "require_documents": fixes.require_documents}
            schemes |= {"recall_of_gold": fixes.part_of_recall is not None, "fixed": fixes.format is not None}
            ending = _GOLD[options.command]
            evaluation = api.hulth_evaluation(options.groundTruth, options.predicted, ending, reading, schemes)
            with show_progress("evaluating", quiet=False) as tell:
                text = evaluation.text(tell)
            sys.stdout.write(text)
            warnings = evaluation.warnings
    except (KeywrightError, OSError) as error:
        sys.stderr.write(f"{error}\n".encode("utf-8", "backslashreplace").decode())
        raise typer.Exit(_FAILED) from None
    for warning in warnings:
        sys.stderr.write(f"{warning}\n".encode("utf-8", "backslashreplace").decode())
