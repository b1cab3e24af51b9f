"""The training of the reader: steps, checkpoints, and the log-odds of documents that were held out."""

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from rich.progress import track
from tools.train.reader.batching import Batch, batch_of, shuffled, windows_in
from tools.train.reader.network import WIDTH, Reader
from tools.train.reader.readings import Readings
from torch import Tensor, nn

from keywright.core.arrays import Floats, Ints

_PIECES: Final = 4096
"""Pieces of a batch with padding; arbitrary, some twenty abstracts."""
_WARM: Final = 0.05
"""Share of the steps in which the rate rises; usual for fine-tuning."""
_SAVE_EVERY: Final = 300.0
"""Seconds between checkpoints; arbitrary."""
_TELL_EVERY: Final = 50
"""Steps between news; arbitrary."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the reader is trained.

    Attributes:
        layers: of the encoder that are used.
        frozen: lower layers that stay as they are.
        epochs: passes over the documents.
        rate: of learning, for the encoder.
        head_rate: of learning, for the head.
        general: factor of the weight of the general style, which has little beside the collections' own.
    """

    layers: int = 4
    frozen: int = 1
    epochs: int = 2
    rate: float = 1e-4
    head_rate: float = 1e-3
    general: float = 3.0
    seed: int = 1


class LowerStates:
    """States below the layers that learn, of all windows, in half precision: computed once, kept in a folder.

    The file is named by the layers' weights, so that trainings of one encoder share it; with other documents it must be
    removed.
    """

    def __init__(self, reader: Reader, readings: Readings, folder: Path) -> None:
        self.readings = readings
        file = folder / f"lower{len(reader.lower)}-{reader.lower_digest()}.npy"
        self.bounds = readings.windows
        if not file.is_file():
            self._compute(reader, file)
        self.states = np.load(file, mmap_mode="r")
        if self.states.shape != (self.bounds[-1], WIDTH):
            raise SystemExit(f"{file} has the states of other documents: remove it")

    def _compute(self, reader: Reader, file: Path) -> None:
        unfinished = file.with_suffix(".unfinished")
        shape = (int(self.bounds[-1]), WIDTH)
        states = np.lib.format.open_memmap(unfinished, mode="w+", dtype=np.float16, shape=shape)
        every = shuffled(self.readings, np.arange(len(self.readings)), 4 * _PIECES, 0)
        for numbers in track(every, "reading with the layers that stay"):
            batch = batch_of(self.readings, numbers).tensors()
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
                of_batch = reader.lower_states(batch.rows, batch.mask).float().numpy()
            for row, window in enumerate(windows_in(self.readings, numbers)):
                begin, end = self.bounds[window : window + 2]
                states[begin:end] = of_batch[row, : end - begin]
        states.flush()
        unfinished.replace(file)

    def of(self, documents: Sequence[int], shape: tuple[int, int]) -> Tensor:
        """Return the states of a batch of documents, (windows, longest, width)."""
        states = np.zeros((*shape, WIDTH), np.float32)
        for row, window in enumerate(windows_in(self.readings, documents)):
            begin, end = self.bounds[window : window + 2]
            states[row, : end - begin] = self.states[begin:end]
        return torch.from_numpy(states)


