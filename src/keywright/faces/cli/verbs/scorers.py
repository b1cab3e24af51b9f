"""Drop-in replacements for the scorers of Inspec (evalHulth2003), SemEval-2010 Task 5 and keyphrase generation.

The options of evalHulth2003 may be shortened to a unique prefix, with the value attached. Options that fix a bug are
removed first, by their full names only, so that they make no old prefix ambiguous. The options of the usual script of
keyphrase generation begin with one hyphen and are parsed as that script parses them; others begin with two.
"""

import argparse
import enum
import sys
from pathlib import Path
from typing import Annotated, Final, Literal, NoReturn

import typer

from keywright import api
from keywright.core.errors import BadParameter, KeywrightError
from keywright.core.word_lists import read_pairs
from keywright.faces.cli.options import declare
from keywright.faces.cli.printing import Console, open_output, print_json

_FAILED: Final = 1  # status of the Inspec tool after any error
_FLAGS, _EVALUATION_FLAGS, _SWITCHES = (
    read_pairs("faces/cli/switches.txt", name) for name in ("FLAGS", "EVALUATION_FLAGS", "SWITCHES")
)
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
        idle = [name for name in (*_EVALUATION_FLAGS, *_CHOICES) if getattr(fixes, name[2:].replace("-", "_"))]
        if options.command == "keywords" and idle:
            parser.error(f"{idle[0]} belongs to eval and evalGen")
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
    reading = {name: getattr(fixes, name) for name in ("glob_folders", "strip_bom", "collapse_space", "skip_blank")}
    reading["missing_empty"] = fixes.missing is not None
    try:
        if options.command == "keywords":
            required = fixes.require_documents
            selection = api.hulth_keywords(options.data, options.results, reading, require_documents=required)
            with Console().progress("selecting") as tell:
                selection.write(tell)
            warnings = selection.warnings
        else:
            schemes = {"modern": fixes.modern, "require_documents": fixes.require_documents}
            schemes |= {"recall_of_gold": fixes.part_of_recall is not None, "fixed": fixes.format is not None}
            ending = _GOLD[options.command]
            evaluation = api.hulth_evaluation(options.groundTruth, options.predicted, ending, reading, schemes)
            with Console().progress("evaluating") as tell:
                text = evaluation.text(tell)
            sys.stdout.write(text)
            warnings = evaluation.warnings
    except (KeywrightError, OSError) as error:
        sys.stderr.write(f"{error}\n".encode("utf-8", "backslashreplace").decode())
        raise typer.Exit(_FAILED) from None
    for warning in warnings:
        sys.stderr.write(f"{warning}\n".encode("utf-8", "backslashreplace").decode())


class Dedup(enum.StrEnum):
    """Lists from which repeated phrases are dropped."""

    CANDIDATES = "candidates"
    GOLD = "gold"


