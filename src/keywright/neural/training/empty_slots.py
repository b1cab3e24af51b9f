"""Empty slots in the training of a generator of sets: keyphrases that they may take, and the weight of their loss.

Xie et al., "WR-One2Set: Towards Well-Calibrated Keyphrase Generation", EMNLP 2022. Most slots have no keyphrase and
learn to stay empty, which a model then believes too often. Two remedies: an empty slot that would write a keyphrase is
not taught to be empty, and the losses of a document's empty slots count less while its keyphrases lose against the
empty mark.
"""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, slots=True)
class EmptySlots:
    """Use of empty slots in training; the default is that of Ye et al. 2021.

    Attributes:
        reassigned: whether empty slots may take keyphrases (``with_keyphrases``).
        adaptive: whether the losses of empty slots are weighted by document (``document_weights``).
    """

    reassigned: bool = False
    adaptive: bool = False


def with_keyphrases(targets: Tensor, written: Tensor, padding: int, filled: Tensor) -> tuple[Tensor, Tensor]:
    """Return targets in which empty slots have taken keyphrases, and the slots whose losses count.

    An empty slot that would write the first words of one keyphrase takes it if no slot with a keyphrase would write
    that. Where one would, or where several keyphrases begin so, the slot stays empty and its loss does not count.

    Args:
        targets: words of each slot's keyphrase, (batch, slots, words), of one half of the slots.
        written: first words that each slot writes if it may not stay empty, (batch, slots, steps).
        padding: number of the padding behind a short keyphrase, where any word is right.
        filled: true for slots with a keyphrase, (batch, slots).

    Returns:
        Targets, (batch, slots, words); true for slots whose losses count, (batch, slots).
    """
    first = targets[:, None, :, : written.shape[2]]
    right = (written[:, :, None] == first) | (first == padding)
    same = right.all(-1) & filled[:, None]  # (batch, slots, keyphrases)
    matches = same & ~filled[:, :, None]
    covered = (same & filled[:, :, None]).any(1)  # (batch, keyphrases)
    takes = (matches.sum(-1) == 1) & (matches & ~covered[:, None]).any(-1)
    chosen = matches.int().argmax(-1)[:, :, None].expand_as(targets)
    changed = targets.gather(1, chosen).where(takes[:, :, None], targets)
    return changed, takes | ~matches.any(-1)


def document_weights(keyphrases: Tensor, empty: Tensor, filled: Tensor) -> Tensor:
    """Return the weight of each document's empty slots, 0 to 1, (batch,).

    It is the mean over the slots with keyphrases of min(1, probability of the keyphrase's first word / probability of
    the empty mark); 1 for a document without keyphrases.

    Args:
        keyphrases: log-probability of the first word of each slot's keyphrase, (batch, slots).
        empty: log-probability of the empty mark there, (batch, slots).
        filled: true for slots with a keyphrase, (batch, slots); others are not read.
    """
    ratios = (keyphrases - empty).clamp(max=0).exp().where(filled, 0.0)
    return (ratios.sum(1) / filled.sum(1).clamp(min=1)).where(filled.any(1), 1.0)
