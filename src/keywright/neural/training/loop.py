"""The training loop."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

import torch
from torch import Tensor

from keywright.core.atomic_files import write_whole
from keywright.core.errors import BadParameter, EmptyInput, PartlyDone
from keywright.neural.data.examples import Example, make_batches
from keywright.neural.model_folder import CHECKPOINT
from keywright.neural.models.generator import KeyphraseGenerator, copy_weights, load_weights
from keywright.neural.training import state
from keywright.neural.training.example_sources import source_lengths
from keywright.neural.training.recipe import Recipe
from keywright.neural.training.state import TrainingProgress
from keywright.neural.training.tasks import LOSS, change_examples, validate

SAVE_EVERY: Final = 300.0  # seconds between checkpoints; arbitrary
_LOG_EVERY: Final = 50  # steps between lines of the log; arbitrary
LOG: Final = "log.jsonl"


@dataclass(frozen=True, slots=True)
class Step:
    """News from the training: ``done`` of at most ``steps`` are made."""

    done: int
    steps: int
    loss: float  # mean of a target token since the last news; after a validation its own, and the speed is 0
    tokens_per_second: float  # source and target words since the last news
    seconds_left: float  # at this speed
    validation: Mapping[str, float] | None = None  # measures of the validation, after one


@dataclass(slots=True)
class Training:
    """A training of a model in a folder, which resumes from its checkpoint if there is one."""

    model: KeyphraseGenerator
    recipe: Recipe
    examples: Sequence[Example]
    validation: Sequence[Example]
    folder: Path
    identity: str  # hash of data, limits and model; a checkpoint with another one is refused
    tell: Callable[[Step], None] = field(default=lambda _step: None)  # called with the news
    seconds: float | None = None  # time after which it stops with a checkpoint; None for no limit
    save_every: float = SAVE_EVERY  # seconds between checkpoints; a kill costs at most so much work

    def run(self) -> TrainingProgress:
        """Train until the steps are made or validation does not improve; the model then has the best weights.

        Raises EmptyInput: no examples; PartlyDone: no finite loss, no time or memory left; the checkpoint is kept.
        """
        if not self.examples or not self.validation:
            raise EmptyInput("there are no documents to learn from", "expected labelled documents with keyphrases")
        self.folder.mkdir(parents=True, exist_ok=True)
        optimiser = state.make_optimiser(self.recipe, self.model)
        loaded = state.load_checkpoint(self.folder / CHECKPOINT.name, self.model, optimiser)
        if loaded is None:
            torch.manual_seed(self.recipe.seed)
            loaded = TrainingProgress(self.identity), copy_weights(self.model)
        progressed, best = loaded
        if progressed.recipe != self.identity:
            message = f"{self.folder} holds the checkpoint of another training"
            raise BadParameter(message, "name a new folder, or repeat the same command to resume it")
        file = self.folder / LOG
        if file.is_file():  # lines of steps behind the checkpoint will be made again
            lines = file.read_text(encoding="utf-8").splitlines()
            done = (f"{line}\n" for line in lines if json.loads(line)["step"] <= progressed.steps)
            write_whole(file, "".join(done).encode("utf-8"))
        with file.open("a", encoding="utf-8") as log, state.keep_freed_memory():
            best = self._make_steps(progressed, best, optimiser, log)
        load_weights(self.model, best)
        return progressed

    @property
    def is_mixed(self) -> bool:
        """True if products are computed in bfloat16: the recipe has it, and so has the device."""
        return self.recipe.mixed_precision and state.has_bfloat16(self.model.device)

    def _make_steps(
        self, progressed: TrainingProgress, best: dict[str, Tensor], optimiser: torch.optim.Optimizer, log: IO[str]
    ) -> dict[str, Tensor]:
        """Make the steps that are left; return the best weights."""
        recipe, model, news = self.recipe, self.model, _News()
        epoch, order, lengths = -1, [], source_lengths(self.examples)
        total = unsaved = 0.0  # seconds of all steps, and of those since the last checkpoint
        while progressed.steps < recipe.steps and progressed.waited < recipe.patience:
            current, place = divmod(progressed.steps, -(-len(self.examples) // recipe.batch))
            if current != epoch:
                epoch, order = current, make_batches(lengths, recipe.batch, recipe.seed, current)
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate(progressed.steps, progressed.halvings)
            batch = [self.examples[row] for row in order[place].tolist()]
            started, started_core = time.perf_counter(), time.process_time()
            news.add(*self._update(change_examples(recipe, model, batch, progressed.steps), optimiser))
            seconds = time.perf_counter() - started
            progressed.core_seconds += time.process_time() - started_core
            total, unsaved, news.seconds = total + seconds, unsaved + seconds, news.seconds + seconds
            progressed.steps += 1
            if progressed.steps % _LOG_EVERY == 0:
                self._log(log, progressed, news)
                news = _News()
            if progressed.steps % recipe.validate_every == 0 or progressed.steps == recipe.steps:
                values = validate(recipe, model, self.validation)
                progressed.validations.append({"step": progressed.steps, **values})
                _write_line(log, {"step": progressed.steps, "validation": values})
                self.tell(Step(progressed.steps, recipe.steps, values[LOSS], 0.0, 0.0, values))
                value = -values[LOSS] if recipe.chosen_by == LOSS else values[recipe.chosen_by]
                if progressed.best is None or value > progressed.best:
                    best = copy_weights(model)
                    progressed.best, progressed.best_step, progressed.waited = value, progressed.steps, 0
                else:
                    progressed.waited += 1
                    progressed.halvings += 1
            over = self.seconds is not None and total > self.seconds
            if unsaved > self.save_every or over or progressed.steps == recipe.steps:
                state.save_checkpoint(self.folder / CHECKPOINT.name, progressed, model, best, optimiser)
                unsaved = 0.0
            if over and progressed.steps < recipe.steps:
                message = f"{progressed.steps:,} of {recipe.steps:,} steps are made, and the time is over"
                raise PartlyDone(message, "the same command resumes it")
        return best

    def _update(self, examples: Sequence[Example], optimiser: torch.optim.Optimizer) -> tuple[float, int, int]:
        """Make a step; return the sum of losses, and the numbers of target words and of all words."""
        self.model.train()
        optimiser.zero_grad(set_to_none=True)
        try:
            with torch.autocast(self.model.device.type, torch.bfloat16, enabled=self.is_mixed):
                loss = self.model.loss(examples)
            mean = loss.total / max(1, loss.tokens)
            if not torch.isfinite(mean):
                hint = "the last checkpoint is kept, and its best weights are good"
                raise PartlyDone(f"the loss is {mean.item()}", f"try a lower learning_rate (--recipe); {hint}")
            mean.backward()
        except (MemoryError, torch.OutOfMemoryError) as error:
            hint = "try a smaller batch (--recipe batch=8) or a smaller --profile"
            raise PartlyDone(f"memory is too short for a batch of {len(examples)} documents", hint) from error
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
        optimiser.step()
        return loss.total.item(), loss.tokens, sum(len(example.source) for example in examples) + loss.tokens

    def _log(self, log: IO[str], progressed: TrainingProgress, news: "_News") -> None:
        """Write a line of the log, and tell the news."""
        progressed.seconds += news.seconds
        speed = news.words / max(news.seconds, 1e-9)
        left = news.seconds / max(1, news.steps) * (self.recipe.steps - progressed.steps)
        step = Step(progressed.steps, self.recipe.steps, news.loss / max(1, news.targets), speed, left)
        line = {
            "step": step.done,
            "loss": step.loss,
            "learning_rate": self.recipe.rate(progressed.steps, progressed.halvings),
            "tokens_per_second": speed,
            "seconds": progressed.seconds,
        }
        _write_line(log, line)
        state.give_back_freed_memory()
        self.tell(step)


@dataclass(slots=True)
class _News:
    """Sums over the steps since the last news."""

    loss: float = 0.0
    targets: int = 0
    words: int = 0
    steps: int = 0
    seconds: float = 0.0

    def add(self, loss: float, targets: int, words: int) -> None:
        self.loss, self.targets, self.words = self.loss + loss, self.targets + targets, self.words + words
        self.steps += 1


def _write_line(log: IO[str], values: dict[str, Any]) -> None:
    log.write(json.dumps(values) + "\n")
    log.flush()
