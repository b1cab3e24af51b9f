"""Files of a collection: one HTML page, tables, networks for Gephi and VOSviewer, and all of them in a folder.

The page has a map, clusters, trends, and a table that can be searched; it loads nothing. Figures are those of
notebooks. Its only script searches the table; without it the first phrases can be read.
"""

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Final

from keywright import api
from keywright.core.atomic_files import whole_file
from keywright.core.citations import clean_line
from keywright.core.errors import needs_extra
from keywright.core.json_values import to_json
from keywright.core.pages import escape_html, isolate_text
from keywright.faces.outputs.screen import format_rows

_ROWS: Final = 200  # Rows of the table without the script, as the script shows at first; arbitrary
_FEW: Final = 12  # trends in each direction, clusters on the strategic map, phrases named of a cluster; arbitrary
_COLOURS: Final = 8  # Colours of clusters, as in figures; more cannot be told from each other
_EXAMPLES: Final = 8  # Documents and forms of a phrase on the page; arbitrary, JSON has more
_HEADS: Final = {
    "phrase": "", "documents": "n", "expected": "n", "95 %": "n few", "mentions": "n few", "cluster": "few",
}  # fmt: skip
"""Columns of the table with their classes: numbers, and those that a narrow screen leaves out."""


def draw_collection(collection: "api.Collection") -> str:
    """Return the page of a collection."""
    style, script = map(_read_part, ("collection.css", "collection.js"))
    title = escape_html(
        f"{collection.documents:,} documents: {', '.join(each.text for each in collection.phrases[:3])}"
    )
    drawers = (_draw_head, _draw_map, _draw_clusters, _draw_trends, _draw_typical, _draw_table)
    body = "\n".join(part for draw in drawers for part in draw(collection))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy"'
        f' content="{find_policy()}">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f'<script type="application/json" id="data">{_make_data(collection)}</script>\n<script>{script}</script>\n'
        "</body>\n</html>\n"
    )


