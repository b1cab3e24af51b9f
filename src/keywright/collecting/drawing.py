"""Figures of a collection as SVG: the map of phrases, the strategic map of clusters, and the trend of a phrase.

They are readable by themselves, in notebooks with light and dark themes; the style of a page may say otherwise.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from keywright.collecting.network import Cluster
from keywright.core.pages import escape_html

_WIDTH, _HEIGHT, _STRATEGIC = 1_000, 640, 400  # units of the map, and the height of the strategic map
_COLOURS: Final = ("#1f78c1", "#c2591f", "#2f8a45", "#8a55c4", "#c23a4e", "#8a8200", "#15818f", "#b34590", "#888888")
"""Colours of clusters on light and dark ground, the last for those behind the eighth: more cannot be told apart."""
GREY: Final = len(_COLOURS) - 1  # number of the colour of everything else
_CORNERS: Final = (
    (14, 24, "start", "developed, apart"), (_WIDTH - 14, 24, "end", "central, developed"),
    (14, _STRATEGIC - 14, "start", "emerging or declining"), (_WIDTH - 14, _STRATEGIC - 14, "end", "central, basic"),
)  # fmt: skip


def draw_map(graph: Any) -> str:
    """Return a map of phrases, a graph as ``Collection.to_graph`` makes it, with names where there is room.

    Circles grow with the number of documents, lines with that of documents with both phrases; colours are clusters.
    Empty for a graph without nodes.
    """
    if not graph:
        return ""
    most = max(node["documents"] for node in graph.nodes.values())
    across, down = ([node[axis] for node in graph.nodes.values()] for axis in "xy")
    named = {
        index: (
            node["label"],
            60 + _scale(node["x"], across) * (_WIDTH - 120),
            30 + _scale(node["y"], down) * (_HEIGHT - 60),
            3 + 17 * math.sqrt(node["documents"] / most),
        )
        for index, node in graph.nodes.items()
    }
    strongest = max((edge["documents"] for *_, edge in graph.edges(data=True)), default=1)

    def draw() -> Iterator[str]:
        for first, second, edge in graph.edges(data=True):
            (_, x1, y1, _), (_, x2, y2, _) = named[first], named[second]
            width = 0.4 + 3 * edge["documents"] / strongest
            ends = f'x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"'
            yield f'<line {ends} stroke="#8a919a" stroke-opacity=".45" stroke-width="{width:.1f}"/>'
        for index, (label, x, y, radius) in named.items():
            node = graph.nodes[index]
            yield _draw_circle(x, y, radius, node["cluster"], f"{label}: {node['documents']:,} documents")
        yield from _write_names(named)

    return _frame(f"Network of {len(graph)} phrases", _HEIGHT, draw())


def draw_strategy(clusters: Sequence[Cluster]) -> str:
    """Return the strategic map of clusters: centrality to the right, density upwards, both by rank, after Callon."""

    def draw() -> Iterator[str]:
        middle, centre = _STRATEGIC / 2, _WIDTH / 2
        yield f'<path class="axis" d="M{centre} 10V{_STRATEGIC - 10}M10 {middle}H{_WIDTH - 10}" stroke="#8a919a"/>'
        yield from (_write_text(x, y, 13, anchor, word) for x, y, anchor, word in _CORNERS)
        ranks = [_rank([getattr(cluster, name) for cluster in clusters]) for name in ("centrality", "density")]
        named = {}
        for number, (cluster, across, up) in enumerate(zip(clusters, *ranks, strict=True)):
            radius = 5 + 15 * math.sqrt(len(cluster.phrases) / max(len(each.phrases) for each in clusters))
            place = 90 + across * (_WIDTH - 180), _STRATEGIC - 65 - up * (_STRATEGIC - 115), radius
            facts = f"{cluster.name}: centrality {cluster.centrality:.2f}, density {cluster.density:.2f}"
            yield _draw_circle(*place, number, facts)
            named[number] = (cluster.name.split(", ")[0], *place)
        yield from _write_names(named)

    return _frame("Clusters by centrality and density", _STRATEGIC, draw())


def draw_trend(text: str, counts: Mapping[str, int], totals: Mapping[str, int]) -> tuple[str, float]:
    """Return the shares of documents with a phrase, group after group, as bars, and the highest share.

    ``counts``: documents with the phrase by group, none without it; ``totals``: documents of each group, in order.
    """
    shares = [counts.get(name, 0) / total for name, total in totals.items()]
    highest, width = max(shares) or 1, 200 / len(shares)
    bars = []
    for index, (share, (name, total)) in enumerate(zip(shares, totals.items(), strict=True)):
        place, height = f'x="{index * width:.2f}" width="{width * 0.86:.2f}"', 58 * share / highest
        title = f"<title>{escape_html(name)}: {counts.get(name, 0):,} of {total:,}</title>"
        bars.append(f'<rect class="track" {place} y="0" height="60" fill="currentColor" fill-opacity=".1"/>')
        bars.append(f'<rect {place} y="{60 - height:.2f}" height="{height:.2f}" fill="#2f78c8">{title}</rect>')
    label = f"{escape_html(text)}: at most {highest:.0%} of the documents of a group"
    start = f'<svg viewBox="0 0 200 60" preserveAspectRatio="none" role="img" aria-label="{label}">'
    return f"{start}{''.join(bars)}</svg>", highest


def _frame(label: str, height: int, parts: Iterator[str]) -> str:
    start = f'<svg class="map" role="img" viewBox="0 0 {_WIDTH} {height}" aria-label="{label}">'
    return f"{start}{''.join(parts)}</svg>"


def _draw_circle(x: float, y: float, radius: float, cluster: int | None, title: str) -> str:
    colour = cluster if cluster is not None and 0 <= cluster < GREY else GREY
    place = f'cx="{x:.0f}" cy="{y:.0f}" r="{radius:.1f}" fill="{_COLOURS[colour]}" fill-opacity=".85"'
    return f'<circle class="k{colour}" {place}><title>{escape_html(title)}</title></circle>'


def _write_text(x: float, y: float, size: float, anchor: str, text: str) -> str:
    place = f'x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}" text-anchor="{anchor}"'
    return f'<text {place} fill="currentColor">{escape_html(text)}</text>'


def _write_names(named: Mapping[int, tuple[str, float, float, float]]) -> Iterator[str]:
    """Yield the names of circles, in the order of their indices; one that would cover another is left out."""
    taken: list[tuple[float, float, float, float]] = []
    for _, (label, x, y, radius) in sorted(named.items()):
        size = 11 + radius / 3
        half = size * 0.32 * len(label)  # letters are wide in some fonts; names at the border stay whole
        at = min(max(x, half + 2), _WIDTH - half - 2)
        left, top, right, bottom = at - half, y - size * 0.7, at + half, y + size * 0.5
        if not any(left < r and l < right and top < b and t < bottom for l, t, r, b in taken):  # noqa: E741 - sides
            taken.append((left, top, right, bottom))
            yield _write_text(at, y + size / 3, size, "middle", label)


def _scale(value: float, values: Sequence[float]) -> float:
    low, high = min(values), max(values)
    return (value - low) / (high - low) if high > low else 0.5


def _rank(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda index: (values[index], index))
    return [order.index(index) / max(1, len(values) - 1) for index in range(len(values))]
