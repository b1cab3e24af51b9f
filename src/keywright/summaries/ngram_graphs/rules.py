"""Rules by which a text becomes a graph of n-grams."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.core.errors import BadParameter

Level: TypeAlias = Literal["char", "word"]
Kind: TypeAlias = Literal["undirected", "directed", "symmetric"]


@dataclass(frozen=True, slots=True)
class GraphRules:
    """Rules by which a text becomes a graph.

    The n-grams of a text are g_1 .. g_m in order, and each pair g_i, g_j with 1 <= j - i <= ``distance`` adds 1 to the
    weight of an edge; a pair of equal n-grams is a loop.

    Attributes:
        level: n-grams of characters, line breaks included, or of words.
        n: number of characters or words of an n-gram.
        distance: greatest distance of neighbours, in n-grams.
        kind: ``undirected``, edges without direction; ``directed``, edges from the later to the earlier n-gram;
            ``symmetric``, both directions, so that a loop gains 2.

    Raises:
        BadParameter: ``n`` or ``distance`` is below 1.
    """

    level: Level = "char"
    n: int = 3
    distance: int = 3
    kind: Kind = "undirected"

    def __post_init__(self) -> None:
        for name, value in (("n", self.n), ("distance", self.distance)):
            if value < 1:
                raise BadParameter(f"n-gram graphs with {name}={value}", f"{name} is a whole number from 1")
