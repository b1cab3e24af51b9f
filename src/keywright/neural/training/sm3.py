"""SM3, the optimiser of the study's T5 (Anil, Gupta, Koren and Singer 2019, Memory-Efficient Adaptive Optimization).

Adagrad whose sums of squares are kept for rows and columns only: the sum of an entry is estimated by the smaller of its
row's and its column's. This is SM3-II of the paper, without momentum.
"""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor


class SM3(torch.optim.Optimizer):
    """Update weights by gradient / sqrt(accumulated squares), with one accumulator per index of each axis."""

    def __init__(self, weights: Iterable[Tensor], lr: float, epsilon: float = 1e-30) -> None:
        super().__init__(weights, {"lr": lr, "epsilon": epsilon})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Make one step."""
        value = None if closure is None else closure()
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._update(weight, group["lr"], group["epsilon"])
        return value

    def _update(self, weight: Tensor, rate: float, epsilon: float) -> None:
        state, gradient = self.state[weight], weight.grad
        shape = weight.shape or (1,)
        if not state:
            for axis, length in enumerate(shape):
                state[f"axis_{axis}"] = weight.new_zeros(length)
        covers = [_along(state[f"axis_{axis}"], axis, len(shape)) for axis in range(len(shape))]
        least = covers[0]
        for cover in covers[1:]:
            least = torch.minimum(least, cover)
        sums = least + gradient.reshape(shape).square()
        for axis in range(len(shape)):
            others = [other for other in range(len(shape)) if other != axis]
            state[f"axis_{axis}"].copy_(sums.amax(others) if others else sums)
        weight.addcdiv_(gradient, sums.sqrt().add_(epsilon).reshape(weight.shape), value=-rate)


def _along(values: Tensor, axis: int, axes: int) -> Tensor:
    """Return values that broadcast along an axis."""
    return values.reshape([-1 if other == axis else 1 for other in range(axes)])