@declare(
    "keywright semeval score answers.txt --gold test_answer --strict",
    short_lists="Let lists shorter than a cutoff count with the phrases they have.",
    alternatives="Accept all alternatives of a gold entry, not only the first two.",
)
def score_semeval(  # noqa: PLR0913 - one argument for each option
    answers: Annotated[Path | None, "ANSWERS | File of answers, one line per document: id : a,b,c"] = None,
    *,
    gold: Annotated[Path, "DIR | Folder of test.author.final, test.reader.final ..."] = Path(),
    strict: Annotated[bool, "Reproduce the script bug for bug, including its crashes."] = False,
    short_lists: Literal["count"] | None = None,
    dedup: Annotated[list[Dedup] | None, "Drop repeated phrases of candidates or gold; may be given twice."] = None,
    alternatives: Literal["all"] | None = None,
    documents: Annotated[Literal["auto"] | None, "Divide by the number of documents in the gold, not by 100."] = None,
    exact_f: Annotated[bool, "Compute F from P and R before they are rounded."] = False,
    raw_bytes: Annotated[bool, "Keep byte order marks and carriage returns, as the script does."] = False,
    strict_errors: Annotated[bool, "Fail where the script crashes."] = False,
) -> None:
    """Print the output of the official script, byte for byte; options fix its known bugs. Failure has status 1."""
    drop = dedup or ()
    options = {
        "short_lists": short_lists,
        "dedup_candidates": Dedup.CANDIDATES in drop,
        "dedup_gold": Dedup.GOLD in drop,
        "alternatives": alternatives,
        "documents": documents,
        "exact_f": exact_f,
        "raw_bytes": raw_bytes,
        "strict_errors": strict_errors,
    }
    output = api.semeval_text(answers, gold, [name for name, value in options.items() if value], strict=strict)
    sys.stdout.flush()
    sys.stdout.buffer.write(output.text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    for message in output.messages:
        sys.stderr.write(message.encode("utf-8", "backslashreplace").decode() + "\n")
    raise typer.Exit(output.status)


_SCRIPT_FILES: Final = ("src", "trg", "pred")
_WITHOUT_EFFECT: Final = ("debug", "reverse_sorting")
_NAMES_WITHOUT_EFFECT: Final = ("exp", "filtered_pred_path")  # all files go to -exp_path and nowhere else
_CUTOFFS: Final = ("all_ks", "present_ks", "absent_ks")


class _ScriptParser(argparse.ArgumentParser):
    """Parser that raises errors of keywright."""

    def error(self, message: str) -> NoReturn:
        """Raise ``BadParameter``, which the guard around the verb prints."""
        raise BadParameter(message, "the script's options: keywright kpg score --help")


@declare(
    "keywright kpg score -src src.txt -trg trg.txt -pred pred.txt -exp_path scores",
    convention="Whose numbers to print (default: those of the usual script, with its files).",
    empty_line="Read an empty line as one empty phrase, as the script does, or as none.",
)
def score_kpg(  # noqa: PLR0913 - one argument for each option
    context: typer.Context,
    *,
    convention: Literal["meng", "kpeval-exact", "kpeval-approximate"] | None = None,
    tokenizer: Annotated[Literal["split", "split_nopunc"], "Tokenizer of --convention meng."] = "split",
    k_list: Annotated[str, "Cutoffs of --convention kpeval-exact."] = "5,10,M,O",
    require_same_length: Annotated[bool, "Fail if the files differ in length, in place of cutting them."] = False,
    one_word_limit: Annotated[
        int,
        typer.Option("--one-word-limit", min=0, help="Number of one-word predictions that the one-word filter keeps."),
    ] = 1,
    empty_line: Literal["phrase", "none"] = "phrase",
    console: Console,
) -> None:
    """Score files of lines: -src F (title <eos> text), -trg F and -pred F (phrases separated by semicolons).

    The script's options, with one hyphen: -exp_path DIR (where its files go), -num_preds N, -all_ks K..., -present_ks
    K..., -absent_ks K... (numbers, M, G), -disable_extra_one_word_filter, -disable_valid_filter, -invalidate_unk,
    -match_by_str, -target_separated, -prediction_separated, -target_already_stemmed, -meng_rui_precision,
    -use_name_variations, -tune_f1_v, -export_filtered_pred. Its -exp, -filtered_pred_path, -debug and -reverse_sorting
    are accepted and have no effect. This is protocol kpg-strict.
    """
    options = _parse_script_options(context.args)
    lines = api.read_parallel(options.src, options.trg, options.pred, same_length=require_same_length)
    if lines.cut and not console.quiet:
        sys.stderr.write(f"the last {lines.cut} lines of the longest file were left out: files differ in length\n")
    if convention is None:
        values = {name: getattr(options, name) for name in _SWITCHES} | {"num_preds": options.num_preds}
        for name in _CUTOFFS:
            if (texts := getattr(options, name)) is not None:
                values[name] = tuple(api.cutoff(text, f"-{name}") for text in texts)
        values |= {"one_word_limit": one_word_limit, "empty_phrases": empty_line == "phrase"}
        numbers, files = api.kpg_files(lines, options.exp_path, values)
        log = "".join(text for name, text in files.items() if name.endswith(".txt") and "filtered" not in name)
    else:
        numbers = api.kpg_convention(lines, convention, tokenizer, k_list)
        log = "".join(f"{name}\t{value}\n" for name, value in numbers.items())
    if console.json:
        print_json(numbers)
    elif convention or not console.quiet:
        with open_output(None) as file:
            file.write(log)


def _parse_script_options(arguments: list[str]) -> argparse.Namespace:
    parser = _ScriptParser(prog="keywright kpg score", add_help=False)
    for name in _SCRIPT_FILES:
        parser.add_argument(f"-{name}", f"-{name}_file_path", dest=name, type=Path, required=True)
    parser.add_argument("-exp_path", type=Path, default=Path())
    parser.add_argument("-num_preds", type=int, default=200)
    for name in _CUTOFFS:
        parser.add_argument(f"-{name}", nargs="+")
    for name in (*_SWITCHES, *_WITHOUT_EFFECT):
        parser.add_argument(f"-{name}", action="store_true")
    for name in _NAMES_WITHOUT_EFFECT:
        parser.add_argument(f"-{name}")
    options = parser.parse_args(arguments)
    if options.num_preds < 1:
        parser.error(f"-num_preds {options.num_preds}: expected a number from 1")
    return options
