"""Summary of a collection, as values that draw themselves: phrases with counts, links, clusters, groups and trends."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np

from keywright.collecting import groups as grouping
from keywright.collecting.drawing import draw_map, draw_strategy, draw_trend
from keywright.collecting.forms import Forms, Merged, is_short_form, join_meanings, list_merges
from keywright.collecting.groups import Groups, count_interval, group_documents
from keywright.collecting.network import Cluster, Link, count_links, find_clusters, make_graph, place_phrases
from keywright.collecting.store import CERTAIN, Store
from keywright.core.errors import MissingExtra
from keywright.core.json_values import encode
from keywright.core.pages import isolate_text
from keywright.core.predictions import Failure
from keywright.core.views import MOST_ROWS, NotebookTable
from keywright.text.encoders import Encode

_ON_MAP: Final = 120  # phrases on the map, the most frequent that are linked; more could not be read
_FEW: Final = 12  # trends in a notebook, and clusters on the strategic map; arbitrary
_RECORDED: Final = "documents phrases clusters links trends typical merges suggestions by groups warnings".split()
MOST_PHRASES: Final = 5_000  # phrases that are listed, those of most documents; arbitrary
_NODES: Final = 500  # phrases whose links are counted, those of most documents; arbitrary, and readable clusters
_LEAST_DOCUMENTS: Final = 5  # documents of a tested phrase; fewer cannot be significant among hundreds
DISCOVERY: Final = 0.05  # false discovery rate of trends that have a direction; usual
_TYPICAL: Final = 10  # phrases that are typical of a group; arbitrary
_EXAMPLES: Final = 20  # documents that are named for a phrase, the most probable; arbitrary


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


def summarise(
    store: Store, by: str | None = None, merges: Iterable[tuple[str, str]] = (), encoder: Encode | None = None
) -> Collection:
    """Return the summary of the documents in a store, grouped ``by`` a column as ``group_documents`` takes it.

    ``merges``: forms and their phrases, as ``read_merges`` returns them; ``encoder``: one that joins phrases of
    the same meaning. ``UnknownName``: no document has the column.
    """
    listed = tuple(merges)
    warnings = list(store.join_forms(listed))
    select = "SELECT language, COUNT(*) FROM documents GROUP BY language ORDER BY 2 DESC, 1"
    if len(languages := store.rows.execute(select).fetchall()) > 1:
        shown = ", ".join(f"{language or 'unknown'} {number:,}" for language, number in languages)
        each_language = f"documents are in {len(languages)} languages ({shown:.200})"
        warnings.append(f"{each_language}: forms are merged by the rules of each language")
    size, selected = len(store), store.rows.execute("SELECT * FROM documents") if by else ()
    documents = ((number, name, language, json.loads(meta)) for number, name, language, meta in selected)
    groups = group_documents(documents, by) if by else Groups()
    warnings += groups.warnings
    beyond, forms = list(_select_entries(store)), _list_forms(store)
    reasons = {form.casefold(): "your list" for form, _ in listed}
    same, suggestions = join_meanings(forms, reasons.keys(), encoder) if encoder else ([], [])
    if same:
        reasons |= {each.form.casefold(): each.reason for each in same}
        list(store.join_forms((*listed, *((each.form, each.phrase) for each in same))))  # its warnings were given
        beyond, forms = list(_select_entries(store)), _list_forms(store)
    if same or suggestions:
        warnings.append(f"{len(same):,} forms were merged by meaning, and {len(suggestions):,} may mean the same")
    warnings += beyond
    phrases = list(_count_phrases(store, groups, forms))
    texts, counts = [each.text for each in phrases], [each.documents for each in phrases]
    # The most frequent phrases of each document.
    select = (
        "SELECT DISTINCT e.document, s.place FROM temp.shown s JOIN temp.entries e ON e.entry = s.entry"
        " WHERE s.place < ? ORDER BY e.document"
    )
    by_document = groupby(store.rows.execute(select, (_NODES,)), key=itemgetter(0))
    links = count_links(([place for _, place in grouped] for _, grouped in by_document), counts, size)
    try:
        clusters = find_clusters(texts, counts, links)
    except MissingExtra as error:
        clusters = []
        warnings.append(f"there are no clusters: {error}")
    cluster_of = {index: number for number, cluster in enumerate(clusters) for index in cluster.phrases}
    phrases = [replace(each, cluster=cluster_of.get(index)) for index, each in enumerate(phrases)]
    if size and not links:
        warnings.append("no two phrases are together in two documents: there are no links and no clusters")
    trends = _test_trends(phrases, groups)
    if by and not groups.totals:
        warnings.append(f"no document has a value of {by!r}: there are no groups")
    elif groups.scores and not trends:
        warnings.append(f"no phrase is in {_LEAST_DOCUMENTS} documents of a group: no trend is tested")
    return Collection(
        documents=size,
        phrases=tuple(phrases),
        clusters=tuple(clusters),
        links=tuple(links),
        trends=tuple(trends),
        typical=_find_typical(phrases, groups),
        merges=tuple(list_merges(texts, forms, reasons)),
        suggestions=tuple(suggestions),
        warnings=tuple(warnings),
        groups=groups.totals,
        by=groups.by,
        titles=_find_titles(store, phrases),
    )


def _select_entries(store: Store) -> Iterator[str]:
    """Number the phrases of most documents in the table ``shown``; say how many are left out."""
    store.rows.create_function("most", 0, lambda: MOST_PHRASES)
    store.rows.executescript(
        "DROP TABLE IF EXISTS temp.shown; CREATE TEMP TABLE shown(place INTEGER PRIMARY KEY, entry INTEGER);"
        "INSERT INTO shown SELECT ROW_NUMBER() OVER (ORDER BY documents DESC, total DESC, text) - 1, entry FROM"
        " (SELECT entry, COUNT(DISTINCT document) AS documents, SUM(probability) AS total FROM temp.entries"
        " GROUP BY entry)"
        " JOIN keys ON keys.number = entry ORDER BY documents DESC, total DESC, text LIMIT most();"
        "CREATE INDEX temp.shown_by_entry ON shown(entry);"
    )
    total = store.rows.execute("SELECT COUNT(DISTINCT entry) FROM temp.entries").fetchone()[0]
    if total > MOST_PHRASES:
        select = "SELECT COUNT(DISTINCT document) FROM temp.entries JOIN temp.shown USING(entry) WHERE place = ?"
        least = store.rows.execute(select, (MOST_PHRASES - 1,)).fetchone()[0]
        yield f"{total:,} phrases: the {MOST_PHRASES:,} of most documents, the last of {least:,}, are listed"


def _list_forms(store: Store) -> dict[int, list[tuple[str, int]]]:
    """Return the forms of each listed phrase with their documents, that of most documents first."""
    rows = store.rows.execute(
        "SELECT s.place, f.text, COUNT(DISTINCT e.document), 1, 0 FROM temp.entries e"
        " JOIN temp.shown s ON s.entry = e.entry JOIN forms f ON f.number = e.form GROUP BY s.place, f.text"
        " UNION ALL SELECT s.place, n.text, 0, 0, 0 FROM temp.named n JOIN temp.shown s ON s.entry = n.key"
        " UNION ALL SELECT s.place, d.text, 0, 2, d.documents FROM definitions d JOIN temp.shown s ON s.entry = d.long"
    )
    forms: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for place, text, documents, source, defining in rows:
        # The user's name comes first. A long form comes before its acronyms, however often they are used, be it one
        # that only the texts have.
        forms[place].append((source > 0, is_short_form(text), -documents, source, -defining, ", " in text, text))
    return {
        place: [(each[-1], -each[2]) for number, each in enumerate(sorted(ranked)) if each[2] or not number]
        for place, ranked in forms.items()
    }


def _count_phrases(store: Store, groups: Groups, forms: Forms) -> Iterator[CollectedPhrase]:
    """Yield the listed phrases, one after the other."""
    rows = store.rows.execute(
        "SELECT s.place, e.document, MAX(e.probability), SUM(e.mentions), d.id FROM temp.shown s"
        " JOIN temp.entries e ON e.entry = s.entry JOIN documents d ON d.number = e.document"
        " GROUP BY s.place, e.document ORDER BY s.place, 3 DESC, d.id"
    )
    for place, grouped in groupby(rows, key=itemgetter(0)):
        uses = list(grouped)
        total = sum(use[2] for use in uses)
        by = Counter(name for use in uses for name in groups.of_documents.get(use[1], ()))
        yield CollectedPhrase(
            text=forms[place][0][0],
            forms=tuple(text for text, documents in forms[place] if documents),
            documents=len(uses),
            expected=round(total / CERTAIN, 3),
            interval=count_interval(np.array([use[2] for use in uses]) / CERTAIN),
            mentions=sum(use[3] for use in uses),
            by={name: by[name] for name in groups.totals if name in by},
            examples=tuple(use[4] for use in uses[:_EXAMPLES]),
        )


def _test_trends(phrases: Iterable[CollectedPhrase], groups: Groups) -> list[Trend]:
    """Return the tested phrases, the least p-value first; none where groups have no order."""
    if not groups.scores:
        return []
    totals, scores = np.array(list(groups.totals.values())), np.array(groups.scores)
    tested = [each for each in phrases if sum(each.by.values()) >= _LEAST_DOCUMENTS]
    counts = (np.array([each.by.get(name, 0) for name in groups.totals]) for each in tested)
    results = [grouping.trend_probability(count, totals, scores) for count in counts]
    adjusted = grouping.adjust_probabilities([p for _, p in results])
    trends = [
        Trend(each.text, ("rising" if slope > 0 else "falling") if q <= DISCOVERY else "steady", p, q)
        for each, (slope, p), q in zip(tested, results, adjusted, strict=True)
    ]
    return sorted(trends, key=lambda trend: (trend.p, trend.text))


def _find_typical(phrases: list[CollectedPhrase], groups: Groups) -> dict[str, tuple[tuple[str, float], ...]]:
    if len(groups.totals) < 2:  # noqa: PLR2004 - nothing to compare with
        return {}
    counts = {name: np.array([float(each.by.get(name, 0)) for each in phrases]) for name in groups.totals}
    return {
        name: tuple((phrases[index].text, round(z, 2)) for index, z in typical[:_TYPICAL])
        for name, typical in grouping.typical_phrases(counts).items()
    }


def _find_titles(store: Store, phrases: Iterable[CollectedPhrase]) -> dict[str, tuple[str, str]]:
    """Return titles and addresses of the documents that are named as examples, where they are known."""
    titles = {}
    for name in dict.fromkeys(name for each in phrases for name in each.examples):
        meta = json.loads(store.rows.execute("SELECT meta FROM documents WHERE id = ?", (name,)).fetchone()[0])
        address = next((str(meta[key]) for key in ("url", "link", "doi") if meta.get(key)), "")
        address = f"https://doi.org/{address}" if address.startswith("10.") else address
        if (title := str(meta.get("title") or "")) or address:
            titles[name] = title, address if address.startswith(("https://", "http://")) else ""
    return titles
