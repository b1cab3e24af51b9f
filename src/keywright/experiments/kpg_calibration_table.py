"""Calibration of neural keyphrase generation (Kundu, Ray Chowdhury and Caragea), from its released predictions.

Where the published numbers come from a calculation that is not the definition, both are computed: ``as-published`` and
``clean``. Predictions for KP20k are not released, so that its rows are published only.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from keywright.calibration.analysis.positions import count_gold_by_fifth
from keywright.calibration.judging import Decisions, decide
from keywright.core import pages
from keywright.core.choices import Confidence
from keywright.core.errors import unknown_name
from keywright.core.interfaces import Progress
from keywright.core.pages import Cell, Table
from keywright.evaluation.protocols.kpg import KPG, KPG_STEMMED_GOLD
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.reading import read_outputs
from keywright.experiments.kpg_as_published import SCORING, compute_published_error
from keywright.experiments.kpg_predictions import (
    CLASSES,
    COLLECTIONS,
    MODELS,
    STUDIED,
    compute_combinations,
    compute_figures,
    find_predictions,
    measure_class,
    read_predictions,
    read_voting_predictions,
    score_run,
    take_run,
)
from keywright.experiments.study import (
    PERCENT,
    Plot,
    Row,
    Study,
    format_decimal,
    format_interval,
    lay_out_cross,
    read_published,
    round_ends,
)

NAME: Final = "kpg-calibration"
TOGETHER: Final = ("vote", "rank-fusion", "mean-probability", "meta-ranker")  # combinations of the five models
PERPLEXITY_ONLY: Final = frozenset({"t5-large"})
"""Models whose sub-word perplexities are released, but not the probabilities of tokens."""
_KP20K: Final = "kp20k"


def read_printed() -> dict[str, Any]:
    """Return the printed numbers of the study, with notes."""
    return read_published("kpg_calibration")


def compute_calibration(
    systems: Collection[str] | None = None, progress: Progress | None = None, mirror: Path | None = None
) -> tuple[Row, ...]:
    """Compute tables 1 to 3, then figures 1, 2 and 4, then the five models together."""
    names = (*MODELS, *TOGETHER)
    for name in systems or ():
        if name not in names:
            raise unknown_name("system", name, names, f"keywright reproduce {NAME}")
    models = [name for name in MODELS if not systems or name in systems]
    scores: list[Row] = []
    errors: list[Row] = []
    figures: list[Row] = []
    for done, model in enumerate(models, start=1):
        loaded = {name: read_predictions(model, name, mirror) for name in COLLECTIONS}
        decisions = {  # gold that ships stemmed is not stemmed again
            name: decide(take_run(run), run.labelled, stemmed=run.stemmed) for name, run in loaded.items()
        }
        scores += _score_model(model, loaded)
        if model not in PERPLEXITY_ONLY:
            errors += _measure_errors(model, loaded, decisions, mirror)
            figures += compute_figures(model, decisions)
        if progress:
            progress(done, len(models))
    fifths = () if systems else _count_fifths(mirror)
    combined: list[Row] = []
    if not systems or set(TOGETHER) & set(systems):  # F1@5 of the five models together, which no paper prints
        voting = {name: read_voting_predictions(name, STUDIED, mirror) for name in COLLECTIONS}
        for row in compute_combinations(voting):
            if row.system in (systems or TOGETHER) and row.ours is not None and row.interval is not None:
                ours, ends = round(row.ours, 4), round_ends(row.interval, 4)
                combined.append(replace(row, ours=ours, interval=ends, category=None, phrase_class=row.category))
    return (*scores, *errors, *fifths, *figures, *combined)


def _score_model(model: str, loaded: dict[str, LoadedRun]) -> Iterator[Row]:
    """Yield table 1: F1@M and F1@5 of a model, with intervals."""
    reports = {
        name: score_run(take_run(run), run.labelled, KPG_STEMMED_GOLD if run.stemmed else KPG)
        for name, run in loaded.items()
    }
    notes = read_printed()["notes"]
    for part in CLASSES:
        printed = read_printed()["f1"][part].get(model, {})
        for name in dict.fromkeys((*loaded, *printed)):
            for measure, number in zip(("F@M", "F@5"), printed.get(name, (None, None)), strict=True):
                note = notes["f1"].get(model, "")
                if (model, part) == ("one2seq", PhraseClass.PRESENT):  # errata of the printed row
                    exchanged = notes["f1"]["exchanged"] if name in {"krapivin", "semeval2010"} else note
                    note = notes["f1"]["kp20k-one2seq"] if (name, measure) == (_KP20K, "F@M") else exchanged
                row = Row(measure, number, None, model, dataset=name, phrase_class=part, note=note)
                if name in reports:
                    key = f"{part}/{measure}"
                    value, ends = reports[name].values[key], reports[name].intervals[key]
                    yield replace(row, ours=round(value, 4), interval=round_ends(ends, 4))
                else:
                    yield replace(row, note=_join_notes(notes["kp20k"], note))


def _measure_errors(
    model: str, loaded: dict[str, LoadedRun], decisions: dict[str, Decisions], mirror: Path | None
) -> Iterator[Row]:
    """Yield table 2: calibration error as published and clean, with interval, and the noise floor."""
    outputs = {name: read_outputs(find_predictions(model, name, mirror)) for name in loaded if model in SCORING}
    for part in CLASSES:
        printed = read_printed()["ece"][part].get(model, {})
        for name in dict.fromkeys((*loaded, *printed)):
            row = Row("ECE", printed.get(name), None, model, dataset=name, phrase_class=part)
            if name not in loaded:
                yield replace(row, note=read_printed()["notes"]["kp20k"])
                continue
            if model in SCORING:
                ours = compute_published_error(model, loaded[name], outputs[name], present=part is PhraseClass.PRESENT)
                note = _explain_error("as-published", model, name, part)
                yield replace(row, ours=round(PERCENT * ours, 2), variant="as-published", note=note)
            if clean := measure_class(name, model, decisions[name], part, Confidence.KPP_S):
                error, ends = round(PERCENT * clean.error, 2), round_ends(clean.interval, 2, PERCENT)
                note = _explain_error("clean", model, name, part)
                yield replace(row, ours=error, variant="clean", note=note, interval=ends)
                error, ends = clean.floor.error, round_ends((clean.floor.low, clean.floor.high), 2, PERCENT)
                floor = replace(row, measure="ECE-noise-floor", published=None, ours=round(PERCENT * error, 2))
                yield replace(floor, note="what exact probabilities would show", interval=ends)


def _explain_error(variant: str, model: str, collection: str, part: str) -> str:
    notes = read_printed()["notes"]["ece"][variant]
    soup = "krapivin-soup" if collection == "krapivin" and part == "present" and model in {"bart", "t5"} else ""
    names = ("any", model, f"{model}-{part}", f"{model}-{collection}-{part}", soup)
    return _join_notes(*(notes.get(name, "") for name in names))


def _count_fifths(mirror: Path | None) -> Iterator[Row]:
    """Yield table 3: the gold present keyphrases that begin in each fifth, as published and by one length."""
    notes = read_printed()["notes"]
    for name, printed in read_printed()["fifths"].items():
        counts: dict[str, Sequence[int | None]] = {"as-published": [None] * len(printed)}
        if name in COLLECTIONS:
            labelled = read_predictions("one2seq", name, mirror).labelled
            counts = {
                "as-published": count_gold_by_fifth(labelled, as_published=True).tolist(),
                "clean": count_gold_by_fifth(labelled).tolist(),
            }
        for variant, ours in counts.items():
            note = _join_notes("" if name in COLLECTIONS else notes["kp20k"], notes["fifths"][variant])
            for fifth, (number, count) in enumerate(zip(printed, ours, strict=True), start=1):
                row = Row(f"gold-in-fifth-{fifth}", number, count, dataset=name, variant=variant, note=note)
                yield replace(row, phrase_class=PhraseClass.PRESENT)


def _join_notes(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


_FIGURES: Final = (
    ("KPP-median", "Figure 1: median perplexity (KPP-s) over all collections.", 2),
    ("KPP-", "Figure 1: phrases by perplexity (KPP-s).", 0),
    ("probability-of-token-", "Figure 2: mean probability of the first to fifth token over all collections.", 3),
    ("recall-in-fifth-", "Figure 4: share of gold present keyphrases that are found, by fifth of the document.", 3),
)
"""Beginnings of measures, captions, decimals."""


def lay_out_calibration(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out the rows of ``kpg-calibration``; tables without rows are left out."""
    systems = {row.system for row in rows if row.measure == "F@M"}
    scores = [row for row in rows if row.measure in {"F@M", "F@5"} and row.system in systems]
    for part, chosen in _divide_classes(scores):
        caption = f"Table 1: F1 of {part} keyphrases, printed and ours."
        yield lay_out_cross(
            caption,
            ("system",),
            chosen,
            lambda row: (row.system or "",),
            lambda row: {
                f"{row.dataset} F1{row.measure[1:]}": format_decimal(row.published, 3),
                f"{row.dataset} F1{row.measure[1:]} ours": format_decimal(row.ours, 3),
            },
        )
    for part, chosen in _divide_classes([row for row in rows if row.measure.startswith("ECE")]):
        caption = f"Table 2: expected calibration error of {part} keyphrases, percent."
        columns = ("printed", "as published", "clean", "interval", "noise floor")
        heads = ("system", "collection")
        yield lay_out_cross(
            caption, heads, chosen, lambda row: (row.system or "", row.dataset or ""), _write_error, columns
        )
    if fifths := [row for row in rows if row.measure.startswith("gold-in-fifth")]:
        yield _lay_out_fifths(fifths)
    yield from lay_out_figures(rows)
    together = [row for row in rows if row.system and row.measure == "F@5" and row.system not in systems]
    if together:
        yield _lay_out_measures(together, "F1@5 of the five models together; no paper prints it.", 3)
    yield from lay_out_errata(rows)


