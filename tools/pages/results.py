"""Write the pages of results: findings by hand, the main table, and all other tables as CSV beside it.

KEYWRIGHT_MIRROR=... keywright reproduce NAME --json -o benchmarks/results/NAME.json   for published tables
KEYWRIGHT_MIRROR=... python -m studies NAME --json -o benchmarks/results/NAME.json     for studies of this project
python -m tools.pages.results [NAME ...]   writes docs/results/NAME.md, NAME/*.csv and NAME/*.svg (all without names)
python -m tools.pages.results --check      exits with status 1 if they differ

``tools/pages/NAME.md`` has the findings; ``semeval2010`` writes our scores into the package as well.
"""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final

from tools.pages.semeval2010_systems import list_steps
from tools.pages.writing import standalone, write_or_check

from keywright.catalogue import system_class
from keywright.core.pages import Table
from keywright.evaluation.publishing.writing import markdown
from keywright.experiments.kpg_calibration_table import STUDY as KPG_CALIBRATION
from keywright.experiments.semeval2010_table import STUDY as SEMEVAL2010
from keywright.experiments.small_generators import STUDY as NEURAL
from keywright.experiments.study import Plot, Row, Study, lay_out_study
from keywright.experiments.summary_tables import JUDGED, KPEVAL
from studies.catalogue import study
from studies.default.study import ABLATION, ERRORS, LEARNING_CURVE

ROOT: Final = Path(__file__).parents[2]
RESULTS: Final = ROOT / "benchmarks" / "results"
PAGES: Final = ROOT / "docs" / "results"
OURS: Final = ROOT / "src" / "keywright" / "experiments" / "published" / "semeval2010_ours.toml"
MEASURED: Final = ROOT / "src" / "keywright" / "extraction" / "ranking" / "measured_languages.txt"
DEFAULT_STUDY: Final = (ABLATION, LEARNING_CURVE, ERRORS)


def _stored(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text("utf-8"))


@dataclass(frozen=True)
class Page:
    """A page of results.

    Attributes:
        tables: all tables.
        plots: drawings, each a file.
        main: which table the page shows; none where all are long.
    """

    tables: Callable[[], Sequence[Table]]
    plots: Callable[[], Sequence[Plot]] = tuple
    main: int | None = 0


def _page_of(name: str, source: Study, main: int | None = 0, beside: str = "") -> Page:
    """Return the page of a study whose rows are stored under its name, with those stored ``beside`` them."""

    def rows() -> tuple[Any, ...]:
        return source.read([record for file in (name, beside) if file for record in _stored(file)["rows"]])

    return Page(lambda: lay_out_study(source, rows(), system_class), lambda: tuple(source.plots(rows())), main)


def _default_rows() -> Iterator[tuple[Study, tuple[Any, ...]]]:
    stored = _stored("default-study")
    return ((part, part.read(stored[part.name]["rows"])) for part in DEFAULT_STUDY)


def _default_tables() -> list[Table]:
    return [table for part, rows in _default_rows() for table in lay_out_study(part, rows, system_class)]


def _default_plots() -> list[Plot]:
    return [plot for part, rows in _default_rows() for plot in part.plots(rows)]


PUBLISHED: Final = {
    "kpg-calibration": KPG_CALIBRATION,
    "kpeval": KPEVAL,
    "summary-evaluators": JUDGED,
}
STUDIES: Final = (
    "arabic-keyphrases", "arabic-text", "domain", "generality", "generator-help", "language-models",
    "languages", "quality", "reader",
)  # fmt: skip
ALL: Final[Mapping[str, Page]] = {
    **{name: _page_of(name, table) for name, table in PUBLISHED.items()},
    "neural": _page_of("neural", NEURAL, beside="generator-helped"),
    **{name: _page_of(name, study(name)) for name in STUDIES},
    **{name: _page_of(name, study(name), main=None) for name in ("calibrators", "everyday-domains", "guarantees")},
    "semeval2010": _page_of("semeval2010", SEMEVAL2010),
    "semeval2010-systems": Page(lambda: list_steps(_stored("semeval2010-steps")["rows"])),
    "default-study": Page(_default_tables, _default_plots),
}


