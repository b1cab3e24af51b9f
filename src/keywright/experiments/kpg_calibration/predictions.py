"""The released predictions of five keyphrase generators, read from this machine: without a licence they never ship."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from keywright.core.errors import MissingData
from keywright.core.predictions import Run
from keywright.datasets.data_folders import MIRROR, mirror_folder
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.reading import read_outputs, read_run_file
from keywright.evaluation.run_formats.token_probabilities import Output

FOLDER: Final = "kpg_predictions"

COLLECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"inspec": "inspec", "krapivin": "krapivin", "semeval2010": "semeval"}
)
"""Names of collections in files, by name in tables."""

MODELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "exhird": "exhird_h_seed1",
        "one2seq": "one2seq",
        "one2set": "one2set",
        "bart": "bart",
        "t5": "t5_seed1",
        "exhird-seed2": "exhird_h_seed2",
        "t5-seed2": "t5_seed2",
        "t5-large": "t5_large",
    }
)
"""Names of models in files, by name in tables: those of the study, then other seeds and sizes."""

STUDIED: Final = ("exhird", "one2seq", "one2set", "bart", "t5")
"""The five models of the study."""
OWN: Final = frozenset({"exhird", "exhird-seed2", "bart"})
"""Models with their own version of texts and gold, which their predictions are compared with."""


def predictions_file(system: str, collection: str, mirror: Path | None = None) -> Path:
    """Return the path of a model's predictions."""
    folder = mirror or mirror_folder()
    name = f"{FOLDER}/{MODELS[system]}_{COLLECTIONS[collection]}.jsonl.zst"
    if folder is None or not (folder / name).is_file():
        where = f"{folder} holds no {name}" if folder else f"{MIRROR} is not set"
        raise MissingData(
            f"the released predictions of {system} are not on this machine: {where}",
            f"they have no licence and are not shipped; name a folder in {MIRROR} that holds one named {FOLDER}",
        )
    return folder / name


def predicted(system: str, collection: str, mirror: Path | None = None) -> LoadedRun:
    """Return the predictions of a model with texts and gold, the model's own version for models of ``OWN``."""
    return _read(predictions_file(system, collection, mirror), "generations-own" if system in OWN else "generations")


def written(system: str, collection: str, mirror: Path | None = None) -> dict[str, Output]:
    """Return the whole output of a model for each document."""
    return read_outputs(predictions_file(system, collection, mirror))


def predicted_run(loaded: LoadedRun) -> Run:
    """Return the run of a file that was read."""
    if not isinstance(loaded.predictions, Run):
        raise TypeError("answers in place of a run")
    return loaded.predictions


@lru_cache(maxsize=64)
def _read(path: Path, form: str) -> LoadedRun:
    return read_run_file(path, form)


def voting_predictions(collection: str, systems: tuple[str, ...], mirror: Path | None = None) -> dict[str, LoadedRun]:
    """Return predictions of several models over the same texts, by the models' names in files."""
    return {MODELS[system]: _read(predictions_file(system, collection, mirror), "generations") for system in systems}
