"""Weights of a network by name, each stored once."""

from collections.abc import Mapping

from torch import Tensor, nn


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """Return copies of the weights on the CPU; weights that have several names are under the first."""
    return {name: weight.detach().cpu().contiguous().clone() for name, weight in _distinct(model).items()}


def load_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Give a network the weights that ``weights_of`` returned.

    Raises:
        ValueError: names or shapes differ from the network's.
    """
    expected = _distinct(model)
    if odd := sorted(expected.keys() ^ weights.keys()):
        raise ValueError(f"{odd[0]} is {'missing' if odd[0] in expected else 'not a weight of this network'}")
    for name, weight in weights.items():
        if weight.shape != expected[name].shape:
            raise ValueError(f"{name} has the shape {tuple(weight.shape)}, expected {tuple(expected[name].shape)}")
    model.load_state_dict(dict(weights), strict=False)


def _distinct(model: nn.Module) -> dict[str, Tensor]:
    """Return the weights by their first names: tied ones share their memory."""
    first: dict[tuple[int, tuple[int, ...]], str] = {}
    return {
        name: weight
        for name, weight in model.state_dict(keep_vars=True).items()
        if not weight.numel() or first.setdefault((weight.data_ptr(), tuple(weight.shape)), name) == name
    }
