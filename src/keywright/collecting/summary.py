"""Summary of a collection: phrases with counts, clusters and links, phrases typical of groups, and trends."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np

from keywright.collecting import groups as grouping
from keywright.collecting.collected import CollectedPhrase, Collection, Trend
from keywright.collecting.forms import is_short_form
from keywright.collecting.groups import Groups, count_interval, group_documents
from keywright.collecting.merges import Forms, join_meanings, list_merges
from keywright.collecting.network import count_links, find_clusters
from keywright.collecting.store import CERTAIN, Store
from keywright.core.errors import MissingExtra
from keywright.text.encoders import Encode

MOST_PHRASES: Final = 5_000  # phrases that are listed, those of most documents; arbitrary
_NODES: Final = 500  # phrases whose links are counted, those of most documents; arbitrary, and readable clusters
_LEAST_DOCUMENTS: Final = 5  # documents of a tested phrase; fewer cannot be significant among hundreds
DISCOVERY: Final = 0.05  # false discovery rate of trends that have a direction; usual
_TYPICAL: Final = 10  # phrases that are typical of a group; arbitrary
_EXAMPLES: Final = 20  # documents that are named for a phrase, the most probable; arbitrary


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
