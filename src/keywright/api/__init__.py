"""The verbs of keywright: what a person needs, and the only package that a face may call.

Verbs are loaded on first use: extraction needs neither scoring nor tables.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keywright.api.analysing import analyse
    from keywright.api.calibrating import apply_calibrator, calibrate
    from keywright.api.combining import combine, combine_and_tell
    from keywright.api.extracting import extract, extract_each, extract_files, prepare, read_all
    from keywright.api.inputs import Chosen, Given, Progress, document, load, parametrised, read, system
    from keywright.api.labelled import dataset
    from keywright.api.listing import list_datasets, list_protocols, list_systems, list_tables
    from keywright.api.probabilities import calibrated, drift
    from keywright.api.reproducing import publish_reproduced, reproduce, reproduced_tables
    from keywright.api.running import DEPTH, run
    from keywright.api.scoring import compare, explain_difference, publish, score, score_all, score_stream
    from keywright.api.selective_options import guarantee_of, limited
    from keywright.api.training import adapt, train, train_and_tell

_PLACES = {
    "analysing": "analyse",
    "calibrating": "apply_calibrator calibrate",
    "combining": "combine combine_and_tell",
    "extracting": "extract extract_each extract_files prepare read_all",
    "inputs": "Chosen Given Progress document load parametrised read system",
    "labelled": "dataset",
    "selective_options": "limited guarantee_of",
    "listing": "list_datasets list_protocols list_systems list_tables",
    "probabilities": "calibrated drift",
    "reproducing": "publish_reproduced reproduce reproduced_tables",
    "running": "DEPTH run",
    "scoring": "compare explain_difference publish score score_all score_stream",
    "training": "adapt train train_and_tell",
}
_PLACE = {name: module for module, names in _PLACES.items() for name in names.split()}

__all__ = [
    "DEPTH",
    "Chosen",
    "Given",
    "Progress",
    "adapt",
    "analyse",
    "apply_calibrator",
    "calibrate",
    "calibrated",
    "combine",
    "combine_and_tell",
    "compare",
    "dataset",
    "document",
    "drift",
    "explain_difference",
    "extract",
    "extract_each",
    "extract_files",
    "guarantee_of",
    "limited",
    "list_datasets",
    "list_protocols",
    "list_systems",
    "list_tables",
    "load",
    "parametrised",
    "prepare",
    "publish",
    "publish_reproduced",
    "read",
    "read_all",
    "reproduce",
    "reproduced_tables",
    "run",
    "score",
    "score_all",
    "score_stream",
    "system",
    "train",
    "train_and_tell",
]


def __getattr__(name: str) -> Any:
    """A verb, loaded now."""
    if name not in _PLACE:
        raise AttributeError(f"module 'keywright.api' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"keywright.api.{_PLACE[name]}"), name)
    globals()[name] = value
    return value
