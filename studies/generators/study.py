"""Learning curves of tiny generators, as published and with each help, at equal numbers of labelled documents.

All see the same documents in the same order; a generator that was trained before on texts without keyphrases has seen
those as well. Documents are of the training mix, and so are those of the validation: no test set is read.
"""

import itertools
import statistics
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.atomic_files import cache_folder
from keywright.core.errors import needs_extra, unknown_name
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.datasets.collection import load
from keywright.experiments.study import Plot, Study, TableRow, format_decimal, run_units
from studies import plots
from studies.cached import cached, code_digest
from studies.tables import lay_out_rows, list_uniform_records

DATA: Final = "train_mix/author"
DOCUMENTS: Final = 4_000  # labelled documents, each seen at most once
VALIDATION: Final = 100  # documents behind them, that F1 is measured on
TEXTS: Final = 2_000  # documents behind those, whose keyphrases are not read
SEEDS: Final = (27, 527, 9527)  # seeds of Ye et al. 2021
STEPS, TEXT_STEPS, EVERY = 240, 120, 80  # steps of sixteen documents, and steps between validations: minutes for each
HELPS: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "one2seq": {
        "as published": {},
        "token shift": {"token_shift": True},
        "title phrases first": {"before": "titles"},
        "denoising first": {"before": "denoising"},
    },
    "one2set": {
        "as published": {},
        "token shift": {"token_shift": True},
        "title phrases first": {"before": "titles"},
    },
    "bart": {
        "as published": {},
        "copying pieces": {"copy_pieces": True},
        "copying pieces, title phrases first": {"copy_pieces": True, "before": "titles"},
    },
    "t5": {"as published": {}, "copying pieces": {"copy_pieces": True}},
}
"""Options of the recipe by help; ``before`` is the objective of a training on texts before."""

Unit: TypeAlias = tuple[str, str, int]
"""A generator, a help, and a seed."""


@dataclass(frozen=True, slots=True)
class CurvePoint(TableRow):
    """A point of a learning curve: F1 of the whole list of present keyphrases, 0 to 1, over ``seeds`` trainings.

    ``loss`` is of a target token, ``texts`` the documents seen before, without keyphrases.
    """

    system: str
    help: str
    documents: int
    texts: int
    seeds: int
    value: float
    least: float
    most: float
    loss: float


def compute_rows(
    systems: Collection[str] | None = None, *, progress: Progress | None = None, jobs: int | None = None
) -> tuple[CurvePoint, ...]:
    """Train every generator with every help; finished trainings are kept among the user's cached files.

    Raises:
        MissingData: the training mix is not on this machine.
        MissingExtra: torch is not installed.
    """
    for name in systems or ():
        if name not in HELPS:
            raise unknown_name("generator", name, tuple(HELPS), "python -m studies generator-help")
    names = [(name, help_) for name in HELPS for help_ in HELPS[name] if not systems or name in systems]
    units = [(*pair, seed) for pair in names for seed in SEEDS]
    curves: dict[tuple[str, str], list[list[dict[str, float]]]] = {}
    for (name, help_, _), points in run_units(train_once, units, progress, jobs):
        curves.setdefault((name, help_), []).append(points)
    return tuple(
        _make_point(name, help_, [curve[place] for curve in several])
        for (name, help_), several in curves.items()
        for place in range(len(several[0]))
    )


def train_once(unit: Unit) -> list[dict[str, float]]:
    """Return the validations of a training."""
    code = code_digest("studies.generators.study.train_generator")
    result = cached(cache_folder("generator-help"), (unit, code), lambda: {"points": train_generator(unit)})
    points: list[dict[str, float]] = result["points"]
    return points


