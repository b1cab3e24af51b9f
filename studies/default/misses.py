"""Keyphrases that the default does not show: why, and how near it was."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from keywright.text.gold_keys import gold_keys
from studies.default.answers import Answered
from studies.default.error_rows import MISS, ErrorCount, ErrorExample
from studies.default.phrases import Text, all_readings, holds, other_writings
from studies.default.reading import Reading

_BANDS: Final = ((30, "ranked down to 30"), (100, "ranked 31 to 100"), (10_000, "ranked behind 100"))


def misses(reading: Reading) -> Iterator[ErrorExample]:
    """Every keyphrase that is not shown."""
    for answer in reading.answered:
        yield from _missed(reading, answer)


def _missed(reading: Reading, answer: Answered) -> Iterator[ErrorExample]:
    labelled, few = answer.one.labelled, answer.one.few
    text, groups = Text(labelled.document), reading.grouped(answer.parts)
    for entry in dict.fromkeys(labelled.given_by(reading.here.questions[0].gold)):
        where = reading.here.name, MISS, labelled.id
        if reason := text.lost(entry, few.key):
            yield ErrorExample(*where, entry.forms[0], reason, None, None)
            continue
        own = np.flatnonzero(np.isin(few.key, gold_keys([entry], "en")))
        best = int(own[answer.rank[own].argmin()])
        rank = int(answer.rank[best])
        if rank <= reading.here.shown:
            continue
        band = next(name for last, name in _BANDS if rank <= last)
        place = int(np.count_nonzero(answer.one.answers[0][:best]))
        group = reading.groups[int((reading.usual - groups[place]).argmax())]
        yield ErrorExample(
            *where, answer.writing(best), band, rank, reading.probability(float(answer.odds[best])), group
        )


def nearly(reading: Reading) -> Iterator[ErrorCount]:
    """Of misses, how many are shown in part, with more words, or as their short or long form."""
    found = Counter[str]()
    total = 0
    for answer in reading.answered:
        shown = answer.shown(reading.here.shown)
        pairs = Text(answer.one.labelled.document).abbreviated
        for entry in dict.fromkeys(answer.one.labelled.given_by(reading.here.questions[0].gold)):
            forms = all_readings([entry])
            if any(form in shown for form in forms):
                continue
            total += 1
            other = {one for form in forms for one in other_writings(form, pairs)}
            found["a part of it is shown"] += any(holds(form, one) for form in forms for one in shown)
            found["it is shown with more words"] += any(holds(one, form) for form in forms for one in shown)
            found["its short or long form is shown"] += any(one in other for one in shown)
    for name, number in found.items():
        yield ErrorCount(reading.here.name, MISS, "trait", name, number, round(number / max(1, total), 4))
