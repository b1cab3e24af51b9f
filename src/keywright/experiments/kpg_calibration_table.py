"""Calibration of neural keyphrase generation (Kundu, Ray Chowdhury and Caragea), from its released predictions.

Where the published numbers come from a calculation that is not the definition, both are computed: ``as-published`` and
``clean``. Predictions for KP20k are not released, so that its rows are published only.
"""

from collections.abc import Collection, Iterator, Sequence
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
    compute_combinations,
    compute_figures,
    find_predictions,
    measure_class,
    read_predictions,
    read_voting_predictions,
    score_run,
    take_run,
)
from keywright.experiments.study import PERCENT, Plot, Row, Sheet, Study, lay_out_sheets, read_published, round_ends

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
        for row in compute_combinations({name: read_voting_predictions(name, mirror) for name in COLLECTIONS}):
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


_LINES: Final = ("system", "phrase_class", "dataset")
FIGURES: Final = (
    Sheet("Figure 1: median perplexity (KPP-s) over all collections.", "KPP-median", _LINES, "{measure}", digits=2),
    Sheet("Figure 1: phrases by perplexity (KPP-s).", "KPP-(?!median).*", _LINES, "{measure}", digits=0),
    Sheet("Figure 2: mean probability of the first to fifth token.", "probability-of-token-.", _LINES, "{measure}"),
    Sheet("Figure 4: share of gold present keyphrases that are found.", "recall-in-fifth-.", _LINES, "{measure}"),
)
ERRORS: Final = Sheet(
    "Expected calibration error of {} keyphrases, percent.", "ECE.*", ("system", "dataset"), "{measure} {variant}",
    "ECE published", digits=2, by="phrase_class",
)  # fmt: skip
_SCORES: Final = Sheet(
    "Table 1: F1 of {} keyphrases, published and ours.", "F@[M5]", ("system",), "{dataset} {measure}",
    "{dataset} {measure} published", by="phrase_class", intervals=False,
)  # fmt: skip
_FIFTHS: Final = Sheet(
    "Table 3: gold present keyphrases by the fifth of the document that they begin in.", "gold-in-fifth-.",
    ("dataset", "variant"), "{measure}", "{measure} published", digits=0,
)  # fmt: skip


def lay_out_calibration(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out the rows of ``kpg-calibration``; tables without rows are left out."""
    yield from lay_out_sheets((_SCORES, ERRORS._replace(caption=f"Table 2: {ERRORS.caption}"), _FIFTHS, *FIGURES), rows)
    yield from lay_out_errata(rows)


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
    for number, part in enumerate(part for part in CLASSES if any(row.phrase_class == part for row in compared)):
        chosen = [row for row in compared if row.phrase_class == part]
        printed = [row.published / PERCENT for row in chosen if row.published is not None]
        clean = [None if row.ours is None else row.ours / PERCENT for row in chosen]
        labels = [f"{row.system} {row.dataset}" for row in chosen]
        title, name = f"Calibration error of {part} keyphrases", f"ece-{number}"
        yield Plot(name, title, pages.draw_bars(title, labels, [("printed", printed), ("clean", clean)], name), title)


STUDY: Final = Study(NAME, compute_calibration, tables=lay_out_calibration, plots=draw_errors)
