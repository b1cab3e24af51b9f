"""The verbs of keywright: what a person needs, and the only package that a face may call."""

from keywright.api.extracting import DEPTH, extract, extract_each, extract_files, prepare, read_all, run, train
from keywright.api.given import Chosen, Given, Progress, dataset, document, load, parametrised, read, system
from keywright.api.listing import list_datasets, list_protocols, list_systems, list_tables
from keywright.api.reproducing import publish_reproduced, reproduce, reproduced_tables
from keywright.api.scoring import compare, explain_difference, publish, score, score_all, score_stream

__all__ = [
    "DEPTH",
    "Chosen",
    "Given",
    "Progress",
    "compare",
    "dataset",
    "document",
    "explain_difference",
    "extract",
    "extract_each",
    "extract_files",
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
]
