"""keywright kpg: drop-in replacement for the evaluation scripts of keyphrase generation.

The options of the usual script begin with one hyphen and are parsed as that script parses them; others begin with two.
"""

import argparse
import sys
from pathlib import Path
from typing import Annotated, Final, Literal, NoReturn

import typer

from keywright.core.errors import BadParameter
from keywright.faces.cli.options import declare
from keywright.faces.cli.printing import Console, open_output, print_json

_FILES: Final = ("src", "trg", "pred")
_SWITCHES: Final = {
    "disable_extra_one_word_filter": "keep more than the first prediction of one word",
    "disable_valid_filter": "keep predictions with a comma or full stop",
    "invalidate_unk": "drop predictions with <unk>",
    "match_by_str": "present phrases are part of the text letter by letter",
    "target_separated": "gold is divided by <peos>",
    "prediction_separated": "predictions are divided by <peos>, which is removed",
    "target_already_stemmed": "do not stem the gold",
    "meng_rui_precision": "precision divides by the length of lists shorter than k",
    "use_name_variations": "gold phrases are a|b",
    "tune_f1_v": "look for the best k from 1 to 19",
    "export_filtered_pred": "write the predictions that were scored",
}
_WITHOUT_EFFECT: Final = ("debug", "reverse_sorting")
_NAMES_WITHOUT_EFFECT: Final = ("exp", "filtered_pred_path")  # all files go to -exp_path and nowhere else
_CUTOFFS: Final = ("all_ks", "present_ks", "absent_ks")


class _Parser(argparse.ArgumentParser):
    """Parser that raises errors of keywright."""

    def error(self, message: str) -> NoReturn:
        """Raise ``BadParameter``, which the guard around the verb prints."""
        raise BadParameter(message, "the script's options: keywright kpg score --help")


@declare(
    "keywright kpg score -src src.txt -trg trg.txt -pred pred.txt -exp_path scores",
    convention="Whose numbers to print (default: those of the usual script, with its files).",
    tokenizer="Tokenizer of --convention meng.",
    k_list="Cutoffs of --convention kpeval-exact.",
    require_same_length="Fail if the files differ in length, in place of cutting them.",
    empty_line="Read an empty line as one empty phrase, as the script does, or as none.",
)
def score(  # noqa: PLR0913 - one argument for each option
    context: typer.Context,
    *,
    convention: Literal["meng", "kpeval-exact", "kpeval-approximate"] | None = None,
    tokenizer: Literal["split", "split_nopunc"] = "split",
    k_list: str = "5,10,M,O",
    require_same_length: bool = False,
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
    from keywright import api  # noqa: PLC0415 - help does without

    options = _parse_script_options(context.args)
    lines = api.kpg_lines(options.src, options.trg, options.pred, same_length=require_same_length)
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
    """Return the script's options, parsed as the script parses them."""
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
    options = parser.parse_args(arguments)
    if options.num_preds < 1:
        parser.error(f"-num_preds {options.num_preds}: expected a number from 1")
    return options