def _divide_classes(rows: Sequence[Row]) -> Iterator[tuple[PhraseClass, list[Row]]]:
    """Yield each class with its rows, if there are any rows."""
    for part in CLASSES if rows else ():
        yield part, [row for row in rows if row.phrase_class == part]


def _write_error(row: Row) -> dict[str, str]:
    ours = format_decimal(row.ours, 2)
    if row.measure == "ECE-noise-floor":
        return {"noise floor": ours}
    cells = {} if row.published is None else {"printed": format_decimal(row.published, 2)}
    if row.variant == "clean":
        return cells | {"clean": ours, "interval": format_interval(row.interval, 1)}
    return cells | {"as published": ours}


def _lay_out_fifths(rows: Iterable[Row]) -> Table:
    """Return table 3: printed counts, ours as published, and the correct ones."""
    counts: list[tuple[Row, str, float]] = []
    for row in rows:
        variant = str(row.variant).replace("-", " ")
        printed = row.published if row.variant == "as-published" else None
        counts += [
            (row, line, count) for line, count in (("printed", printed), (variant, row.ours)) if count is not None
        ]
    return lay_out_cross(
        "Table 3: gold present keyphrases by the fifth of the document that they begin in.",
        ("collection", ""),
        counts,
        lambda count: (count[0].dataset or "", count[1]),
        lambda count: {f"fifth {count[0].measure[-1]}": f"{count[2]:.0f}"},
        [f"fifth {number}" for number in range(1, 6)],
    )


