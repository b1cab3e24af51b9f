"""Recipes: optimiser, schedule, length and validation of a training; and profiles, sizes with their recipes by name."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final, Literal, Self, TypeAlias

from keywright.core.errors import BadParameter, unknown_name
from keywright.core.signatures import change_part
from keywright.neural.data.examples import Limits

RECIPE_PAGE: Final = "docs/how-to/train-a-generator.md"  # page with the names of all values
_SMALLEST_SHARE: Final = 0.01
"""Least share of the learning rate that halvings leave: Chen et al. 2020 stop at 1e-5 of 1e-3."""
_SETS: Final = "one2set"  # generator whose slots learn to stay empty
_FOR: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "reassign_empty": (_SETS,),
        "adaptive_empty": (_SETS,),
        "token_shift": ("one2seq", _SETS),
        "copy_pieces": ("bart", "t5"),
        "soft_exclusion": ("exhird",),
    }
)
"""Options that only some generators have."""
_OF_KEYPHRASES: Final = ("kpdrop", "kpdrop_variant", "reassign_empty", "adaptive_empty", "soft_exclusion")
"""Options that change what is learned from keyphrases."""
Objective: TypeAlias = Literal["keyphrases", "denoising", "titles"]
"""Learning to write keyphrases, or from texts without keyphrases to restore them, or to write title phrases."""
LongDocuments: TypeAlias = Literal["leave_out", "cut"]
"""Use of labelled documents longer than the longest source: none, as the published code has it, or cut to it."""
Optimiser: TypeAlias = Literal["adam", "adamw", "sm3", "adafactor"]
"""Adam (Kingma and Ba 2015), AdamW (Loshchilov and Hutter 2019), SM3 (Anil et al. 2019), or Adafactor (Shazeer and
Stern 2018), whose steps are relative to the size of the weights, as T5's embeddings need it."""
Schedule: TypeAlias = Literal["halving", "linear", "cosine", "constant"]
"""Rate after the warm-up: halved when a validation is not better, falling to 0 (line, cosine), or constant."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a generator is trained; values out of their ranges, or that do not go together, are a ``BadParameter``."""

    # Options that change what a generator learns, each from a paper of its own, have names only and are off by default.
    # Another training can start from weights of the objectives that are not keyphrases.
    objective: Objective = field(default="keyphrases", kw_only=True)
    # KPDrop (Ray Chowdhury et al. 2022): the probability that a present keyphrase is removed from the source and
    # becomes an absent one, 0 for none, and whether such examples extend the batch (KPDrop-A) or replace it (KPDrop-R).
    kpdrop: float = field(default=0.0, kw_only=True)
    kpdrop_variant: Literal["append", "replace"] = field(default="append", kw_only=True)
    # Xie et al. 2022: whether an empty slot of a set that would write a keyphrase may take it, and whether losses of
    # empty slots count less while a document's keyphrases are less probable than the empty mark.
    reassign_empty: bool = field(default=False, kw_only=True)
    adaptive_empty: bool = field(default=False, kw_only=True)
    # Keyphrases that only the part behind the cut contains are not taught.
    long_documents: LongDocuments = field(default="leave_out", kw_only=True)
    # Ours: whether each place of the source also has the word before it, and whether pieces of it can be copied.
    token_shift: bool = field(default=False, kw_only=True)
    copy_pieces: bool = field(default=False, kw_only=True)
    # Weight of the loss of first words of the four phrases before, in the paper 1 (Chen et al. 2020, ExHiRD-s, which
    # then decodes without hard exclusion); 0 for none.
    soft_exclusion: float = field(default=0.0, kw_only=True)
    batch: int = 12  # documents of a step
    steps: int = 800_000  # at most
    optimiser: Optimiser = "adam"
    learning_rate: float = 1e-4  # the largest, to which it grows in ``warmup`` steps, with the power ``warmup_power``
    betas: tuple[float, float] = (0.9, 0.998)  # decay of Adam's means
    epsilon: float = 1e-9  # added to Adam's divisor
    weight_decay: float = 0.0  # used by AdamW
    warmup: int = 0
    warmup_power: float = 1.0
    schedule: Schedule = "halving"
    clip: float = 1.0  # largest norm of the gradient
    validate_every: int = 8_000  # steps between validations
    chosen_by: Literal["present/F@M", "loss"] = "loss"  # measure by which a validation is better than another
    patience: int = 4  # validations without a better one after which training ends
    mixed_precision: bool = False  # whether products are computed in bfloat16
    seed: int = 27  # decides the weights, the order of the documents, and dropout

    def __post_init__(self) -> None:
        for name in ("batch", "steps", "validate_every", "patience"):
            if getattr(self, name) < 1:
                raise BadParameter(f"{name} {getattr(self, name)}", "expected a number from 1")
        if not 0 < self.learning_rate < math.inf or self.clip <= 0 or self.warmup < 0:
            message = f"learning_rate {self.learning_rate:g}, clip {self.clip:g}, warmup {self.warmup}"
            raise BadParameter(message, "expected numbers above 0")
        if not 0 <= self.soft_exclusion < math.inf:
            raise BadParameter(f"soft_exclusion {self.soft_exclusion:g}", "expected a weight from 0, such as 1")
        if not 0 <= self.kpdrop <= 1:
            raise BadParameter(f"kpdrop {self.kpdrop:g}", "expected a probability from 0 to 1, such as 0.7")
        if self.kpdrop_variant != "append" and not self.kpdrop:
            message = f"kpdrop_variant {self.kpdrop_variant} without kpdrop"
            raise BadParameter(message, "add the probability: --recipe kpdrop=0.7")
        if self.objective != "denoising":
            return
        if others := [name for name in self._list_changed() if name in _OF_KEYPHRASES]:
            message = f"{others[0]} with objective denoising, which has no keyphrases"
            raise BadParameter(message, "use it in the training on keyphrases that starts from this one (--start)")
        if self.chosen_by != "loss":
            message = f"weights chosen by {self.chosen_by} with objective denoising, which has no keyphrases"
            raise BadParameter(message, "leave out chosen_by: they are chosen by the loss")

    def check_generator(self, name: str) -> None:
        """Raise ``BadParameter`` for a generator that cannot be trained with these options."""
        if self.objective == "denoising" and name == _SETS:
            hint = "train one2seq so, then `keywright train one2set DATASET --start DIR`, whose network is the same"
            raise BadParameter(f"{_SETS} cannot restore texts: each slot writes a few words", hint)
        for option, names in _FOR.items():
            if getattr(self, option) and name not in names:
                raise BadParameter(f"{option} for {name}", f"leave it out, or train {' or '.join(names)}, which has it")

    def network_values(self) -> dict[str, Any]:
        """Return the values that options add to the config of a network."""
        parts = {"token_shift": self.token_shift, "copy_pieces": self.copy_pieces}
        exclusion = {"exclusion": {"hard_window": 0, "soft_weight": self.soft_exclusion}} if self.soft_exclusion else {}
        return {**{name: value for name, value in parts.items() if value}, **exclusion}

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """Return the recipe with values replaced (else ``BadParameter``); denoising chooses by the loss."""
        chosen_by = {"chosen_by": "loss"} if values.get("objective") == "denoising" else {}
        return change_part(self, {**chosen_by, **values}, "recipe", RECIPE_PAGE)

    def as_json(self) -> dict[str, Any]:
        """Return the values by name, without defaults, so that a new option leaves older checkpoints resumable."""
        changed = self._list_changed()
        left_out = {option.name for option in fields(self) if option.kw_only and option.name not in changed}
        return {name: value for name, value in asdict(self).items() if name not in left_out}

    def _list_changed(self) -> list[str]:
        return [each.name for each in fields(self) if each.kw_only and getattr(self, each.name) != each.default]

    def rate(self, step: int, halvings: int = 0) -> float:
        """Return the learning rate of a step, from 0, after some halvings."""
        growth = min(1.0, ((step + 1) / self.warmup) ** self.warmup_power) if self.warmup else 1.0
        left = 1 - min(1.0, max(0, step - self.warmup) / max(1, self.steps - self.warmup))
        factors = {
            "halving": max(0.5**halvings, _SMALLEST_SHARE),
            "linear": left,
            "cosine": (1 - math.cos(math.pi * left)) / 2,
            "constant": 1.0,
        }
        return self.learning_rate * growth * factors[self.schedule]


