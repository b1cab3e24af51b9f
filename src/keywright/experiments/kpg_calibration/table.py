"""Calibration of neural keyphrase generation: the study's tables and figures, from its released predictions.

Kundu, Ray Chowdhury and Caragea (Neural Keyphrase Generation: Analysis and Evaluation): F1 (table 1), calibration error
(table 2), gold by fifth of the document (table 3), and the numbers behind figures 1, 2 and 4. Where the published
numbers come from a calculation that is not the definition, both are computed: ``as-published``
(``as_published.py``) and ``clean``. Predictions for KP20k are not released, so that its rows are published only.
"""

import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from keywright.calibration.analysis.positions import gold_by_fifth
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import Decisions, decide
from keywright.core.errors import unknown
from keywright.core.interfaces import Progress
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.protocols.kpg_papers import KPG_STEMMED_GOLD
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.pairing import Judged
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import with_intervals
from keywright.experiments.kpg_calibration import figures as kpg_figures
from keywright.experiments.kpg_calibration import voting as kpg_voting
from keywright.experiments.kpg_calibration.as_published import SCORING, published_error
from keywright.experiments.kpg_calibration.predictions import (
    COLLECTIONS,
    MODELS,
    STUDIED,
    predicted,
    predicted_run,
    voting_predictions,
    written,
)
from keywright.experiments.layouts import PERCENT
from keywright.experiments.reliability import Shown, reliability
from keywright.experiments.study import Row

NAME: Final = "kpg-calibration"
TOGETHER: Final = ("vote", "rank-fusion", "mean-probability", "meta-ranker")
"""Combinations of the five models."""
PERPLEXITY_ONLY: Final = frozenset({"t5-large"})
"""Models whose sub-word perplexities are released, but not the probabilities of tokens."""
_KP20K: Final = "kp20k"
_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)


def rows(
    systems: Collection[str] | None = None, progress: Progress | None = None, mirror: Path | None = None
) -> tuple[Row, ...]:
    """Compute tables 1 to 3, then figures 1, 2 and 4, then the five models together."""
    names = (*MODELS, *TOGETHER)
    for name in systems or ():
        if name not in names:
            raise unknown("system", name, names, f"keywright reproduce {NAME}")
    models = [name for name in MODELS if not systems or name in systems]
    scores: list[Row] = []
    errors: list[Row] = []
    figures: list[Row] = []
    for done, model in enumerate(models, start=1):
        loaded = {name: predicted(model, name, mirror) for name in COLLECTIONS}
        decisions = {  # gold that ships stemmed is not stemmed again
            name: decide(predicted_run(run), run.labelled, stemmed=run.stemmed) for name, run in loaded.items()
        }
        scores += _scores(model, loaded)
        if model not in PERPLEXITY_ONLY:
            errors += _errors(model, loaded, decisions, mirror)
            figures += kpg_figures.rows(model, decisions)
        if progress:
            progress(done, len(models))
    fifths = () if systems else _fifths(mirror)
    combined = () if systems and not set(TOGETHER) & set(systems) else _together(systems or TOGETHER, mirror)
    return (*scores, *errors, *fifths, *figures, *combined)


@lru_cache(maxsize=1)
def published() -> dict[str, Any]:
    """Return printed figures and notes, from the package's data."""
    text = files("keywright.experiments").joinpath("published", "kpg_calibration.toml").read_text("utf-8")
    return tomllib.loads(text)


def _scores(model: str, loaded: dict[str, LoadedRun]) -> Iterator[Row]:
    """Yield table 1: F1@M and F1@5 of a model, with intervals."""
    reports = {}
    for name, run in loaded.items():
        protocol = KPG_STEMMED_GOLD if run.stemmed else KPG
        judged = Judged(predicted_run(run), run.labelled)
        reports[name] = with_intervals(judged.report(protocol), protocol, Resampling())
    notes = published()["notes"]["f1"]
    for part in _CLASSES:
        table = published()["f1"][part].get(model, {})
        for name in (*loaded, *(name for name in table if name not in loaded)):
            for measure, printed in zip(("F@M", "F@5"), table.get(name, (None, None)), strict=True):
                note = notes.get(model, "")
                if (model, part) == ("one2seq", "present"):
                    note = _exchanged(name, measure) or note
                report, key = reports.get(name), f"{part}/{measure}"
                yield Row(
                    measure,
                    printed,
                    round(report.values[key], 4) if report else None,
                    model,
                    dataset=name,
                    note=note if report else _also(published()["notes"]["kp20k"], note),
                    interval=_rounded(report.intervals[key], 4) if report else None,
                    phrase_class=part,
                )


