"""Positions as sines and cosines (Vaswani et al. 2017, section 3.5)."""

import math

import torch
from torch import Tensor

_LONGEST_WAVE = 10_000.0
"""Ratio of the longest to the shortest wave; section 3.5."""


def sinusoids(positions: Tensor, width: int) -> Tensor:
    """Return sines of the positions in the first half of the columns and cosines in the second, (positions, width).

    Position 0 is zero everywhere, as in the published generators.
    """
    half = width // 2
    rates = torch.exp(torch.arange(half, device=positions.device) * (-math.log(_LONGEST_WAVE) / max(half - 1, 1)))
    angles = positions.to(rates.dtype)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1) * (positions > 0)[:, None]