@dataclass(frozen=True, slots=True)
class Profile:
    """A generator's limits of examples, words of the vocabulary or pieces, values of the network, and recipe."""

    limits: Limits
    words: int
    config: Mapping[str, Any]
    recipe: Recipe


_NAMES: Final = ("tiny", "small", "paper")
"""Sizes of a generator: for tests, for at most two hours of a core, and as published."""
_LIMITS: Final = (Limits(source=100), Limits(source=200), Limits())  # limits of each profile
_TINY_PIECES: Final = MappingProxyType({"width": 64, "heads": 4, "inner": 128, "layers": 2, "dropout": 0.0})
_SMALL_PIECES: Final = MappingProxyType({"width": 256, "heads": 4, "inner": 512, "layers": 2})
_TINY: Final = MappingProxyType({**_TINY_PIECES, "tied": True})
_SMALL: Final = MappingProxyType({**_SMALL_PIECES, "tied": True})
_TINY_RECIPE: Final = Recipe(
    batch=16, steps=200, learning_rate=2e-3, schedule="constant", validate_every=50, chosen_by="present/F@M",
    patience=100,
)  # fmt: skip
_SMALL_RECIPE: Final = Recipe(
    batch=32, steps=5_000, learning_rate=7e-4, betas=(0.9, 0.98), warmup=600, schedule="cosine",
    validate_every=500, chosen_by="present/F@M", patience=100, mixed_precision=True, long_documents="cut",
)  # fmt: skip
"""One or two core hours; learning rate and warm-up are usual for Transformers of this width, not tuned."""
_SMALL_EXHIRD: Final = replace(_SMALL_RECIPE, batch=16, steps=5_000, learning_rate=1e-3, warmup=0, validate_every=1_000)
_SMALL_T5: Final = replace(
    _SMALL_RECIPE, batch=16, steps=4_000, optimiser="adafactor", learning_rate=0.02, warmup=200,
    validate_every=1_000,
)  # fmt: skip
"""One core hour. By the rate and Adam of the others T5 learned next to nothing in that time; a first 250 steps of each
optimiser were compared."""
_YE: Final = Recipe()  # Ye et al. 2021, section 5.2, and the values of its code for batches, validations and patience
_CHEN: Final = Recipe(
    batch=10, steps=300_000, learning_rate=1e-3, betas=(0.9, 0.999), epsilon=1e-8, validate_every=2_500, patience=3,
    seed=34,
)  # fmt: skip
"""Chen et al. 2020, section 4.3, and the values of its code."""
_WU: Final = Recipe(
    batch=64, steps=120_000, optimiser="adamw", learning_rate=6e-5, betas=(0.9, 0.999), epsilon=1e-8,
    warmup=2_000, schedule="linear", patience=100, mixed_precision=True,
)  # fmt: skip
"""Wu, Ahmad and Chang 2023: fifteen epochs of KP20k, from the published weights."""
_KUNDU: Final = Recipe(
    batch=64, steps=80_000, optimiser="sm3", learning_rate=0.1, warmup=2_000, warmup_power=2.0,
    schedule="constant", clip=5.0, patience=100,
)  # fmt: skip
"""Kundu, Ray Chowdhury and Caragea 2023: ten epochs of KP20k, from the published weights."""


