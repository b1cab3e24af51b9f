"""The default combined with a small generator, beside the default alone: would shipping the generator be worth it?

Both lists of each document are combined by every method of ``keywright combine``, the generator's list written greedily
and from a beam or all slots, and differences of F1@5 are measured on two collections that neither learned from. The
meta-ranker learns on validation documents of a third one.
"""

import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import keywright as kw
from keywright.calibration.calibrators.calibrated import calibrated_generator
from keywright.core.choices import CombineMethod
from keywright.core.errors import MissingData, UnreadableInput, unknown_name
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.core.predictions import Run
from keywright.experiments.kpg_predictions import STUDIED
from keywright.experiments.small_generators import find_folder, lengthen_lists
from keywright.experiments.study import Study, TableRow, format_decimal
from keywright.neural.model_folder import CARD
from studies.generators.helped import HELPED, HELPS, MINILM
from studies.tables import lay_out_rows, list_uniform_records

DATASETS: Final = ("krapivin_abstracts/test", "semeval2010_abstracts/test")
LEARNED_FROM: Final = "inspec/validation"
GENERATORS: Final = (*STUDIED, *(name + HELPED for name in HELPS), MINILM)
"""Names of folders: as published, and with helps."""
DEFAULT: Final = "default"
MEASURES: Final = ("present/F@5", "absent/F@5")
LENGTH: Final = 50  # phrases of a list at most, as in the table of small generators


@dataclass(frozen=True, slots=True)
class Difference(TableRow):
    """F1@5 of the default and of a combination, 0 to 1, and their difference with its 95 % interval."""

    system: str
    dataset: str
    method: str
    measure: str
    default: float
    combined: float
    difference: float
    interval: tuple[float, float]


def compute_rows(systems: Collection[str] | None = None, *, progress: Progress | None = None) -> tuple[Difference, ...]:
    """Combine the default with every generator that is trained, or with those named, and compare.

    Raises:
        MissingData: a generator is not trained yet, or a data set is not on this machine.
    """
    for name in systems or ():
        if name not in GENERATORS:
            raise unknown_name("generator", name, GENERATORS, "python -m studies generator-combined")
    folders = {name: find_folder(name) for name in systems or GENERATORS}
    trained = {name: folder for name, folder in folders.items() if (folder / CARD).is_file()}
    missing = [name for name in folders if name not in trained]
    if missing and (systems or not trained):
        hint = "`python -m studies generator-helped`, or `keywright reproduce neural` for those as published, trains it"
        raise MissingData(f"{' and '.join(missing)}: not trained on this machine", f"{hint}, hours of a core")
    rows: list[Difference] = []
    of_default = _write_lists(DEFAULT)
    for done, (name, folder) in enumerate(trained.items()):
        generator = calibrated_generator(folder)
        longer = lengthen_lists(generator)
        variants = {name: generator} | ({f"{name}, {longer[0]}": longer[1]} if longer else {})
        for variant, system in variants.items():
            of_generator = _write_lists(system)
            pairs = {dataset: (run, of_generator[dataset]) for dataset, run in of_default.items()}
            for method in CombineMethod:
                rows += compare_combined(variant, method, pairs)
        if progress:
            progress(done + 1, len(trained))
    return tuple(rows)


def _write_lists(system: Any) -> dict[str, Run]:
    options: Any = {"absent": True} if system == DEFAULT else {}
    return {dataset: kw.run(system, dataset, LENGTH, **options) for dataset in (*DATASETS, LEARNED_FROM)}


def compare_combined(name: str, method: str, pairs: Mapping[str, tuple[Run, Run]]) -> Iterator[Difference]:
    """Yield how a combination differs from the default; ``pairs``: runs of default and generator by data set.

    There is nothing of ``probabilities`` where a phrase has none.
    """
    with tempfile.TemporaryDirectory() as scratch:
        options: dict[str, Any] = {}
        if method == CombineMethod.META_RANKER:
            options["model"] = Path(scratch) / "ranker.json"
            kw.combine(pairs[LEARNED_FROM], method, gold=LEARNED_FROM, save=options["model"])
        for dataset in DATASETS:
            try:
                combined = kw.combine(pairs[dataset], method, texts=dataset, **options)
            except UnreadableInput:
                if method == CombineMethod.PROBABILITIES:
                    return
                raise
            compared = kw.compare({method: combined, DEFAULT: pairs[dataset][0]}, "kpg", dataset)
            values = {run: report.values for run, report in compared.reports.items()}
            for each in compared.differences:
                if each.value in MEASURES:
                    alone, both = (round(values[run][each.value], 4) for run in (DEFAULT, method))
                    interval = round(each.low, 4), round(each.high, 4)
                    difference = round(each.difference, 4)
                    yield Difference(name, dataset, str(method), each.value, alone, both, difference, interval)


_COLUMNS: Final = {
    "generator": lambda row: row.system,
    "collection": lambda row: row.dataset,
    "combined by": lambda row: row.method,
    "measure": lambda row: row.measure,
    "default": lambda row: format_decimal(row.default, 3),
    "combined": lambda row: format_decimal(row.combined, 3),
    "difference": lambda row: f"{row.difference:+.3f}",
    "interval": lambda row: f"{row.interval[0]:+.3f} to {row.interval[1]:+.3f}",
}


def lay_out_differences(rows: Sequence[Difference]) -> Iterator[Table]:
    """Yield the differences as a table."""
    words = ("generator", "collection", "combined by", "measure")
    yield lay_out_rows(
        "F1@5 of the default, of its combination with a generator, and the difference.", rows, _COLUMNS, words
    )


STUDY: Final = Study("generator-combined", compute_rows, (Difference,), lay_out_differences, lines=list_uniform_records)
