"""A collection as one HTML page: map, clusters, trends, and a table that can be searched; it loads nothing.

Figures are SVG made here. The page's only script searches the table; without it the first phrases are there to read.
"""

import base64
import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Final

from keywright import api
from keywright.core.errors import MissingExtra
from keywright.core.json_values import to_json
from keywright.faces.outputs.keyphrase_page import escape_html, isolate_text

_ROWS: Final = 200  # Rows of the table without the script, as the script shows at first; arbitrary
_ON_MAP: Final = 120  # Phrases on the map, the most frequent that are linked; more could not be read
_WIDTH, _HEIGHT, _STRATEGIC = 1_000, 640, 400  # Units of the map, and the height of the strategic map
_FEW: Final = 12  # trends in each direction, clusters on the strategic map, phrases named of a cluster; arbitrary
_COLOURS: Final = 8  # Colours of clusters; more cannot be told from each other
_EXAMPLES: Final = 8  # Documents and forms of a phrase on the page; arbitrary, JSON has more
_HEADS: Final = {
    "phrase": "",
    "documents": "n",
    "expected": "n",
    "95 %": "n few",
    "mentions": "n few",
    "cluster": "few",
}
"""Columns of the table with their classes: numbers, and those that a narrow screen leaves out."""
_CORNERS: Final = (
    (14, 24, "start", "developed, apart"), (_WIDTH - 14, 24, "end", "central, developed"),
    (14, _STRATEGIC - 14, "start", "emerging or declining"), (_WIDTH - 14, _STRATEGIC - 14, "end", "central, basic"),
)  # fmt: skip


def draw_collection(collection: "api.Collection") -> str:
    """Return the page."""
    folder = resources.files("keywright.faces.outputs")
    style, script = (folder.joinpath(name).read_text("utf-8") for name in ("collection.css", "collection.js"))
    title = escape_html(
        f"{collection.documents:,} documents: {', '.join(each.text for each in collection.phrases[:3])}"
    )
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    drawers = (_draw_head, _draw_map, _draw_clusters, _draw_trends, _draw_typical, _draw_table)
    body = "\n".join(part for draw in drawers for part in draw(collection))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy"'
        f' content="{policy}">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f'<script type="application/json" id="data">{_make_data(collection)}</script>\n<script>{script}</script>\n'
        "</body>\n</html>\n"
    )


def _draw_head(collection: "api.Collection") -> Iterator[str]:
    by = f", by {escape_html(collection.by)}" if collection.groups else ""
    counts = f"{len(collection.phrases):,} phrases, {len(collection.clusters)} clusters"
    yield f'<h1>{collection.documents:,} documents{by}</h1><p class="facts">{counts}, counted by keywright.</p>'
    if collection.warnings:
        items = "".join(f"<li>{escape_html(warning)}</li>" for warning in collection.warnings)
        yield f"<details open><summary>What to know of these counts</summary><ul>{items}</ul></details>"


