"""The system of a trained generator's folder."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from keywright.core.errors import BrokenFile
from keywright.neural.model_folder import read_generator_card
from keywright.neural.systems.generator_system import GeneratorSystem, TrainedWeights

SYSTEMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bart": "keywright.neural.systems.bart:Bart",
        "exhird": "keywright.neural.systems.exhird:ExHiRD",
        "one2seq": "keywright.neural.systems.one2seq:One2Seq",
        "one2set": "keywright.neural.systems.one2set:One2Set",
        "t5": "keywright.neural.systems.t5:T5",
    }
)
"""``module:class`` by the name of the generator."""


def load_system(folder: Path) -> GeneratorSystem:
    """Return the system of a folder; its weights are read when the first document is extracted.

    Raises:
        MissingData: there is no generator.
        BrokenFile: the card is damaged, or names a generator that there is not.
    """
    name = str(read_generator_card(folder).get("generator"))
    if name not in SYSTEMS:
        raise BrokenFile(f"{folder} holds a generator called {name!r}", f"expected one of: {', '.join(SYSTEMS)}")
    module, _, thing = SYSTEMS[name].partition(":")
    kind: type[GeneratorSystem] = getattr(importlib.import_module(module), thing)
    return kind(TrainedWeights(folder))
