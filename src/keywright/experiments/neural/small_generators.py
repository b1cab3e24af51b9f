"""The small generators of the table: trained once, kept among the user's cached files, resumed if stopped."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.calibration.calibrators.trained_generators import calibrated_generator
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Extractor, Progress
from keywright.datasets.collection import load
from keywright.datasets.data_folders import cache_folder
from keywright.neural.model_folder import CARD, read_generator_card

PROFILE: Final = "small"
DATA: Final = ("train_mix/author", "train_mix/indexer")
"""Labelled documents to learn from: with keyphrases of authors and indexers, not the tags of the mix."""

Find: TypeAlias = Callable[[str], type[Any]]
"""Gives a system's class by its name."""
Train: TypeAlias = Callable[..., Any]
"""Trains a generator into a folder (``keywright.train``)."""


def small_generator(name: str, find: Find, train: Train, progress: Progress | None = None) -> Extractor:
    """Return a generator with its calibrator; it is trained first unless that is done.

    ``progress`` gets the steps made and those in all.

    Raises:
        BadParameter: the cached generator was trained in another way.
        MissingExtra: the extra ``neural`` is not installed.
        MissingData: the training data is not on this machine.
    """
    folder = cache_folder("generators") / f"{name}-{PROFILE}"
    if not (folder / CARD).is_file():
        train(find(name)(), DATA, folder, PROFILE, tell=_steps(progress))
    _check(folder, name)
    return calibrated_generator(folder)


def _steps(progress: Progress | None) -> Callable[[Any], None]:
    """Return a listener to the news of a training."""

    def tell(news: Any) -> None:
        if progress:
            progress(news.done, news.steps)

    return tell


def _check(folder: Path, name: str) -> None:
    """Raise unless the generator was trained on the data and by the recipe of the table."""
    from keywright.neural.training.fitting import profile_record  # noqa: PLC0415 - heavy
    from keywright.neural.training.profiles import profile_of  # noqa: PLC0415 - heavy

    card = read_generator_card(folder)
    expected = {"data": [load(each).signature for each in DATA], "profile": profile_record(profile_of(name, PROFILE))}
    different = [part for part, value in expected.items() if card.get(part) != value]
    if different:
        raise BadParameter(
            f"the generator in {folder} was trained with other values of {' and '.join(different)}",
            "remove that folder to train it again, or name another cache in KEYWRIGHT_CACHE",
        )
