"""Documents that the default extractor is trained on: those of many collections, without those in test sets.

``tools/checks/decontamination_report.py`` compares every training collection with every guarded one and writes what
overlaps into ``overlaps.json``; here these documents are left out.
"""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from keywright.core.documents import Document, LabelledDocument, Style
from keywright.core.errors import BadParameter, WrongFingerprint
from keywright.datasets.collection import load
from keywright.datasets.training_mix import RULES, TRAINING, TrainingPart, usual_fingerprint

GUARDED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "semeval2010/test": ("author", "reader", "combined"),
        "semeval2010_abstracts/test": ("combined",),
        "inspec/test": ("uncontr",),
        "krapivin2009/test": ("author",),
        "krapivin_abstracts/test": ("author",),
        "kp20k_small/test": ("author",),
        "akec/test": ("crowd",),
        "semeval2010/train": ("author", "reader", "combined"),
    }
)
"""Data sets for reporting, and the papers on whose folds parameters are chosen, with the kinds of gold to compare.
Inspec's controlled terms are not among them: lists of two or three such terms agree by chance."""

FRENCH: Final = (TrainingPart("papyrus_fr/train", ("author",), Style.AUTHOR, every=3),)
"""French training data: a third of the theses."""

ALL_LANGUAGES: Final = (
    *(replace(part, every=3 * part.every) for part in TRAINING),
    TrainingPart("papyrus_fr/train", ("author",), Style.AUTHOR, 0.3, every=7),
    TrainingPart("wicc_es/train", ("author",), Style.AUTHOR, 0.3, every=2),
)
"""Training data for languages without trees of their own: a third of the English, and some French theses and Spanish
papers."""


@dataclass(frozen=True, slots=True)
class TrainingDocument:
    """A training document: its part, and the document with the gold to use."""

    part: TrainingPart
    labelled: LabelledDocument[Document]


def training_documents(
    parts: Sequence[TrainingPart] = TRAINING, mirror: Path | None = None
) -> Iterator[TrainingDocument]:
    """Yield the documents of all parts in order, without those that overlap a guarded data set or have no gold.

    Raises:
        BadParameter: a part is held out for reporting, or was never compared with the guarded data sets.
        WrongFingerprint: a card has changed since it was compared.
        MissingData: a collection is not on this machine.
    """
    for part in parts:
        data = load(part.data, mirror)
        if data.held_out:
            raise BadParameter(f"the gold of {part.data} is for reporting only", "train on another split")
        overlapping = left_out(part.data, part.rules)
        for labelled in itertools.islice(data, 0, None, part.every):
            meta = labelled.document.meta
            if labelled.id in overlapping or any(meta.get(key) in values for key, values in part.besides.items()):
                continue
            gold = tuple(entry for entry in labelled.gold if entry.by in part.kinds)
            if gold:
                yield TrainingDocument(part, LabelledDocument(labelled.document, gold))


def left_out(name: str, rules: Sequence[str] = RULES) -> frozenset[str]:
    """Return the ids of documents of a training collection that overlap a guarded data set.

    Raises:
        BadParameter: it was never compared.
        WrongFingerprint: its card, or that of a guarded data set, has changed since.
    """
    stored = compared()
    if name not in stored["training"]:
        raise BadParameter(
            f"{name} was never compared with the test sets",
            "add it to tools/checks/decontamination_report.py and run that",
        )
    for split, expected in {**stored["guarded"], name: stored["training"][name]["fingerprint"]}.items():
        if (current := usual_fingerprint(split)) != expected:
            raise WrongFingerprint(
                f"the card of {split} has fingerprint {current}, overlaps were found with {expected}",
                "run tools/checks/decontamination_report.py",
            )
    overlapping: Mapping[str, Mapping[str, Any]] = stored["training"][name]["overlaps"]
    return frozenset(document for document, by_rule in overlapping.items() if any(rule in by_rule for rule in rules))


@cache
def compared() -> Mapping[str, Any]:
    """Return what ``tools/checks/decontamination_report.py`` stored: rules, fingerprints, overlaps by collection."""
    text = files("keywright.datasets").joinpath("overlaps.json").read_text(encoding="utf-8")
    stored: dict[str, Any] = json.loads(text)
    return MappingProxyType(stored)
