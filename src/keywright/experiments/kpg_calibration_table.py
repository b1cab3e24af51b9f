"""Calibration of neural keyphrase generation: the study's tables and figures, from its released predictions.

Kundu, Ray Chowdhury and Caragea (Neural Keyphrase Generation: Analysis and Evaluation): F1 (table 1), calibration error
(table 2), gold by fifth of the document (table 3), and the numbers behind figures 1, 2 and 4. Where the published
numbers come from a calculation that is not the definition, both are computed: ``as-published``
(``kpg_as_published.py``) and ``clean``. Predictions for KP20k are not released, so that its rows are published only.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeAlias

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
from keywright.evaluation.run_formats.pairing import PairedRun
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import add_intervals
from keywright.experiments import kpg_predictions as kpg_figures
from keywright.experiments import kpg_predictions as kpg_voting
from keywright.experiments.kpg_as_published import SCORING, compute_published_error
from keywright.experiments.kpg_predictions import (
    COLLECTIONS,
    MODELS,
    STUDIED,
    read_predictions,
    read_voting_predictions,
    read_written,
    take_run,
)
from keywright.experiments.reliability import TopPhrases, measure_reliability
from keywright.experiments.study import (
    PERCENT,
    Lines,
    Plot,
    Row,
    Study,
    format_decimal,
    format_interval,
    group_rows,
    lay_out_groups,
)

NAME: Final = "kpg-calibration"
TOGETHER: Final = ("vote", "rank-fusion", "mean-probability", "meta-ranker")
"""Combinations of the five models."""
PERPLEXITY_ONLY: Final = frozenset({"t5-large"})
"""Models whose sub-word perplexities are released, but not the probabilities of tokens."""
_KP20K: Final = "kp20k"
_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)


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
            figures += kpg_figures.compute_figures(model, decisions)
        if progress:
            progress(done, len(models))
    fifths = () if systems else _count_fifths(mirror)
    combined = () if systems and not set(TOGETHER) & set(systems) else _score_together(systems or TOGETHER, mirror)
    return (*scores, *errors, *fifths, *figures, *combined)


@lru_cache(maxsize=1)
def read_published() -> dict[str, Any]:
    """Return printed figures and notes, from the package's data."""
    text = files("keywright.experiments").joinpath("published", "kpg_calibration.toml").read_text("utf-8")
    return tomllib.loads(text)


def _score_model(model: str, loaded: dict[str, LoadedRun]) -> Iterator[Row]:
    """Yield table 1: F1@M and F1@5 of a model, with intervals."""
    reports = {}
    for name, run in loaded.items():
        protocol = KPG_STEMMED_GOLD if run.stemmed else KPG
        judged = PairedRun(take_run(run), run.labelled)
        reports[name] = add_intervals(judged.report(protocol), protocol, Resampling())
    notes = read_published()["notes"]["f1"]
    for part in _CLASSES:
        table = read_published()["f1"][part].get(model, {})
        for name in (*loaded, *(name for name in table if name not in loaded)):
            for measure, printed in zip(("F@M", "F@5"), table.get(name, (None, None)), strict=True):
                note = notes.get(model, "")
                if (model, part) == ("one2seq", "present"):
                    note = _explain_exchanged(name, measure) or note
                report, key = reports.get(name), f"{part}/{measure}"
                yield Row(
                    measure,
                    printed,
                    round(report.values[key], 4) if report else None,
                    model,
                    dataset=name,
                    note=note if report else _join_notes(read_published()["notes"]["kp20k"], note),
                    interval=_round_ends(report.intervals[key], 4) if report else None,
                    phrase_class=part,
                )


def _explain_exchanged(collection: str, measure: str) -> str:
    """Return the errata of the printed row of One2Seq, present keyphrases."""
    notes = read_published()["notes"]["f1"]
    if collection in {"krapivin", "semeval2010"}:
        return str(notes["exchanged"])
    return str(notes["kp20k-one2seq"]) if (collection, measure) == (_KP20K, "F@M") else ""


def _measure_errors(
    model: str, loaded: dict[str, LoadedRun], decisions: dict[str, Decisions], mirror: Path | None
) -> Iterator[Row]:
    """Yield table 2: calibration error as published and clean, with interval, and the noise floor."""
    outputs = {name: read_written(model, name, mirror) for name in loaded if model in SCORING}
    for part in _CLASSES:
        printed = read_published()["ece"][part].get(model, {})
        for name in (*loaded, *(name for name in printed if name not in loaded)):
            where = {"system": model, "dataset": name, "phrase_class": part}
            if name not in loaded:
                yield Row("ECE", printed[name], None, **where, note=read_published()["notes"]["kp20k"])
                continue
            if model in SCORING:
                ours = compute_published_error(model, loaded[name], outputs[name], present=part is PhraseClass.PRESENT)
                note = _explain_error("as-published", model, name, part)
                yield Row("ECE", printed[name], _round_percent(ours), **where, variant="as-published", note=note)
            columns = decisions[name].columns(Confidence.KPP_S)
            phrases = columns.where(columns.present == (part is PhraseClass.PRESENT))
            row = measure_reliability(name, model, TopPhrases(phrases.confidence, phrases.correct, phrases.document))
            note = _explain_error("clean", model, name, part)
            yield Row(
                "ECE",
                printed.get(name),
                _round_percent(row.error),
                **where,
                variant="clean",
                note=note,
                interval=_round_ends((PERCENT * row.interval[0], PERCENT * row.interval[1]), 2),
            )
            floor = row.floor
            ends = _round_ends((PERCENT * floor.low, PERCENT * floor.high), 2)
            text = "what exact probabilities would show"
            yield Row("ECE-noise-floor", None, _round_percent(floor.error), **where, note=text, interval=ends)


