"""Sizes and recipes by name: the paper's, one for a processor without a GPU, and a tiny one for tests."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from keywright.core.errors import unknown
from keywright.neural.data.examples import Limits
from keywright.neural.training.recipe import ChosenBy, Optimiser, Recipe, Schedule


class ProfileName(enum.StrEnum):
    """Sizes of a generator: for tests, for at most two hours of a core, and as published."""

    TINY = "tiny"
    SMALL = "small"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class Profile:
    """A generator's size, the data that it sees, and its recipe.

    Attributes:
        words: of the vocabulary, or pieces of the tokeniser.
        config: values of the network that differ from the paper's.
    """

    limits: Limits
    words: int
    config: Mapping[str, Any]
    recipe: Recipe


_TINY_LIMITS: Final = Limits(source=100)
_SMALL_LIMITS: Final = Limits(source=200)
_TINY: Final = MappingProxyType({"width": 64, "heads": 4, "inner": 128, "layers": 2, "dropout": 0.0, "tied": True})
_SMALL: Final = MappingProxyType({"width": 256, "heads": 4, "inner": 512, "layers": 2, "tied": True})
_TINY_RECIPE: Final = Recipe(
    batch=16,
    steps=200,
    learning_rate=2e-3,
    schedule=Schedule.CONSTANT,
    validate_every=50,
    chosen_by=ChosenBy.F1,
    patience=100,
)
_SMALL_RECIPE: Final = Recipe(
    batch=32,
    steps=5_000,
    learning_rate=7e-4,
    betas=(0.9, 0.98),
    warmup=600,
    schedule=Schedule.COSINE,
    validate_every=500,
    chosen_by=ChosenBy.F1,
    patience=100,
    mixed_precision=True,
)
"""One or two core hours; learning rate and warm-up are usual for Transformers of this width, not tuned."""

_SMALL_T5_RECIPE: Final = replace(
    _SMALL_RECIPE,
    batch=16,
    steps=4_000,
    optimiser=Optimiser.ADAFACTOR,
    learning_rate=0.02,
    warmup=200,
    validate_every=1_000,
)
"""One core hour. By the rate and Adam of the others T5 learned next to nothing in that time; a first 250 steps of each
optimiser were compared."""

_YE: Final = Recipe()
"""Ye et al. 2021, section 5.2, and the values of its code for batches, validations and patience."""
_CHEN: Final = Recipe(
    batch=10, steps=300_000, learning_rate=1e-3, betas=(0.9, 0.999), epsilon=1e-8, validate_every=2_500, patience=3,
    seed=34,
)  # fmt: skip
"""Chen et al. 2020, section 4.3, and the values of its code."""

_WU: Final = Recipe(
    batch=64, steps=120_000, optimiser=Optimiser.ADAMW, learning_rate=6e-5, betas=(0.9, 0.999), epsilon=1e-8,
    warmup=2_000, schedule=Schedule.LINEAR, patience=100, mixed_precision=True,
)  # fmt: skip
"""Wu, Ahmad and Chang 2023: fifteen epochs of KP20k, from the published weights."""
_KUNDU: Final = Recipe(
    batch=64, steps=80_000, optimiser=Optimiser.SM3, learning_rate=0.1, warmup=2_000, warmup_power=2.0,
    schedule=Schedule.CONSTANT, clip=5.0, patience=100,
)  # fmt: skip
"""Kundu, Ray Chowdhury and Caragea 2023: ten epochs of KP20k, from the published weights."""
_TINY_PIECES: Final = MappingProxyType({name: value for name, value in _TINY.items() if name != "tied"})
_SMALL_PIECES: Final = MappingProxyType({name: value for name, value in _SMALL.items() if name != "tied"})

PROFILES: Final[Mapping[str, Mapping[ProfileName, Profile]]] = {
    "bart": {
        ProfileName.TINY: Profile(_TINY_LIMITS, 2_000, _TINY_PIECES, _TINY_RECIPE),
        ProfileName.SMALL: Profile(
            _SMALL_LIMITS, 8_000, _SMALL_PIECES, replace(_SMALL_RECIPE, steps=1_500, warmup=200)
        ),
        ProfileName.PAPER: Profile(Limits(), 50_265, {}, _WU),
    },
    "exhird": {
        ProfileName.TINY: Profile(
            _TINY_LIMITS, 2_000, {"embedding": 64, "hidden": 128}, replace(_TINY_RECIPE, learning_rate=1e-2)
        ),
        ProfileName.SMALL: Profile(
            _SMALL_LIMITS,
            10_000,
            {},
            replace(_SMALL_RECIPE, batch=16, steps=5_000, learning_rate=1e-3, warmup=0, validate_every=1_000),
        ),
        ProfileName.PAPER: Profile(Limits(), 50_000, {}, _CHEN),
    },
    "one2seq": {
        ProfileName.TINY: Profile(_TINY_LIMITS, 2_000, _TINY, _TINY_RECIPE),
        ProfileName.SMALL: Profile(_SMALL_LIMITS, 10_000, _SMALL, _SMALL_RECIPE),
        ProfileName.PAPER: Profile(Limits(), 50_000, {}, _YE),
    },
    "one2set": {
        ProfileName.TINY: Profile(_TINY_LIMITS, 2_000, _TINY, replace(_TINY_RECIPE, steps=300)),
        ProfileName.SMALL: Profile(_SMALL_LIMITS, 10_000, _SMALL, replace(_SMALL_RECIPE, steps=3_000)),
        ProfileName.PAPER: Profile(Limits(), 50_000, {}, _YE),
    },
    "t5": {
        ProfileName.TINY: Profile(
            _TINY_LIMITS, 2_000, _TINY_PIECES, replace(_TINY_RECIPE, steps=300, learning_rate=3e-3)
        ),
        # Without dropout a step takes half the time, and documents are seen two or three times.
        ProfileName.SMALL: Profile(_SMALL_LIMITS, 8_000, {**_SMALL_PIECES, "dropout": 0.0}, _SMALL_T5_RECIPE),
        ProfileName.PAPER: Profile(Limits(), 32_128, {}, _KUNDU),
    },
}


def profile_of(generator: str, name: str) -> Profile:
    """Return a profile of a generator.

    Raises:
        UnknownName: there is no such profile.
    """
    if name not in set(ProfileName):
        raise unknown("profile", name, tuple(ProfileName), "keywright train --help")
    return PROFILES[generator][ProfileName(name)]