def _frame(label: str, height: int, parts: Iterator[str], caption: str) -> str:
    """Return a figure that can be moved sideways on narrow screens."""
    return (
        f'<figure><div class="wide" tabindex="0" role="region" aria-label="{label}"><svg class="map" role="img"'
        f' viewBox="0 0 {_WIDTH} {height}" aria-label="{label}">{"".join(parts)}</svg></div>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _circle(x: float, y: float, radius: float, cluster: int | None, title: str) -> str:
    colour = cluster if cluster is not None and 0 <= cluster < _COLOURS else _COLOURS
    start = f'<circle class="k{colour}" cx="{x:.0f}" cy="{y:.0f}" r="{radius:.1f}">'
    return f"{start}<title>{escape_html(title)}</title></circle>"


def _text(x: float, y: float, size: float, anchor: str, text: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}" text-anchor="{anchor}">{escape_html(text)}</text>'


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
            yield _text(at, y + size / 3, size, "middle", label)


def _draw_map(collection: "api.Collection") -> Iterator[str]:
    """Yield the map: circles by documents, in the colours of clusters, and names where there is room."""
    linked = sorted({index for link in collection.links for index in (link.source, link.target)})[:_ON_MAP]
    try:
        graph = collection.to_graph(linked[-1] + 1) if linked else None
    except MissingExtra:  # a warning says so
        return
    if not graph:
        return
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
            yield f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke-width="{width:.1f}"/>'
        for index, (label, x, y, radius) in named.items():
            node = graph.nodes[index]
            yield _circle(x, y, radius, node["cluster"], f"{label}: {node['documents']:,} documents")
        yield from _write_names(named)

    caption = (
        "The most frequent phrases. Circles grow with the number of documents, lines with that of documents with both"
        " phrases; colours are clusters. Names that would cover others are left out."
    )
    yield "<h2>Map</h2>" + _frame(f"Network of {len(graph)} phrases", _HEIGHT, draw(), caption)


def _scale(value: float, values: Sequence[float]) -> float:
    low, high = min(values), max(values)
    return (value - low) / (high - low) if high > low else 0.5


def _draw_clusters(collection: "api.Collection") -> Iterator[str]:
    if not collection.clusters:
        return
    yield '<h2>Clusters</h2><ul class="clusters">'
    for number, cluster in enumerate(collection.clusters):
        texts = [collection.phrases[index].text for index in cluster.phrases]
        more = f" and {len(texts) - _FEW} more" if len(texts) > _FEW else ""
        dot = f'<span class="dot k{min(number, _COLOURS)}"></span>'
        names = f'<div class="note">{isolate_text(", ".join(texts[:_FEW]))}{more}</div>'
        yield f"<li>{dot}<strong>{isolate_text(cluster.name)}</strong>{names}</li>"
    yield "</ul>"
    if len(collection.clusters) > 2:  # noqa: PLR2004 - two points are no map
        caption = (
            "To the right: more links to other clusters (centrality). Upwards: more links inside (density). Both by"
            " rank, after Callon."
        )
        parts = _draw_strategy(collection.clusters[:_FEW])
        yield "<h3>Strategic map</h3>" + _frame("Clusters by centrality and density", _STRATEGIC, parts, caption)


def _draw_strategy(clusters: Sequence[Any]) -> Iterator[str]:
    middle, centre = _STRATEGIC / 2, _WIDTH / 2
    yield f'<path class="axis" d="M{centre} 10V{_STRATEGIC - 10}M10 {middle}H{_WIDTH - 10}"/>'
    yield from (_text(x, y, 13, anchor, word) for x, y, anchor, word in _CORNERS)
    ranks = [_rank([getattr(cluster, name) for cluster in clusters]) for name in ("centrality", "density")]
    named = {}
    for number, (cluster, across, up) in enumerate(zip(clusters, *ranks, strict=True)):
        radius = 5 + 15 * math.sqrt(len(cluster.phrases) / max(len(each.phrases) for each in clusters))
        place = 90 + across * (_WIDTH - 180), _STRATEGIC - 40 - up * (_STRATEGIC - 90), radius
        facts = f"{cluster.name}: centrality {cluster.centrality:.2f}, density {cluster.density:.2f}"
        yield _circle(*place, number, facts)
        named[number] = (cluster.name.split(", ")[0], *place)
    yield from _write_names(named)


def _rank(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda index: (values[index], index))
    return [order.index(index) / max(1, len(values) - 1) for index in range(len(values))]


def _draw_trends(collection: "api.Collection") -> Iterator[str]:
    if not collection.trends:
        return
    by_text = {each.text: each for each in collection.phrases}
    significant = [trend for trend in collection.trends if trend.direction != "steady"]
    result = (
        "of those below, 5 % at most are expected to be false" if significant else "none rises or falls beyond chance"
    )
    yield "<h2>What rises and falls</h2>"
    yield f'<p class="note">{len(collection.trends):,} phrases of five documents or more were tested; {result}.</p>'
    for direction in ("rising", "falling"):
        trends = [trend for trend in significant if trend.direction == direction]
        if trends:
            more = f" (the first {_FEW} of {len(trends)})" if len(trends) > _FEW else ""
            panels = "".join(_draw_panel(by_text[each.text], collection.groups, each.q) for each in trends[:_FEW])
            yield f'<h3>{direction.capitalize()}{more}</h3><ul class="panels">{panels}</ul>'


def _draw_panel(phrase: Any, groups: Mapping[str, int], q: float) -> str:
    shares = [phrase.by.get(name, 0) / total for name, total in groups.items()]
    highest, width = max(shares) or 1, 200 / len(shares)
    bars = []
    for index, (share, (name, total)) in enumerate(zip(shares, groups.items(), strict=True)):
        place, height = f'x="{index * width:.2f}" width="{width * 0.86:.2f}"', 58 * share / highest
        title = f"<title>{escape_html(name)}: {phrase.by.get(name, 0):,} of {total:,}</title>"
        bars.append(f'<rect class="track" {place} y="0" height="60"/>')
        bars.append(f'<rect {place} y="{60 - height:.2f}" height="{height:.2f}">{title}</rect>')
    label = f"{escape_html(phrase.text)}: at most {highest:.0%} of the documents of a group"
    first, last = (escape_html(list(groups)[index]) for index in (0, -1))
    return (
        f'<li><strong>{isolate_text(phrase.text)}</strong> <span class="note">q {q:.2g}</span>'
        f'<svg viewBox="0 0 200 60" preserveAspectRatio="none" role="img" aria-label="{label}">{"".join(bars)}</svg>'
        f'<div class="ends"><span>{first}</span><span>up to {highest:.0%}</span><span>{last}</span></div></li>'
    )


def _draw_typical(collection: "api.Collection") -> Iterator[str]:
    """Yield the phrases that each group has more often than the others."""
    if any(collection.typical.values()):
        yield f"<h2>Typical of each {escape_html(collection.by)}</h2>"
        yield '<p class="note">More frequent than in the other groups, by log-odds.</p><ul class="panels">'
        for name, typical in collection.typical.items():
            head = (
                f'<strong>{isolate_text(name)}</strong> <span class="note">{collection.groups[name]:,} documents</span>'
            )
            yield f"<li>{head}<div>{isolate_text(', '.join(text for text, _ in typical) or 'nothing')}</div></li>"
        yield "</ul>"


def _draw_table(collection: "api.Collection") -> Iterator[str]:
    heads = "".join(f'<th scope="col" class="{kind}">{name}</th>' for name, kind in _HEADS.items())
    yield (
        '<h2>Phrases</h2><div class="search" hidden><div><label for="search">Search phrases, forms and clusters</label>'
        '<input id="search" type="search" autocomplete="off"></div><span id="found" class="note" role="status"></span>'
        '</div><div class="wide" tabindex="0" role="region" aria-label="Table of phrases"><table id="phrases"><caption>'
        "Documents whose keyphrases have the phrase, and the number expected by their probabilities, with its 95 %"
        f" interval.</caption><thead><tr>{heads}</tr></thead><tbody>"
    )
    for each in collection.phrases[:_ROWS]:
        cluster = "" if each.cluster is None else collection.clusters[each.cluster].name
        low, high = each.interval
        numbers = f"{each.documents:,}", f"{each.expected:,.1f}", f"{low}–{high}", f"{each.mentions:,}"
        cells = zip(_HEADS.values(), (isolate_text(each.text), *numbers, escape_html(cluster)), strict=True)
        yield "<tr>" + "".join(f'<td class="{kind}">{cell}</td>' for kind, cell in cells) + "</tr>"
    yield '</tbody></table></div><p class="more"><button id="more" type="button" hidden>Show more</button></p>'


def _make_data(collection: "api.Collection") -> str:
    numbers: dict[str, int] = {}
    rows = [
        [
            *(each.text, each.documents, each.expected, *each.interval, each.mentions, each.cluster),
            list(each.forms[:_EXAMPLES]),
            [numbers.setdefault(name, len(numbers)) for name in each.examples[:_EXAMPLES]],
        ]
        for each in collection.phrases
    ]
    documents = [[name, *collection.titles.get(name, ("", ""))] for name in numbers]
    names = [cluster.name for cluster in collection.clusters]
    return to_json({"rows": rows, "clusters": names, "documents": documents}).replace("<", "\\u003c")