def lay_out_figures(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the numbers behind the figures; tables without rows are left out."""
    rest = list(rows)
    for beginning, caption, decimals in _FIGURES:
        chosen = [row for row in rest if row.measure.startswith(beginning)]
        rest = [row for row in rest if not row.measure.startswith(beginning)]
        if chosen:
            yield _lay_out_measures(chosen, caption, decimals)


def _lay_out_measures(rows: Sequence[Row], caption: str, decimals: int) -> Table:
    """Return a table with a line for each model, class and collection, and a column for each measure."""

    def write(row: Row) -> dict[str, str]:
        interval = f" ({format_interval(row.interval, decimals)})" if row.interval else ""
        return {row.measure.replace("-", " "): format_decimal(row.ours, decimals) + interval}

    heads = ("system", "class", "collection")
    return lay_out_cross(
        caption, heads, rows, lambda row: (row.system or "", row.phrase_class or "", row.dataset or "all"), write
    )


def lay_out_errata(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield errata and other explanations of differences, each once with the places where it applies."""
    places: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        if row.note and row.published is not None:
            named = " ".join(filter(None, (row.system, row.phrase_class, row.variant)))
            measure = "gold in fifths" if row.measure.startswith("gold") else row.measure
            places.setdefault((row.note, f"{measure} {named}"), {})[row.dataset or ""] = None
    body = tuple((Cell(f"{value}: {', '.join(sets)}"), Cell(note)) for (note, value), sets in places.items())
    if body:
        yield Table("Errata and other notes.", ("of", "note"), body, frozenset())


def draw_errors(rows: Sequence[Row]) -> Iterator[Plot]:
    """Draw calibration errors of each class as bars: for each model and collection the printed and the clean error."""
    compared = [row for row in rows if (row.measure, row.variant) == ("ECE", "clean") and row.published is not None]
    classes = [(part, chosen) for part, chosen in _divide_classes(compared) if chosen]
    for number, (part, chosen) in enumerate(classes):
        printed = [row.published / PERCENT for row in chosen if row.published is not None]
        clean = [None if row.ours is None else row.ours / PERCENT for row in chosen]
        labels = [f"{row.system} {row.dataset}" for row in chosen]
        title, name = f"Calibration error of {part} keyphrases", f"ece-{number}"
        svg = pages.draw_bars(title, labels, [("printed", printed), ("clean", clean)], name)
        yield Plot(name, title, svg, title)


STUDY: Final = Study(NAME, compute_calibration, tables=lay_out_calibration, plots=draw_errors)