@dataclass(slots=True)
class Training:
    """A training of a reader, which resumes from its checkpoint if there is one.

    Attributes:
        learnt: documents to learn from.
        file: for the checkpoint.
    """

    reader: Reader
    readings: Readings
    learnt: Ints
    recipe: Recipe
    lower: LowerStates
    file: Path
    _losses: list[tuple[float, float]] = field(default_factory=list)

    def run(self) -> None:
        """Train to the end of the recipe."""
        steps = [batch for epoch in range(self.recipe.epochs) for batch in self._epoch(epoch)]
        optimiser = self._optimiser()
        schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step, len(steps)))
        done = self._resumed(optimiser, schedule)
        total = self._weights().sum() * self.recipe.epochs / len(steps)
        started = saved = time.perf_counter()
        for number in range(done, len(steps)):
            self._step(steps[number], float(total), optimiser)
            schedule.step()
            now = time.perf_counter()
            if (number + 1) % _TELL_EVERY == 0:
                left = (now - started) / (number + 1 - done) * (len(steps) - number - 1)
                self._tell(number + 1, len(steps), left)
            if now - saved > _SAVE_EVERY or number + 1 == len(steps):
                self._save(number + 1, optimiser, schedule)
                saved = now

    def held_out(self, documents: Ints) -> dict[int, Floats]:
        """Return the corrected log-odds of the answers of documents, by document; of all of its examples in order."""
        self.reader.eval()
        scores = {}
        for numbers in shuffled(self.readings, documents, 2 * _PIECES, 0):
            batch = batch_of(self.readings, numbers).tensors()
            with torch.no_grad():
                corrected = (batch.log_odds + self._corrections(numbers, batch)).numpy()
            place = batch.pair_document.numpy()
            scores |= {number: corrected[place == row] for row, number in enumerate(numbers)}
        return scores

    def _epoch(self, epoch: int) -> list[list[int]]:
        return shuffled(self.readings, self.learnt, _PIECES, 1_000 * self.recipe.seed + epoch)

    def _weights(self) -> Floats:
        """Return the weight of all candidates of each example that is learnt from."""
        readings = self.readings
        weight = readings.weight * np.diff(readings.answer_bounds)
        mine = np.zeros(len(readings), bool)
        mine[self.learnt] = True
        return weight[np.repeat(mine, np.diff(readings.example_bounds))]

    def _optimiser(self) -> torch.optim.Optimizer:
        groups = [
            {"params": list(self.reader.upper.parameters()), "lr": self.recipe.rate},
            {"params": list(self.reader.head.parameters()), "lr": self.recipe.head_rate},
        ]
        return torch.optim.AdamW(groups, weight_decay=0.01)

    def _corrections(self, documents: Sequence[int], batch: Batch) -> Tensor:
        states = self.lower.of(documents, tuple(batch.rows.shape))
        with torch.autocast("cpu", torch.bfloat16):
            states = self.reader.upper_states(states, batch.mask)
        return self.reader.head(states.float(), batch)

    def _step(self, documents: Sequence[int], total: float, optimiser: torch.optim.Optimizer) -> None:
        """Learn from a batch; ``total`` is the mean weight of one, so that batches of large weight count for more."""
        self.reader.train()
        batch = batch_of(self.readings, documents).tensors()
        corrected = batch.log_odds + self._corrections(documents, batch)
        loss = _loss(corrected, batch) / total
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.reader.parameters(), 1.0)
        optimiser.step()
        self._losses.append((loss.item(), (_loss(batch.log_odds, batch) / total).item()))

    def _tell(self, done: int, steps: int, seconds: float) -> None:
        with_reader, without = np.mean(self._losses[-_TELL_EVERY:], axis=0)
        loss = f"loss {with_reader:.4f}, of the default {without:.4f}"
        print(f"{done:,} of {steps:,} steps, {loss}, {seconds:,.0f} s left", flush=True)

    def _resumed(self, optimiser: torch.optim.Optimizer, schedule: Any) -> int:
        """Return the steps made, with the state of the checkpoint if there is one."""
        torch.manual_seed(self.recipe.seed)
        if not self.file.is_file():
            return 0
        state = torch.load(self.file, weights_only=True)
        if state["recipe"] != asdict(self.recipe):
            raise SystemExit(f"{self.file} was trained by {state['recipe']}: remove it, or name another folder")
        self.reader.load_state_dict(state["reader"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        return int(state["steps"])

    def _save(self, steps: int, optimiser: torch.optim.Optimizer, schedule: Any) -> None:
        state = {
            "reader": self.reader.state_dict(),
            "optimiser": optimiser.state_dict(),
            "schedule": schedule.state_dict(),
            "random": torch.get_rng_state(),
            "steps": steps,
            "recipe": asdict(self.recipe),
        }
        unfinished = self.file.with_suffix(".unfinished")
        torch.save(state, unfinished)
        unfinished.replace(self.file)


def _loss(log_odds: Tensor, batch: Batch) -> Tensor:
    each = nn.functional.binary_cross_entropy_with_logits(log_odds, batch.answers, reduction="none")
    return (batch.weight * each).sum()


def _rate(step: int, steps: int) -> float:
    """Return the share of the rate at a step: it rises, then falls to 0."""
    warm = math.ceil(_WARM * steps)
    return (step + 1) / warm if step < warm else (steps - step) / (steps - warm)
