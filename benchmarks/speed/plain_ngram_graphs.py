"""The formulas of n-gram graphs over dictionaries, one edge at a time: for comparison, of values and of speed."""

from collections.abc import Iterable, Mapping, Sequence

Graph = Mapping[tuple[str, ...], float]


def graph(text: Sequence[str], n: int, distance: int, kind: str = "undirected") -> Graph:
    """The graph of characters (a string) or words (a list)."""
    grams = ["".join(text[at : at + n]) if isinstance(text, str) else " ".join(text[at : at + n])
             for at in range(len(text) - n + 1)]  # fmt: skip
    edges: dict[tuple[str, ...], float] = {}
    for at, earlier in enumerate(grams):
        for later in grams[at + 1 : at + 1 + distance]:
            if kind == "undirected":
                edge = (earlier, later) if earlier <= later else (later, earlier)
                edges[edge] = edges.get(edge, 0) + 1
                continue
            edges[later, earlier] = edges.get((later, earlier), 0) + 1
            if kind == "symmetric":
                edges[earlier, later] = edges.get((earlier, later), 0) + 1
    return edges


def similarities(first: Graph, second: Graph) -> tuple[float, float, float, float]:
    """CS, VS, SS and NVS; 0 where a graph has no edge."""
    if not first or not second:
        return 0.0, 0.0, 0.0, 0.0
    common, value = 0, 0.0
    for edge, weight in first.items():
        if edge in second:
            common += 1
            value += min(weight, second[edge]) / max(weight, second[edge])
    smaller, larger = sorted((len(first), len(second)))
    return common / smaller, value / larger, smaller / larger, value / smaller


def merged(graphs: Sequence[Graph], *, as_coded: bool = False) -> Graph:
    """The model graph of MeMoG."""
    model = dict(graphs[0])
    for number, update in enumerate(graphs[1:], start=2):
        factor = float(number < len(graphs)) if as_coded else 1 / number
        for edge, weight in update.items():
            model[edge] = model[edge] + (weight - model[edge]) * factor if edge in model else weight
    return model


def autosummeng(pairs: Iterable[tuple[str, Sequence[str]]], n: int, distance: int) -> list[float]:
    """Mean VS of each summary with its references."""
    scores = []
    for summary, references in pairs:
        peer = graph(summary, n, distance)
        values = [similarities(peer, graph(reference, n, distance))[1] for reference in references]
        scores.append(sum(values) / len(values))
    return scores


def memog(pairs: Iterable[tuple[str, Sequence[str]]], n: int, distance: int) -> list[float]:
    """NVS of each summary with its references merged."""
    return [
        similarities(graph(summary, n, distance), merged([graph(text, n, distance) for text in references]))[3]
        for summary, references in pairs
    ]