def find_policy() -> str:
    """Return the page's Content-Security-Policy: only its one script runs, and nothing is loaded."""
    digest = base64.b64encode(hashlib.sha256(_read_part("collection.js").encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"


def _read_part(name: str) -> str:
    return resources.files("keywright.faces.outputs").joinpath(name).read_text("utf-8")


def _draw_head(collection: "api.Collection") -> Iterator[str]:
    by = f", by {escape_html(collection.by)}" if collection.groups else ""
    counts = f"{len(collection.phrases):,} phrases, {len(collection.clusters)} clusters"
    yield f'<h1>{collection.documents:,} documents{by}</h1><p class="facts">{counts}, counted by keywright.</p>'
    failures = (f"{each.document_id} failed: {each.message}" for each in collection.failures)
    if remarks := (*collection.warnings, *failures):
        items = "".join(f"<li>{escape_html(remark)}</li>" for remark in remarks)
        yield f"<details open><summary>What to know of these counts</summary><ul>{items}</ul></details>"


def _frame(figure: str, caption: str) -> str:
    """Return a figure that can be moved sideways on narrow screens, under the name that it has."""
    name = figure.partition('aria-label="')[2].partition('"')[0]
    start = f'<figure><div class="wide" tabindex="0" role="region" aria-label="{name}">'
    return f"{start}{figure}</div><figcaption>{caption}</figcaption></figure>"


def _draw_map(collection: "api.Collection") -> Iterator[str]:
    caption = (
        "The most frequent phrases. Circles grow with the number of documents, lines with that of documents with both"
        " phrases; colours are clusters. Names that would cover others are left out."
    )
    if figure := collection.draw_map():
        yield f"<h2>Map</h2>{_frame(figure, caption)}"


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
    if strategic := collection.draw_strategy():
        caption = (
            "To the right: more links to other clusters (centrality). Upwards: more links inside (density). Both by"
            " rank, after Callon."
        )
        yield f"<h3>Strategic map</h3>{_frame(strategic, caption)}"


def _draw_trends(collection: "api.Collection") -> Iterator[str]:
    if not collection.trends:
        return
    significant = collection.list_moving()
    result = (
        "of those below, 5 % at most are expected to be false" if significant else "none rises or falls beyond chance"
    )
    yield "<h2>What rises and falls</h2>"
    yield f'<p class="note">{len(collection.trends):,} phrases of five documents or more were tested; {result}.</p>'
    for direction in ("rising", "falling"):
        trends = [(trend, phrase) for trend, phrase in significant if trend.direction == direction]
        if trends:
            more = f" (the first {_FEW} of {len(trends)})" if len(trends) > _FEW else ""
            panels = "".join(_draw_panel(collection, phrase, trend.q) for trend, phrase in trends[:_FEW])
            yield f'<h3>{direction.capitalize()}{more}</h3><ul class="panels">{panels}</ul>'


def _draw_panel(collection: "api.Collection", phrase: Any, q: float) -> str:
    bars, highest = collection.draw_trend(phrase)
    first, last = (escape_html(list(collection.groups)[index]) for index in (0, -1))
    return (
        f'<li><strong>{isolate_text(phrase.text)}</strong> <span class="note">q {q:.2g}</span>{bars}'
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


def format_phrases(collection: "api.Collection") -> str:
    """Return a row for each phrase, with a column for each group, as CSV."""
    trends = {trend.text: trend for trend in collection.trends}
    groups = list(collection.groups)
    head = (*"phrase documents expected low high mentions cluster forms direction p q".split(), *groups)
    rows = []
    for each in collection.phrases:
        trend = trends.get(each.text)
        tested = (trend.direction, f"{trend.p:.6g}", f"{trend.q:.6g}") if trend else ("", "", "")
        cluster = "" if each.cluster is None else collection.clusters[each.cluster].name
        counts = (each.by.get(name, 0) for name in groups)
        row = (each.text, each.documents, each.expected, *each.interval, each.mentions, cluster, " | ".join(each.forms))
        rows.append((*row, *tested, *counts))
    return format_rows(head, rows)


def format_network(collection: "api.Collection", form: str) -> str:
    """Return the network of phrases as ``graphml`` or ``gexf``, with documents, clusters and places."""
    graph = collection.to_graph()
    with needs_extra("collection", "networks need networkx"):
        import networkx as nx  # noqa: PLC0415 - optional
    for index in graph:
        graph.nodes[index]["label"] = clean_line(graph.nodes[index]["label"])
    write = nx.generate_graphml if form == "graphml" else nx.generate_gexf
    return "\n".join(write(graph)) + "\n"


def format_vosviewer(collection: "api.Collection") -> dict[str, str]:
    """Return the files of VOSviewer by name: the map of phrases and the network of links, separated by tabs."""
    graph = collection.to_graph()
    head = ("id", "label", "x", "y", "cluster", "weight<Links>", "weight<Total link strength>", "weight<Documents>")
    nodes = [
        (index + 1, clean_line(node["label"]), node["x"], node["y"], node["cluster"] + 1, graph.degree(index),
         sum(edge["documents"] for edge in graph[index].values()), node["documents"])
        for index, node in sorted(graph.nodes(data=True))
    ]  # fmt: skip
    links = [(first + 1, second + 1, edge["documents"]) for first, second, edge in graph.edges(data=True)]
    network = "".join(f"{first}\t{second}\t{documents}\n" for first, second, documents in links)
    return {"vosviewer-map.txt": format_rows(head, nodes, "\t"), "vosviewer-network.txt": network}


FILES: Final[Mapping[str, Callable[[Any], str]]] = {
    "html": draw_collection,
    "json": lambda collection: to_json(collection.to_dict(), indent=1) + "\n",
    "csv": format_phrases,
    "graphml": lambda collection: format_network(collection, "graphml"),
    "gexf": lambda collection: format_network(collection, "gexf"),
}
"""Functions to the text of a file in each format of one file."""
_STEMS: Final = {"html": "collection", "json": "collection", "csv": "phrases"}  # names in a folder; else network


def write_folder(collection: "api.Collection", folder: Path, forms: Iterable[str] = (*FILES, "vosviewer")) -> None:
    """Write files of a collection into a folder: all of them, or those of some formats."""
    texts: dict[str, str] = {}
    for form in forms:
        name = f"{_STEMS.get(form, 'network')}.{form}"
        texts |= format_vosviewer(collection) if form == "vosviewer" else {name: FILES[form](collection)}
    if len(texts) > len(FILES):  # all formats
        for name, merges in (("merges", collection.merges), ("suggestions", collection.suggestions)):
            # They can be edited and passed as ``--merges``.
            rows = ((each.form, each.phrase, each.documents, each.reason) for each in merges)
            texts[f"{name}.csv"] = format_rows(("form", "phrase", "documents", "reason"), rows)
        texts["similar.csv"] = format_rows(("document", "similar", "similarity"), collection.similar)
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        with whole_file(folder / name) as file:
            file.write(text)
