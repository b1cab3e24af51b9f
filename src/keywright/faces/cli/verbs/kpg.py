"""keywright kpg: stands in for the evaluation scripts of keyphrase generation.

The usual script's options begin with one hyphen and are read as that script reads them; ours begin with two.
"""

import argparse
import enum
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer

from keywright.core.errors import BadParameter
from keywright.faces.cli.guard import guarded
from keywright.faces.cli.options import Json, Quiet
from keywright.faces.cli.printing import opened, print_json

if TYPE_CHECKING:
    from keywright.evaluation.measures.measure import Cutoff
    from keywright.evaluation.reference.chan2019 import Options
    from keywright.evaluation.reference.parallel_files import Parallel

_FILES: Final = ("src", "trg", "pred")
_SWITCHES: Final = {
    "disable_extra_one_word_filter": "keep more than the first prediction of one word",
    "disable_valid_filter": "keep predictions with a comma or full stop",
    "invalidate_unk": "drop predictions with <unk>",
    "match_by_str": "present phrases are part of the text letter by letter",
    "target_separated": "gold is divided by <peos>",
    "prediction_separated": "predictions are divided by <peos>, which goes",
    "target_already_stemmed": "do not stem the gold",
    "meng_rui_precision": "precision divides by the length of lists shorter than k",
    "use_name_variations": "gold phrases are a|b",
    "tune_f1_v": "look for the best k from 1 to 19",
    "export_filtered_pred": "write the predictions that were scored",
}
_WITHOUT_EFFECT: Final = ("debug", "reverse_sorting")
_NAMES_WITHOUT_EFFECT: Final = ("exp", "filtered_pred_path")  # all files go to -exp_path and nowhere else
_CUTOFFS: Final = ("all_ks", "present_ks", "absent_ks")

app = typer.Typer(
    help="Stands in for the evaluation scripts of keyphrase generation.",
    epilog="Example: keywright kpg score -src src.txt -trg trg.txt -pred pred.txt -exp_path scores",
)


class Convention(enum.StrEnum):
    """Whose numbers; without one, those and the files of the usual script."""

    MENG = "meng"
    KPEVAL_EXACT = "kpeval-exact"
    KPEVAL_APPROXIMATE = "kpeval-approximate"


class TokenizerName(enum.StrEnum):
    """How Meng's convention cuts text."""

    SPLIT = "split"
    SPLIT_NOPUNC = "split_nopunc"


class EmptyLine(enum.StrEnum):
    """What an empty line stands for."""

    PHRASE = "phrase"
    NONE = "none"


class _Parser(argparse.ArgumentParser):
    """Parser whose complaints are errors like all others."""

    def error(self, message: str) -> NoReturn:
        """Complain to the guard around the verb."""
        raise BadParameter(message, "the script's options: keywright kpg score --help")


@app.callback()
def kpg() -> None:
    """Stands in for the evaluation scripts of keyphrase generation."""