def _explain_error(variant: str, model: str, collection: str, part: str) -> str:
    notes = read_published()["notes"]["ece"][variant]
    soup = "krapivin-soup" if collection == "krapivin" and part == "present" and model in {"bart", "t5"} else ""
    names = ("any", model, f"{model}-{part}", f"{model}-{collection}-{part}", soup)
    return _join_notes(*(notes.get(name, "") for name in names))


def _count_fifths(mirror: Path | None) -> Iterator[Row]:
    """Yield table 3: the gold present keyphrases that begin in each fifth, as published and by one length."""
    table, notes = read_published()["fifths"], read_published()["notes"]
    for name, printed in table.items():
        counts: dict[str, Sequence[int] | None] = {"as-published": None}
        if name in COLLECTIONS:
            labelled = read_predictions("one2seq", name, mirror).labelled
            counts = {
                "as-published": count_gold_by_fifth(labelled, as_published=True).tolist(),
                "clean": count_gold_by_fifth(labelled).tolist(),
            }
        for variant, ours in counts.items():
            for at, number in enumerate(printed):
                note = notes["fifths"][variant]
                yield Row(
                    f"gold-in-fifth-{at + 1}",
                    number,
                    ours[at] if ours else None,
                    dataset=name,
                    variant=variant,
                    note=note if ours else _join_notes(notes["kp20k"], note),
                    phrase_class=PhraseClass.PRESENT,
                )


def _score_together(systems: Collection[str], mirror: Path | None) -> Iterator[Row]:
    """Yield F1@5 of the five models together; no paper prints it."""
    loaded = {name: read_voting_predictions(name, STUDIED, mirror) for name in COLLECTIONS}
    for row in kpg_voting.compute_combinations(loaded):
        if row.system in systems and row.ours is not None and row.interval is not None:
            part, ends = row.phrase_class or row.category, _round_ends(row.interval, 4)
            yield replace(row, ours=round(row.ours, 4), interval=ends, category=None, phrase_class=part)