def train_generator(unit: Unit, *, steps: int = STEPS, every: int = EVERY) -> list[dict[str, float]]:
    """Train a tiny generator on texts if its help is one, then on keyphrases; return the validations."""
    with needs_extra("neural", "training a generator needs torch"):
        import torch  # noqa: PLC0415 - heavy

        from keywright.neural.training.fitting import make_new_generator  # noqa: PLC0415 - heavy
        from keywright.neural.training.loop import Training  # noqa: PLC0415 - heavy
        from keywright.neural.training.recipe import find_profile  # noqa: PLC0415 - heavy
    torch.set_num_threads(1)
    name, help_, seed = unit
    options = dict(HELPS[name][help_])
    before = options.pop("before", None)
    profile = find_profile(name, "tiny")
    recipe = replace(profile.recipe, steps=steps, validate_every=every, seed=seed, **options)
    labelled, held_out = _read_examples()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        model = make_new_generator(name, replace(profile, recipe=recipe), labelled, folder, "help")
        if before is not None:
            texts, count = _read_texts(before), TEXT_STEPS * steps // STEPS
            first = recipe.with_values({"objective": before, "steps": count, "validate_every": count})
            Training(model, first, texts, texts[:VALIDATION], folder / "before", "before").run()
        progressed = Training(model, recipe, labelled, held_out, folder / "after", "after").run()
    return [{**each, "documents": each["step"] * recipe.batch} for each in progressed.validations]


@cache
def _read_examples() -> tuple[list[Any], list[Any]]:
    """Return the labelled documents, and those of the validation."""
    from keywright.neural.data.examples import make_examples  # noqa: PLC0415 - stems
    from keywright.neural.training.recipe import find_profile  # noqa: PLC0415 - heavy

    examples = make_examples(load(DATA), find_profile("one2seq", "tiny").limits, long_documents="cut")
    every = list(itertools.islice(examples, DOCUMENTS + VALIDATION))
    return every[:DOCUMENTS], every[DOCUMENTS:]


@cache
def _read_texts(objective: Any) -> list[Any]:
    """Return examples of texts, of documents that are not among the labelled ones."""
    from keywright.neural.data.examples import Preparation  # noqa: PLC0415 - heavy
    from keywright.neural.training.example_sources import ExampleSources, GuardedSets  # noqa: PLC0415 - heavy
    from keywright.neural.training.recipe import find_profile  # noqa: PLC0415 - heavy

    labelled_ids = {example.id for part in _read_examples() for example in part}
    sources = ExampleSources((load(DATA),), None, GuardedSets((), ()), objective)
    examples = sources.make(sources.training, find_profile("one2seq", "tiny").limits, Preparation())
    return list(itertools.islice((example for example in examples if example.id not in labelled_ids), TEXTS))


def _make_point(name: str, help_: str, seeds: Sequence[Mapping[str, float]]) -> CurvePoint:
    values = [each["present/F@M"] for each in seeds]
    loss = statistics.mean(each["loss"] for each in seeds)
    numbers = (statistics.mean(values), min(values), max(values), loss)
    texts = 16 * TEXT_STEPS if "before" in HELPS[name][help_] else 0
    return CurvePoint(name, help_, int(seeds[0]["documents"]), texts, len(seeds), *(round(each, 4) for each in numbers))


_COLUMNS: Final = {
    "system": lambda row: row.system,
    "help": lambda row: row.help,
    "labelled documents": lambda row: str(row.documents),
    "texts before": lambda row: str(row.texts or ""),
    "F1@M": lambda row: format_decimal(row.value, 3),
    "of three seeds": lambda row: f"{row.least:.3f} to {row.most:.3f}",
    "loss": lambda row: format_decimal(row.loss, 2),
}


def lay_out_curves(rows: Sequence[CurvePoint]) -> Iterator[Table]:
    """Yield the last point of each curve as a table, then all points."""
    last = {(row.system, row.help): row for row in rows}
    words = ("system", "help")
    yield lay_out_rows("F1@M of present keyphrases at the end of each training.", last.values(), _COLUMNS, words)
    yield lay_out_rows("F1@M of present keyphrases over the documents seen.", rows, _COLUMNS, words)


def draw_curves(rows: Sequence[CurvePoint]) -> Iterator[Plot]:
    """Yield a plot for each generator."""
    for name in dict.fromkeys(row.system for row in rows):
        helps = dict.fromkeys(row.help for row in rows if row.system == name)
        series = [
            (
                help_,
                [
                    (row.documents, row.value, row.least, row.most)
                    for row in rows
                    if (row.system, row.help) == (name, help_)
                ],
            )
            for help_ in helps
        ]
        title = f"F1@M of present keyphrases by documents seen, {name}, mean and range of three seeds"
        yield Plot(name, title, plots.curves(title, series, name, "F1@M, present keyphrases"), title)


STUDY: Final = Study(
    "generator-help", compute_rows, (CurvePoint,), lay_out_curves, draw_curves, lines=list_uniform_records
)
