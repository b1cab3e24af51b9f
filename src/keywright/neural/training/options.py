"""Options of a training that change what a generator learns, each from a paper of its own; all are off by default."""

import enum
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from keywright.core.errors import BadParameter

_SETS: Final = "one2set"
"""Generator whose slots learn to stay empty."""


class Objective(enum.StrEnum):
    """Learning to write the keyphrases of labelled documents, or to restore texts without keyphrases."""

    KEYPHRASES = "keyphrases"
    DENOISING = "denoising"


class DropVariant(enum.StrEnum):
    """Use of the examples without some keyphrases: instead of the originals of a batch, or beside them."""

    REPLACE = "replace"
    APPEND = "append"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """Options of a training.

    Attributes:
        objective: keyphrases, or denoising of unlabelled texts (Lewis et al. 2020), whose weights another training can
            start from.
        kpdrop: probability that a present keyphrase is removed from the source and becomes an absent one
            (Ray Chowdhury et al. 2022); 0 to 1, 0 for none.
        kpdrop_variant: whether such examples are appended to the batch (KPDrop-A) or replace it (KPDrop-R).
        reassign_empty: whether an empty slot of a set that would write a keyphrase may take it (Xie et al. 2022).
        adaptive_empty: whether losses of empty slots count less while a document's keyphrases are less probable than
            the empty mark (Xie et al. 2022).
    """

    objective: Objective = Objective.KEYPHRASES
    kpdrop: float = 0.0
    kpdrop_variant: DropVariant = DropVariant.APPEND
    reassign_empty: bool = False
    adaptive_empty: bool = False

    def check_options(self) -> None:
        """Check that the values are in their ranges and go together.

        Raises:
            BadParameter: they are not.
        """
        if not 0 <= self.kpdrop <= 1:
            raise BadParameter(f"kpdrop {self.kpdrop:g}", "expected a probability from 0 to 1, such as 0.7")
        if self.kpdrop_variant is not DropVariant.APPEND and not self.kpdrop:
            message = f"kpdrop_variant {self.kpdrop_variant} without kpdrop"
            raise BadParameter(message, "add the probability: --recipe kpdrop=0.7")
        others = [name for name in self.changed_options() if name != "objective"]
        if self.objective is Objective.DENOISING and others:
            message = f"{others[0]} with objective denoising, which has no keyphrases"
            raise BadParameter(message, "use it in the training on keyphrases that starts from this one (--start)")

    def check_generator(self, name: str) -> None:
        """Check that a generator can be trained with these options.

        Raises:
            BadParameter: it cannot.
        """
        if self.objective is Objective.DENOISING and name == _SETS:
            hint = "train one2seq so, then `keywright train one2set DATASET --start DIR`, whose network is the same"
            raise BadParameter(f"{_SETS} cannot restore texts: each slot writes a few words", hint)
        for option in ("reassign_empty", "adaptive_empty"):
            if getattr(self, option) and name != _SETS:
                raise BadParameter(f"{option} for {name}, which has no slots", f"leave it out, or train {_SETS}")

    def changed_options(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, by name."""
        values, unchanged = asdict(self), asdict(TrainingOptions())
        return {name: values[name] for name in OPTIONS if values[name] != unchanged[name]}


OPTIONS: Final = tuple(field.name for field in fields(TrainingOptions))
"""Names of the options."""