def page_files(name: str) -> dict[Path, str]:
    """Return the files of a page, by path."""
    page, folder = ALL[name], PAGES / name
    tables, plots = list(page.tables()), list(page.plots())
    files = {folder / f"{plot.name}.svg": standalone(plot.svg) for plot in plots}
    others = [table for position, table in enumerate(tables) if position != page.main]
    files |= {folder / f"{number}.csv": _write_csv(table) for number, table in enumerate(others, 1)}
    source = f"tools/pages/{name}.md and benchmarks/results"
    title, _, findings = (Path(__file__).parent / f"{name}.md").read_text("utf-8").partition("\n")
    parts = [
        title,
        f"\n<!-- Written by tools/pages/results.py from {source}: change those, not this page. -->",
        findings,
    ]
    parts += [markdown(tables[page.main])] if page.main is not None else []
    parts += [f"![{plots[0].title}]({name}/{plots[0].name}.svg)\n"] if plots else []
    if others:
        parts.append("All other tables, as CSV:\n" if page.main is not None else "All tables, as CSV:\n")
        parts += [f"- [{_shorten(table.caption)}]({name}/{number}.csv)" for number, table in enumerate(others, 1)]
    return {PAGES / f"{name}.md": "\n".join(parts).rstrip() + "\n"} | files


def _write_csv(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows([f"{cell.text}{cell.above}" for cell in row] for row in table.rows)
    return text.getvalue()


def _shorten(caption: str) -> str:
    """Return the first sentence or clause of a caption as the text of a link."""
    return (
        caption.partition(". ")[0]
        .partition(": ")[0]
        .rstrip(".")
        .replace("[", "(")
        .replace("]", ")")
        .replace("_", "\\_")
    )


def format_our_scores() -> str:
    """Return F by system and kind of gold, which ``keywright systems NAME`` shows."""
    scores: dict[str, dict[str, list[float]]] = {}
    for row in map(Row.of, _stored("semeval2010")["rows"]):
        whole = row.category is row.variant is None and row.measure.startswith("F@")
        if row.system and row.gold and row.ours is not None and whole:
            scores.setdefault(row.system, {}).setdefault(row.gold, []).append(row.ours)
    lines = ["# Our F in percent at 5, 10 and 15 on the test papers. Written by tools/pages/results.py.", ""]
    for system, golds in scores.items():
        lines += [f"[{system}]", *(f"{gold} = {values}" for gold, values in golds.items()), ""]
    return "\n".join(lines)


def format_measured_languages() -> str:
    """Return F and calibration error of the default by language, which ``keywright languages`` shows."""
    values: dict[str, dict[str, list[float]]] = {}
    for row in _stored("everyday-domains")["rows"]:
        name, value = (row["measure"], row["value"]) if "measure" in row else ("ECE", row["undeclared"])
        if row["collection"].startswith("everyday/"):
            values.setdefault(row["language"], {}).setdefault(name, []).append(value)
    head = (
        "# Language, F@5, F@10 and calibration error of the default, means over the everyday collections of",
        "# docs/results/everyday-domains.md with at least twenty documents, with the language left out (English: the",
        "# domain). Written by tools/pages/results.py.",
    )
    columns = ("F@5", "F@10", "ECE")
    means = ({column: mean(lists[column]) for column in columns} for _, lists in sorted(values.items()))
    rows = (" ".join(f"{of_language[column]:.3f}" for column in columns) for of_language in means)
    return "\n".join((*head, *map(" ".join, zip(sorted(values), rows, strict=True)))) + "\n"


def main() -> None:
    """Write or check."""
    names = [argument for argument in sys.argv[1:] if argument != "--check"] or list(ALL)
    files = {path: text for name in names for path, text in page_files(name).items()}
    if "semeval2010" in names:
        files[OURS] = format_our_scores()
    if "everyday-domains" in names:
        files[MEASURED] = format_measured_languages()
    stale = [path for name in names for path in (PAGES / name).glob("*") if path not in files]
    write_or_check(files, stale, check="--check" in sys.argv)


if __name__ == "__main__":
    main()
