"""Published numbers: drop-in replacements for reference scorers, and tables, reproduced."""

from collections import abc
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from keywright.api.generators import train_generator
from keywright.catalogue import TABLES, system_class
from keywright.core.atomic_files import check_folder, whole_file
from keywright.core.errors import BadParameter, UnknownName
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.evaluation import rules
from keywright.evaluation.measures.counts import Cutoff
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_STRICT
from keywright.evaluation.publishing.writing import Publication
from keywright.evaluation.reference import chan2019
from keywright.evaluation.reference.hulth2003 import Evaluation, Reading, Schemes, Selection
from keywright.evaluation.reference.line_files import OfficialText, Parallel, official_text
from keywright.evaluation.reference.meng2017 import Tokenizer, meng_summary
from keywright.experiments import study as publishing
from keywright.experiments.study import Row, Study, make_study, make_table

_SEMEVAL_FIXES: Mapping[str, Mapping[str, Any]] = {
    "short_lists": {"short_list": rules.ShortList.OF_CUTOFF}, "dedup_candidates": {"repeats": rules.Repeats.FIRST},
    "dedup_gold": {"gold_repeats": rules.Repeats.FIRST}, "alternatives": {"alternatives": rules.every},
    "documents": {"documents": rules.Documents.COUNTED}, "exact_f": {"f_from": rules.FScore.EXACT},
    "raw_bytes": {"marks": rules.ByteMarks.KEPT},
    "strict_errors": {"no_gold": rules.NoGold.STOP, "zero_divisor": rules.ZeroDivisor.STOP},
}  # fmt: skip
"""Rules that options of the command line change, by the option's name."""


def semeval_text(answers: Path | None, gold: Path, changes: Sequence[str], *, strict: bool) -> OfficialText:
    """Return the output of SemEval-2010's script for a file or standard input (None), with some rules changed."""
    changed = {rule: value for name in changes for rule, value in _SEMEVAL_FIXES[name].items()}
    return official_text(answers, gold, replace(SEMEVAL2010_STRICT if strict else SEMEVAL2010, **changed))


def kpg_convention(lines: Parallel, convention: str, tokenizer: str, k_list: str) -> dict[str, float]:
    """Return the numbers of ``meng``, ``kpeval-exact`` or ``kpeval-approximate``, under the names of these tools."""
    match convention:
        case "meng":
            return meng_summary(lines, Tokenizer(tokenizer))
        case "kpeval-exact":
            return chan2019.exact_summary(lines, tuple(cutoff(text, "--k-list") for text in k_list.split(",")))
        case _:
            return chan2019.approximate_summary(lines)


def kpg_files(lines: Parallel, folder: Path, options: Mapping[str, Any]) -> tuple[dict[str, float], dict[str, str]]:
    """Write the files of the usual script into a folder; return its numbers, and the content of each file by name."""
    evaluated = chan2019.Options(**options)
    check_folder(folder)
    scores = chan2019.chan_scores(lines, evaluated)
    files = chan2019.chan_files(scores, evaluated)
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        with whole_file(folder / name) as file:
            file.write(content)
    return chan2019.table_means(scores, evaluated), files


def cutoff(text: str, option: str) -> Cutoff:
    """Return a cutoff: a number from 1, or one of the letters that the option takes."""
    if text in (("M", "O") if option.startswith("--") else ("M", "G")):
        return text
    if text.isascii() and text.isdecimal() and int(text):
        return int(text)
    raise BadParameter(f"{option} {text}", "a cutoff is a number from 1, M, G (of the script) or O (of --k-list)")


def hulth_evaluation(
    gold: str, predicted: str, ending: str, reading: Mapping[str, bool], schemes: Mapping[str, bool]
) -> Evaluation:
    """Return the evaluation that evalHulth2003 makes of a folder; ``ending`` is that of the files of gold."""
    return Evaluation(gold, predicted, ending, Reading(**reading), Schemes(**schemes))


def hulth_keywords(data: str, results: str, reading: Mapping[str, bool], *, require_documents: bool) -> Selection:
    """Return the selection of gold phrases that occur in the text, as evalHulth2003 makes it."""
    return Selection(data, results, Reading(**reading), require_documents=require_documents)


_STUDIES: Final = frozenset(
    "arabic-keyphrases arabic-text calibrators default-ablation default-errors default-learning-curve domain everyday "
    "everyday-domains generality generator-combined generator-help generator-helped guarantees language-models "
    "languages quality reader".split()
)
"""Studies of this project; they run from a checkout of the repository only."""


def reproduce(
    table: str,
    systems: abc.Collection[str] | None = None,
    *,
    ablate: bool = False,
    progress: Progress | None = None,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Return a published table beside our numbers, or what each open option is worth (``ablate``)."""
    study, train = _find_study(table), train_generator
    return make_table(study, systems, ablate=ablate, progress=progress, find=system_class, train=train, jobs=jobs)


def describe_wait(name: str, systems: abc.Collection[str] | None = None) -> str:
    """Return how long the rows of a table take, where that is hours, as a fresh machine must know first; else empty."""
    return _find_study(name).wait(systems)


def reproduced_tables(name: str, rows: Sequence[Any]) -> tuple[Table, ...]:
    """Return the rows of ``reproduce`` as tables for people, as the paper prints them where its layout is known."""
    return publishing.lay_out_study(_find_study(name), rows, system_class)


def publish_reproduced(name: str, rows: Sequence[Any], form: str) -> str:
    """Return the rows of ``reproduce`` as ``csv``, ``markdown``, ``latex`` or ``html``."""
    return publishing.publish(_find_study(name), rows, Publication(form), system_class)


def _find_study(name: str) -> Study:
    if name in _STUDIES and name not in TABLES.names():
        raise UnknownName(
            f"{name!r} is a study of this project and not a published table",
            f"run `python -m studies {name}` in a checkout of the repository",
        )
    return make_study(name, TABLES.find(name))
