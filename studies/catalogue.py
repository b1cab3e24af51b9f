"""The studies by name; each is imported when asked for."""

import importlib
from typing import Final

from keywright.core.errors import unknown_name
from keywright.experiments.study import Study

PLACES: Final = {
    "arabic-keyphrases": "studies.arabic_keyphrases.study:STUDY",
    "arabic-text": "studies.arabic_text.study:STUDY",
    "calibrators": "studies.calibrators.study:STUDY",
    "default-ablation": "studies.default.study:ABLATION",
    "default-errors": "studies.default.study:ERRORS",
    "default-learning-curve": "studies.default.study:LEARNING_CURVE",
    "domain": "studies.domain.study:STUDY",
    "everyday": "studies.everyday.study:STUDY",
    "everyday-domains": "studies.everyday.domains:STUDY",
    "generality": "studies.generality.study:STUDY",
    "generator-combined": "studies.generators.combined:STUDY",
    "generator-helped": "studies.generators.helped:STUDY",
    "generator-help": "studies.generators.study:STUDY",
    "guarantees": "studies.guarantees.study:STUDY",
    "language-models": "studies.language_models.study:STUDY",
    "languages": "studies.languages.study:STUDY",
    "quality": "studies.quality.study:STUDY",
    "reader": "studies.reader.study:STUDY",
}
"""``module:value`` by name."""


def study(name: str) -> Study:
    """Return a study by its name.

    Raises:
        UnknownName: there is none of this name.
    """
    if name not in PLACES:
        raise unknown_name("study", name, PLACES, "python -m studies --list")
    module, _, value = PLACES[name].partition(":")
    entry: Study = getattr(importlib.import_module(module), value)
    return entry
