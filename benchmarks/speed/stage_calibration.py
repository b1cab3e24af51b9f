"""Stage: measures of calibration of 100,000 phrases, beside netcal, torchmetrics and relplot on the same arrays.

Values of other tools have to be ours to 1e-9, or the stage is broken. They run where ``make bench`` has installed them;
what is not there is said and left out.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import peer_environment
from measuring import Row, timed

from keywright.calibration.calibration_error import measure_adaptive_error, measure_error, measure_smooth_error
from keywright.calibration.measuring import RESAMPLING, measure
from keywright.calibration.phrases import JudgedPhrases
from keywright.calibration.proper_scores import measure_auroc
from keywright.core.arrays import Bools, Floats

_HERE = Path(__file__).resolve().parent
_PEERS = Path(".venv-peers")
_PHRASES, _DOCUMENTS = 100_000, 10_000
_EQUAL = 1e-9

_OURS: dict[str, Callable[[Floats, Bools], float | None]] = {
    "ECE": measure_error,
    "adaptive ECE": measure_adaptive_error,
    "smooth ECE": lambda probabilities, answers: measure_smooth_error(probabilities, answers, full_ends=False),
    "AUROC": measure_auroc,
}


def made() -> JudgedPhrases:
    """Phrases of documents whose confidences are too high in some places and too low in others; always the same."""
    chance = np.random.default_rng(11)
    confidence = chance.random(_PHRASES)
    bent = confidence + 0.1 * np.sin(2 * np.pi * confidence)
    return JudgedPhrases(
        ids=tuple(map(str, range(_DOCUMENTS))),
        document=np.repeat(np.arange(_DOCUMENTS), _PHRASES // _DOCUMENTS),
        rank=np.tile(np.arange(1, _PHRASES // _DOCUMENTS + 1), _DOCUMENTS),
        confidence=confidence,
        correct=chance.random(_PHRASES) < bent,
        present=chance.random(_PHRASES) < 0.6,  # noqa: PLR2004  (two classes of like size)
        words=chance.integers(1, 6, _PHRASES),
        gold=np.full((_DOCUMENTS, 2), 3),
    )


def calibration(_most: int | None) -> Iterator[Row]:
    """Single measures, all measures with intervals and noise floors, and other tools."""
    judged = made()
    values = {}
    for name, work in _OURS.items():
        values[name] = work(judged.confidence, judged.correct)
        yield timed(
            (f"{name} of probabilities", "runs"),
            1,
            lambda work=work: work(judged.confidence, judged.correct),  # type: ignore[misc]
            note=f"{_PHRASES:,} phrases",
        )
    note = f"{RESAMPLING.samples:,} samples of {_DOCUMENTS:,} documents, {_PHRASES:,} phrases"
    yield timed(("measures of calibration, all", "runs"), 1, lambda: measure(judged), note=note)
    for line in _peers(judged.confidence, judged.correct):
        if "reason" in line:
            print(f"{line['package']}: not in {_PEERS}: {line['reason']}", file=sys.stderr)
            continue
        ours, theirs = values[line["measure"]], line["value"]
        if ours is None or abs(ours - theirs) > _EQUAL:
            sys.exit(f"{line['measure']} of {line['package']} is {theirs}, ours {ours}")
        yield Row(**line["row"])


def _peers(probabilities: Floats, answers: Bools) -> Iterator[dict]:  # type: ignore[type-arg]
    """What other tools say, tool by tool; none where their environment has not been made."""
    interpreter = peer_environment.interpreter(_PEERS)
    if not interpreter.is_file():
        print(f"{_PEERS} is not there: no other tools", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arrays.npz"
        np.savez(file, probabilities=probabilities, answers=answers.astype(np.int64))
        command = [str(interpreter), str(_HERE / "peer_calibration.py"), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  (our own program)
    if done.returncode:
        sys.exit(done.stderr)
    yield from map(json.loads, done.stdout.splitlines())