def score(  # noqa: PLR0913 - options of the command line, one parameter each
    context: typer.Context,
    *,
    convention: Annotated[
        Convention | None, typer.Option("--convention", help="Whose numbers; else the usual script's, with its files.")
    ] = None,
    tokenizer: Annotated[
        TokenizerName, typer.Option("--tokenizer", help="How --convention meng cuts text.")
    ] = TokenizerName.SPLIT,
    k_list: Annotated[str, typer.Option("--k-list", help="Cutoffs of --convention kpeval-exact.")] = "5,10,M,O",
    require_same_length: Annotated[
        bool, typer.Option("--require-same-length", help="Files of different length are an error, not cut.")
    ] = False,
    one_word_limit: Annotated[
        int, typer.Option("--one-word-limit", min=0, help="Predictions of one word that stay, where that filter is on.")
    ] = 1,
    empty_line: Annotated[
        EmptyLine, typer.Option("--empty-line", help="An empty line is one empty phrase, as in the script, or none.")
    ] = EmptyLine.PHRASE,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score line files: -src F (title <eos> text), -trg F and -pred F (phrases between semicolons).

    The script's options, with one hyphen: -exp_path DIR (where its files go), -num_preds N, -all_ks K..., -present_ks
    K..., -absent_ks K... (numbers, M, G), -disable_extra_one_word_filter, -disable_valid_filter, -invalidate_unk,
    -match_by_str, -target_separated, -prediction_separated, -target_already_stemmed, -meng_rui_precision,
    -use_name_variations, -tune_f1_v, -export_filtered_pred. Its -exp, -filtered_pred_path, -debug and -reverse_sorting
    are taken and change nothing. This is protocol kpg-strict.
    """
    from keywright.evaluation.reference.parallel_files import read_parallel  # noqa: PLC0415 - numpy, not for --help

    asked = _parsed(context.args)
    lines = read_parallel(asked.src, asked.trg, asked.pred, same_length=require_same_length)
    if lines.cut and not quiet:
        sys.stderr.write(f"the last {lines.cut} lines of the longest file were left out: files differ in length\n")
    if convention is None:
        corrections = {"one_word_limit": one_word_limit, "empty_phrases": empty_line is EmptyLine.PHRASE}
        _stand_in(lines, asked, corrections, machine=json, quiet=quiet)
        return
    values = _values(lines, convention, tokenizer, k_list)
    if json:
        print_json(values)
        return
    with opened(None) as file:
        file.writelines(f"{name}\t{value}\n" for name, value in values.items())


def _values(lines: "Parallel", convention: Convention, tokenizer: TokenizerName, k_list: str) -> dict[str, float]:
    """The numbers of a convention, by the names that its tool gives them."""
    from keywright.evaluation.reference.kpeval import approximate_summary, exact_summary  # noqa: PLC0415 - numpy
    from keywright.evaluation.reference.meng2017 import Tokenizer, meng_summary  # noqa: PLC0415 - numpy

    match convention:
        case Convention.MENG:
            return meng_summary(lines, Tokenizer(tokenizer.value))
        case Convention.KPEVAL_EXACT:
            return exact_summary(lines, tuple(_cutoff(k, "--k-list") for k in k_list.split(",")))
        case Convention.KPEVAL_APPROXIMATE:
            return approximate_summary(lines)


def _stand_in(
    lines: "Parallel", asked: argparse.Namespace, corrections: dict[str, Any], *, machine: bool, quiet: bool
) -> None:
    """Write what the script writes, into its folder and nowhere else; tell the numbers."""
    from keywright.core.writing import check_folder, whole_file  # noqa: PLC0415 - as light as the verbs beside it
    from keywright.evaluation.reference.chan2019 import chan_scores  # noqa: PLC0415 - numpy
    from keywright.evaluation.reference.chan2019_files import chan_files, means  # noqa: PLC0415 - numpy

    options = _options(asked, corrections)
    check_folder(asked.exp_path)
    scores = chan_scores(lines, options)
    files = chan_files(scores, options)
    asked.exp_path.mkdir(exist_ok=True)
    for name, content in files.items():
        with whole_file(asked.exp_path / name) as file:
            file.write(content)
    if machine:
        print_json(means(scores, options))
    elif not quiet:
        told = [content for name, content in files.items() if name.endswith(".txt") and "filtered" not in name]
        with opened(None) as file:
            file.writelines(told)


def _options(asked: argparse.Namespace, corrections: dict[str, Any]) -> "Options":
    """The script's options as the evaluator takes them."""
    from keywright.evaluation.reference.chan2019 import Options  # noqa: PLC0415 - numpy

    given = {name: getattr(asked, name) for name in _SWITCHES} | corrections
    for name in _CUTOFFS:
        if (cutoffs := getattr(asked, name)) is not None:
            given[name] = tuple(_cutoff(k, f"-{name}") for k in cutoffs)
    return Options(num_preds=asked.num_preds, **given)


def _cutoff(given: str, option: str) -> "Cutoff":
    """A number from 1, or one of the letters.

    Raises:
        BadParameter: it is neither.
    """
    if given in (("M", "O") if option.startswith("--") else ("M", "G")):
        return given
    if given.isascii() and given.isdecimal() and int(given):
        return int(given)
    raise BadParameter(f"{option} {given}", "a cutoff is a number from 1, M, G (of the script) or O (of --k-list)")


def _parsed(given: list[str]) -> argparse.Namespace:
    """The script's options, read as it reads them."""
    parser = _Parser(prog="keywright kpg score", add_help=False)
    for name in _FILES:
        parser.add_argument(f"-{name}", f"-{name}_file_path", dest=name, type=Path, required=True)
    parser.add_argument("-exp_path", type=Path, default=Path())
    parser.add_argument("-num_preds", type=int, default=200)
    for name in _CUTOFFS:
        parser.add_argument(f"-{name}", nargs="+")
    for name in (*_SWITCHES, *_WITHOUT_EFFECT):
        parser.add_argument(f"-{name}", action="store_true")
    for name in _NAMES_WITHOUT_EFFECT:
        parser.add_argument(f"-{name}")
    asked = parser.parse_args(given)
    if asked.num_preds < 1:
        parser.error(f"-num_preds {asked.num_preds}: expected a number from 1")
    return asked


# The script's long options have one hyphen, in which -h would be found.
app.command(
    "score",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": ["--help"]},
    epilog="Example: keywright kpg score -src src.txt -trg trg.txt -pred pred.txt -exp_path scores",
)(guarded(score))