def _exchanged(collection: str, measure: str) -> str:
    """Return the errata of the printed row of One2Seq, present keyphrases."""
    notes = published()["notes"]["f1"]
    if collection in {"krapivin", "semeval2010"}:
        return str(notes["exchanged"])
    return str(notes["kp20k-one2seq"]) if (collection, measure) == (_KP20K, "F@M") else ""


def _errors(
    model: str, loaded: dict[str, LoadedRun], decisions: dict[str, Decisions], mirror: Path | None
) -> Iterator[Row]:
    """Yield table 2: calibration error as published and clean, with interval, and the noise floor."""
    outputs = {name: written(model, name, mirror) for name in loaded if model in SCORING}
    for part in _CLASSES:
        printed = published()["ece"][part].get(model, {})
        for name in (*loaded, *(name for name in printed if name not in loaded)):
            where = {"system": model, "dataset": name, "phrase_class": part}
            if name not in loaded:
                yield Row("ECE", printed[name], None, **where, note=published()["notes"]["kp20k"])
                continue
            if model in SCORING:
                ours = published_error(model, loaded[name], outputs[name], present=part is PhraseClass.PRESENT)
                note = _error_note("as-published", model, name, part)
                yield Row("ECE", printed[name], _percent(ours), **where, variant="as-published", note=note)
            columns = decisions[name].columns(Confidence.KPP_S)
            phrases = columns.where(columns.present == (part is PhraseClass.PRESENT))
            row = reliability(name, model, Shown(phrases.confidence, phrases.correct, phrases.document))
            note = _error_note("clean", model, name, part)
            yield Row(
                "ECE",
                printed.get(name),
                _percent(row.error),
                **where,
                variant="clean",
                note=note,
                interval=_rounded((PERCENT * row.interval[0], PERCENT * row.interval[1]), 2),
            )
            floor = row.floor
            ends = _rounded((PERCENT * floor.low, PERCENT * floor.high), 2)
            text = "what exact probabilities would show"
            yield Row("ECE-noise-floor", None, _percent(floor.error), **where, note=text, interval=ends)


def _error_note(variant: str, model: str, collection: str, part: str) -> str:
    notes = published()["notes"]["ece"][variant]
    soup = "krapivin-soup" if collection == "krapivin" and part == "present" and model in {"bart", "t5"} else ""
    names = ("any", model, f"{model}-{part}", f"{model}-{collection}-{part}", soup)
    return _also(*(notes.get(name, "") for name in names))


def _fifths(mirror: Path | None) -> Iterator[Row]:
    """Yield table 3: the gold present keyphrases that begin in each fifth, as published and by one length."""
    table, notes = published()["fifths"], published()["notes"]
    for name, printed in table.items():
        counts: dict[str, Sequence[int] | None] = {"as-published": None}
        if name in COLLECTIONS:
            labelled = predicted("one2seq", name, mirror).labelled
            counts = {
                "as-published": gold_by_fifth(labelled, as_published=True).tolist(),
                "clean": gold_by_fifth(labelled).tolist(),
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
                    note=note if ours else _also(notes["kp20k"], note),
                    phrase_class=PhraseClass.PRESENT,
                )


def _together(systems: Collection[str], mirror: Path | None) -> Iterator[Row]:
    """Yield F1@5 of the five models together; no paper prints it."""
    loaded = {name: voting_predictions(name, STUDIED, mirror) for name in COLLECTIONS}
    for row in kpg_voting.rows(loaded):
        if row.system in systems and row.ours is not None and row.interval is not None:
            part, ends = row.phrase_class or row.category, _rounded(row.interval, 4)
            yield replace(row, ours=round(row.ours, 4), interval=ends, category=None, phrase_class=part)


def _also(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _percent(fraction: float) -> float:
    return round(PERCENT * fraction, 2)


def _rounded(ends: tuple[float, float], decimals: int) -> tuple[float, float]:
    return round(ends[0], decimals), round(ends[1], decimals)