def _join_notes(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _round_percent(fraction: float) -> float:
    return round(PERCENT * fraction, 2)


def _round_ends(ends: tuple[float, float], decimals: int) -> tuple[float, float]:
    return round(ends[0], decimals), round(ends[1], decimals)


_COLLECTIONS: Final = ("inspec", "krapivin", "semeval2010", "kp20k")
_DRAWN_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_FIGURES: Final = (
    ("KPP-median", "Figure 1: median perplexity (KPP-s) over all collections.", 2),
    ("KPP-", "Figure 1: phrases by perplexity (KPP-s).", 0),
    ("probability-of-token-", "Figure 2: mean probability of the first to fifth token over all collections.", 3),
    ("recall-in-fifth-", "Figure 4: share of gold present keyphrases that are found, by fifth of the document.", 3),
)
"""Beginnings of measures, captions, decimals."""

_Places: TypeAlias = Mapping[tuple[str | None, ...], Row]


def lay_out_calibration(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out the rows of ``kpg-calibration``; tables without rows are left out."""
    places: _Places = {(row.measure, row.system, row.dataset, row.phrase_class, row.variant): row for row in rows}
    systems = tuple(dict.fromkeys(row.system for row in rows if row.system and row.measure == "F@M"))
    for part in _DRAWN_CLASSES if systems else ():
        yield _lay_out_scores(places, systems, part)
    with_errors = {row.system for row in rows if row.measure == "ECE"}
    for part in _DRAWN_CLASSES if with_errors else ():
        yield _lay_out_errors(places, [name for name in systems if name in with_errors], part)
    if any(row.measure.startswith("gold-in-fifth") for row in rows):
        yield _lay_out_fifths(places)
    yield from lay_out_figures(rows)
    together = [row for row in rows if row.system and row.measure == "F@5" and row.system not in systems]
    if together:
        yield _lay_out_measures(together, "F1@5 of the five models together; no paper prints it.", 3, intervals=True)
    yield from lay_out_errata(rows)


def lay_out_figures(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the numbers behind the figures; tables without rows are left out."""
    rest = list(rows)
    for beginning, caption, decimals in _FIGURES:
        chosen = [row for row in rest if row.measure.startswith(beginning)]
        rest = [row for row in rest if not row.measure.startswith(beginning)]
        if chosen:
            yield _lay_out_measures(chosen, caption, decimals)


def draw_errors(rows: Sequence[Row]) -> Iterator[Plot]:
    """Draw calibration errors of each class as bars: for each model and collection the printed and the clean error."""
    number = 0
    for part in _DRAWN_CLASSES:
        clean = [row for row in rows if (row.measure, row.phrase_class, row.variant) == ("ECE", part, "clean")]
        chosen = [row for row in clean if row.published is not None]
        if chosen:
            printed, ours = (
                [None if percent is None else percent / PERCENT for percent in values]
                for values in ([row.published for row in chosen], [row.ours for row in chosen])
            )
            labels = [f"{row.system} {row.dataset}" for row in chosen]
            title, name = f"Calibration error of {part} keyphrases", f"ece-{number}"
            yield Plot(
                name, title, pages.draw_bars(title, labels, [("printed", printed), ("clean", ours)], name), title
            )
            number += 1


def _lay_out_scores(places: _Places, systems: Sequence[str], part: str) -> Table:
    """Return table 1, printed and ours; columns without any number are left out."""
    lines: Lines = {(name,): {} for name in systems}
    columns: list[str] = []
    for collection in _COLLECTIONS:
        for measure in ("F@M", "F@5"):
            rows = {name: places.get((measure, name, collection, part, None)) for name in systems}
            for whose in ("published", "ours"):
                column = f"{collection} F1{measure[1:]}{' ours' if whose == 'ours' else ''}"
                texts = {name: format_decimal(getattr(row, whose), 3) for name, row in rows.items() if row}
                columns += [column] if any(texts.values()) else []
                for name, text in texts.items():
                    lines[name,][column] = text
    return lay_out_groups(f"Table 1: F1 of {part} keyphrases, printed and ours.", ("system",), lines, columns)


def _lay_out_errors(places: _Places, systems: Sequence[str], part: str) -> Table:
    """Return table 2: printed, as published, clean with its interval, noise floor."""
    lines: Lines = {}
    for name in systems:
        for collection in _COLLECTIONS:
            where = (name, collection, part)
            published, clean, only_printed = (
                places.get(("ECE", *where, variant)) for variant in ("as-published", "clean", None)
            )
            rows = [row for row in (published, clean, only_printed) if row]
            if rows:
                printed = next((row.published for row in rows if row.published is not None), None)
                floor = places.get(("ECE-noise-floor", *where, None))
                lines[name, collection] = {
                    "printed": format_decimal(printed, 2),
                    "as published": format_decimal(published.ours, 2) if published else "",
                    "clean": format_decimal(clean.ours, 2) if clean else "",
                    "interval": format_interval(clean.interval, 1) if clean else "",
                    "noise floor": format_decimal(floor.ours, 2) if floor else "",
                }
    caption = f"Table 2: expected calibration error of {part} keyphrases, percent."
    columns = ("printed", "as published", "clean", "interval", "noise floor")
    return lay_out_groups(caption, ("system", "collection"), lines, columns)


def _lay_out_fifths(places: _Places) -> Table:
    columns = {f"fifth {number}": f"gold-in-fifth-{number}" for number in range(1, 6)}
    lines: Lines = {}
    for collection in _COLLECTIONS:
        for variant in ("as-published", "clean"):
            rows = {
                column: places[measure, None, collection, "present", variant]
                for column, measure in columns.items()
                if (measure, None, collection, "present", variant) in places
            }
            for line, whose in (("printed", "published"), (variant.replace("-", " "), "ours")):
                texts = {column: format_decimal(getattr(row, whose), 0) for column, row in rows.items()}
                if any(texts.values()) and (line, variant) != ("printed", "clean"):
                    lines[collection, line] = dict(texts)
    caption = "Table 3: gold present keyphrases by the fifth of the document that they begin in."
    return lay_out_groups(caption, ("collection", ""), lines, tuple(columns))


def _lay_out_measures(rows: Sequence[Row], caption: str, decimals: int, *, intervals: bool = False) -> Table:
    """Return a table with a line for each model, class and collection, and a column for each measure."""
    by_line = group_rows(
        rows,
        lambda row: (row.system or "", row.phrase_class or "", row.dataset or "all"),
        lambda row: row.measure.replace("-", " "),
    )

    def text(row: Row) -> str:
        interval = f" ({format_interval(row.interval, decimals)})" if intervals and row.interval else ""
        return format_decimal(row.ours, decimals) + interval

    lines: Lines = {line: {name: text(row) for name, row in cells.items()} for line, cells in by_line.items()}
    columns = tuple(dict.fromkeys(row.measure.replace("-", " ") for row in rows))
    return lay_out_groups(caption, ("system", "class", "collection"), lines, columns)


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


STUDY: Final = Study(NAME, compute_calibration, tables=lay_out_calibration, plots=draw_errors)