def _make_profiles(
    tiny: Mapping[str, Any], small: Mapping[str, Any], recipes: Sequence[Recipe], pieces: int | None = None
) -> Mapping[str, Profile]:
    """Return the profiles of a generator from its sizes and recipes; ``pieces`` of a published tokeniser."""
    words = (2_000, 10_000, 50_000) if pieces is None else (2_000, 8_000, pieces)
    return dict(zip(_NAMES, map(Profile, _LIMITS, words, (tiny, small, {}), recipes), strict=True))


PROFILES: Final[Mapping[str, Mapping[str, Profile]]] = {
    "bart": _make_profiles(
        _TINY_PIECES, _SMALL_PIECES, (_TINY_RECIPE, replace(_SMALL_RECIPE, steps=1_500, warmup=200), _WU), 50_265
    ),
    "exhird": _make_profiles(
        {"embedding": 64, "hidden": 128}, {}, (replace(_TINY_RECIPE, learning_rate=1e-2), _SMALL_EXHIRD, _CHEN)
    ),
    "one2seq": _make_profiles(_TINY, _SMALL, (_TINY_RECIPE, _SMALL_RECIPE, _YE)),
    "one2set": _make_profiles(
        _TINY, _SMALL, (replace(_TINY_RECIPE, steps=300), replace(_SMALL_RECIPE, steps=3_000), _YE)
    ),
    # Without dropout a step of T5 takes half the time, and documents are seen two or three times.
    "t5": _make_profiles(
        _TINY_PIECES,
        {**_SMALL_PIECES, "dropout": 0.0},
        (replace(_TINY_RECIPE, steps=300, learning_rate=3e-3), _SMALL_T5, _KUNDU),
        32_128,
    ),
}


def find_profile(generator: str, name: str) -> Profile:
    """Return a profile of a generator; there is no other name (``UnknownName``)."""
    if name not in _NAMES:
        raise unknown_name("profile", name, _NAMES, "keywright train --help")
    return PROFILES[generator][name]
