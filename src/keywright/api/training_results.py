"""The result of training a system, with what people should know of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keywright.adapting.gain import Gain
from keywright.core.interfaces import Extractor


@dataclass(frozen=True, slots=True)
class Trained:
    """A system fitted on labelled documents.

    Attributes:
        card: its training data and date; with the gain if one was measured.
        saved: whether it was written into a folder.
        gain: change on held-out documents; None for systems that are trained from scratch.
    """

    system: Extractor
    card: Mapping[str, Any]
    saved: bool
    gain: Gain | None = None
    notes: tuple[str, ...] = ()
