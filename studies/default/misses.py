"""Keyphrases that the default does not show: the reason, and how near they were."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from keywright.text.keys import gold_keys
from studies.default.phrases import TextOfGold, all_readings, holds, other_forms
from studies.default.rankings import HeldOutRanking, HeldOutRankings
from studies.default.rows import MISS, ErrorCount, ErrorExample

_BANDS: Final = ((30, "ranked down to 30"), (100, "ranked 31 to 100"), (10_000, "ranked behind 100"))
"""Last ranks and names of the classes of misses that are on the shortlist; arbitrary."""


def misses(rankings: HeldOutRankings) -> Iterator[ErrorExample]:
    """Yield every keyphrase that is not shown."""
    for ranking in rankings.rankings:
        yield from _missed(rankings, ranking)


def _missed(rankings: HeldOutRankings, ranking: HeldOutRanking) -> Iterator[ErrorExample]:
    labelled, shortlist = ranking.paper.labelled, ranking.paper.shortlist
    text, by_group = TextOfGold(labelled.document), rankings.by_group(ranking.contributions)
    where = rankings.here.name, MISS, labelled.id
    for entry in ranking.keyphrases:
        if reason := text.lost(entry, shortlist.key):
            yield ErrorExample(*where, entry.forms[0], reason, None, None)
            continue
        candidates = np.flatnonzero(np.isin(shortlist.key, gold_keys([entry], "en")))
        best = int(candidates[ranking.rank[candidates].argmin()])
        rank = int(ranking.rank[best])
        if rank <= rankings.here.shown:
            continue
        band = next(name for last, name in _BANDS if rank <= last)
        row = int(np.count_nonzero(ranking.is_keyphrase[:best]))  # contributions have rows for keyphrases only
        group = rankings.groups[int((rankings.usual_contributions - by_group[row]).argmax())]
        probability = rankings.probability(float(ranking.log_odds[best]))
        yield ErrorExample(*where, ranking.surface_form(best), band, rank, probability, group)


def near_misses(rankings: HeldOutRankings) -> Iterator[ErrorCount]:
    """Count the misses that are shown in part, with more words, or as their short or long form."""
    counts = Counter[str]()
    total = 0
    for ranking in rankings.rankings:
        shown = tuple(ranking.shown_parts())
        pairs = TextOfGold(ranking.paper.labelled.document).abbreviations
        for entry in ranking.keyphrases:
            forms = all_readings([entry])
            if any(form in shown for form in forms):
                continue
            total += 1
            others = {other for form in forms for other in other_forms(form, pairs)}
            counts["a part of it is shown"] += any(holds(form, phrase) for form in forms for phrase in shown)
            counts["it is shown with more words"] += any(holds(phrase, form) for form in forms for phrase in shown)
            counts["its short or long form is shown"] += any(phrase in others for phrase in shown)
    for name, number in counts.items():
        yield ErrorCount(rankings.here.name, MISS, "trait", name, number, round(number / max(1, total), 4))
