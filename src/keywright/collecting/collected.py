"""Counts of a collection, as values that draw themselves."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from keywright.collecting.drawing import draw_map, draw_strategy, draw_trend
from keywright.collecting.merges import Merged
from keywright.collecting.network import Cluster, Link, make_graph, place_phrases
from keywright.core.errors import MissingExtra
from keywright.core.json_values import encode
from keywright.core.pages import isolate_text
from keywright.core.predictions import Failure
from keywright.core.views import MOST_ROWS, NotebookTable

_ON_MAP: Final = 120  # phrases on the map, the most frequent that are linked; more could not be read
_FEW: Final = 12  # trends in a notebook, and clusters on the strategic map; arbitrary
_RECORDED: Final = "documents phrases clusters links trends typical merges suggestions by groups warnings".split()


@dataclass(frozen=True, slots=True)
class CollectedPhrase:
    """A phrase of a collection, all of its forms together.

    Attributes:
        text: the form of most documents.
        forms: all forms, of most documents first.
        documents: number of documents whose list has it.
        expected: sum of its probabilities, the expected number of documents that people would give it to.
        interval: 95 % interval of that number, if documents are independent and probabilities are right.
        mentions: in the texts; one for each list where there is no text.
        cluster: id of its cluster; None for none.
        by: documents by group; groups without it are missing.
        examples: ids of documents, those where it is most probable first.
    """

    text: str
    forms: tuple[str, ...]
    documents: int
    expected: float
    interval: tuple[int, int]
    mentions: int
    cluster: int | None = None
    by: Mapping[str, int] = field(default_factory=dict)
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trend:
    """A tested phrase: ``rising`` or ``falling`` where q, which knows how many were tested, is at most .05."""

    text: str
    direction: str
    p: float
    q: float


@dataclass(frozen=True, repr=False)
class Collection:
    """Counts of a collection.

    Attributes:
        typical: for each group its phrases with z-scores, see ``typical_phrases``.
        groups: documents by group, values of the column ``by``.
        titles: those of documents that are examples, by id, with their addresses.
        suggestions: forms that may mean the same as a phrase, by an encoder, and are counted for themselves.
        similar: pairs of similar documents with their similarity, for collections that are not too large.
        failures: the first documents that failed; ``failed``: their number.
    """

    documents: int
    phrases: tuple[CollectedPhrase, ...]
    clusters: tuple[Cluster, ...] = ()
    links: tuple[Link, ...] = ()
    trends: tuple[Trend, ...] = ()
    typical: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    merges: tuple[Merged, ...] = ()
    suggestions: tuple[Merged, ...] = ()
    warnings: tuple[str, ...] = ()
    groups: Mapping[str, int] = field(default_factory=dict)
    by: str = ""
    titles: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    similar: tuple[tuple[str, str, float], ...] = ()
    failures: tuple[Failure, ...] = ()
    failed: int = 0

    def to_graph(self, most: int | None = None) -> Any:
        """Return the linked phrases, the ``most`` frequent ones, as a graph of networkx with places on a map.

        Nodes are indices of ``phrases`` with *label*, *documents*, *cluster*, *x* and *y*; edges have *documents* and
        *strength*.

        Raises:
            MissingExtra: networkx is not installed.
        """
        texts, counts = [each.text for each in self.phrases], [each.documents for each in self.phrases]
        links = [link for link in self.links if most is None or max(link.source, link.target) < most]
        return place_phrases(make_graph(texts, counts, links, self.clusters))

    def draw_map(self) -> str:
        """Return the map of the most frequent linked phrases as SVG; empty without links, and without networkx."""
        linked = sorted({index for link in self.links for index in (link.source, link.target)})[:_ON_MAP]
        with suppress(MissingExtra):  # a warning says so
            return draw_map(self.to_graph(linked[-1] + 1)) if linked else ""
        return ""

    def draw_strategy(self) -> str:
        """Return the strategic map of the largest clusters as SVG; empty for fewer than three."""
        return draw_strategy(self.clusters[:_FEW]) if len(self.clusters) > 2 else ""  # noqa: PLR2004 - no map

    def draw_trend(self, phrase: CollectedPhrase) -> tuple[str, float]:
        """Return the shares of documents with a phrase by group as SVG, and the highest share."""
        return draw_trend(phrase.text, phrase.by, self.groups)

    def list_moving(self) -> list[tuple[Trend, CollectedPhrase]]:
        """Return the trends that rise or fall, each with its phrase."""
        by_text = {each.text: each for each in self.phrases}
        return [(trend, by_text[trend.text]) for trend in self.trends if trend.direction != "steady"]

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, as ``keywright collection --json`` prints them."""
        texts = [phrase.text for phrase in self.phrases]
        clusters = [
            {"id": number, **encode(cluster), "phrases": [texts[index] for index in cluster.phrases]}
            for number, cluster in enumerate(self.clusters)
        ]
        links = [encode(each) | {"source": texts[each.source], "target": texts[each.target]} for each in self.links]
        typical = {name: [{"text": text, "z": z} for text, z in pairs] for name, pairs in self.typical.items()}
        record = {name: encode(getattr(self, name)) for name in _RECORDED}
        return record | {"clusters": clusters, "links": links, "typical": typical, "by": self.by or None}

    def __repr__(self) -> str:
        return f"<Collection of {self.documents:,} documents: {len(self.phrases):,} phrases>"

    def _repr_html_(self) -> str:
        """Return the most frequent phrases as a table for a notebook, the map, and what rises and falls."""
        head = ("phrase", "documents", "expected", "95 %")
        rows = [
            (each.text, str(each.documents), f"{each.expected:.1f}", "{}–{}".format(*each.interval))
            for each in self.phrases[:MOST_ROWS]
        ]
        beyond = len(self.phrases) - len(rows), "phrases"
        table = NotebookTable(repr(self).strip("<>"), head, rows, head[1:], self.warnings, beyond).html()
        figures = [f'<div style="max-width: 60em">{self.draw_map()}</div>']
        for trend, phrase in self.list_moving()[:_FEW]:
            bars, highest = self.draw_trend(phrase)
            caption = f"{isolate_text(trend.text)}, {trend.direction}, up to {highest:.0%}"
            style = "display: inline-block; width: 13em; height: 6em; margin: 0 1em 1em 0"
            figures.append(f'<div style="{style}">{caption}<div style="height: 4em">{bars}</div></div>')
        return table + "".join(figures)
