"""Files of a collection: tables, networks for Gephi and VOSviewer, and all of them in a folder."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from keywright import api
from keywright.core.atomic_files import whole_file
from keywright.core.citations import clean_line
from keywright.core.errors import needs_extra
from keywright.core.json_values import to_json
from keywright.faces.outputs.collection_page import draw_collection
from keywright.faces.outputs.screen import format_rows


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
