"""Assignment of keyphrases to slots: which slot of a generator of sets learns to write which keyphrase.

Ye et al. 2021, section 4.3. The cost of a keyphrase in a slot is minus the sum of the probabilities of its first words
there; a slot without a keyphrase costs nothing. The assignment with the least sum is found exactly.
"""

import numpy as np
import torch
from torch import Tensor

from keywright.core.extras import needs_extra


def assigned(log_probabilities: Tensor, targets: Tensor, costly: Tensor) -> Tensor:
    """Return targets in the order of the slots that they are assigned to, (batch, slots, words).

    Args:
        log_probabilities: of all words at the first steps of each slot, (batch, slots, steps, words).
        targets: numbers of the words of each keyphrase, (batch, slots, words); empty ones fill the slots.
        costly: where a target's word counts, (batch, slots, words): not for padding and the empty mark.
    """
    with needs_extra("neural", "the assignment of keyphrases to slots needs scipy"):
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy

    steps = log_probabilities.shape[2]
    first = targets[:, :, :steps]
    # Row: a slot, column: a keyphrase; each cell gathers the probabilities of the keyphrase's words in the slot.
    places = first[:, None].expand(-1, targets.shape[1], -1, -1).transpose(2, 3)  # (batch, slots, steps, keyphrases)
    probabilities = log_probabilities.gather(-1, places).exp()
    gains = (probabilities * costly[:, None, :, :steps].transpose(2, 3)).sum(2)  # (batch, slots, keyphrases)
    orders = [linear_sum_assignment(-gain)[1] for gain in gains.float().cpu().numpy()]
    order = torch.from_numpy(np.stack(orders)).to(targets.device)
    return targets.gather(1, order[:, :, None].expand_as(targets))
