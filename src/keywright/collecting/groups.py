"""Groups of documents: years or the values of any column; statistics of counted phrases, in groups and in all.

Intervals of expected numbers, tests of trends, and phrases typical of a group.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.errors import UnknownName, list_names

_YEAR: Final = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)|^(19\d\d|20\d\d)[01]\d[0-3]\d$")
"""A year from 1500 to 2099 by itself, or the first digits of a date such as 20190305."""
_SHORT_YEAR: Final = re.compile(r"^\d{1,2}([./-])\d{1,2}\1(\d\d)$")
_CENTURY: Final = 50  # years of two digits from here on are of the twentieth century; arbitrary
_MONTHS: Final = r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[^\W\d_]*\.?"
_DATE: Final = re.compile(
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s*)?"
    rf"(?:\d{{1,4}}(?:st|nd|rd|th)?|{_MONTHS}|[年月日]|[\s.,/-])+(?:t[\d:.]+z?(?:[+-][\d:]+)?)?",
    re.IGNORECASE,
)
_DATED: Final = ("year", "date", "published", "publication_year", "publication_date", "created", "py", "dp")
"""Names of columns of dates, in lower case, in the order in which a year is looked for; usual ones."""
_SOURCES: Final = ("source", "journal", "so", "source title")
_MOST_GROUPS: Final = 40  # most groups, the largest values; arbitrary
_MOST_ORDERED: Final = 200  # the same of years and other numbers; arbitrary


def find_year(value: Any) -> int | None:
    """Return the year of a date in any usual style, such as 5 March 2019, 05.03.19 or 20190305; None without one."""
    text = str(value).strip()
    if match := _YEAR.search(text):
        return int(match[1] or match[2])
    if match := _SHORT_YEAR.match(text):
        return int(match[2]) + (1900 if int(match[2]) >= _CENTURY else 2000)
    return None


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups of documents, by number of document.

    ``by``: the column; ``totals``: documents of each group, in order; ``scores``: of ordered groups, such as years.
    """

    by: str = ""
    of_documents: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    totals: Mapping[str, int] = field(default_factory=dict)
    scores: tuple[float, ...] = ()
    warnings: tuple[str, ...] = ()


def group_documents(documents: Iterable[tuple[int, str, str | None, Mapping[str, Any]]], by: str) -> Groups:
    """Return the groups of documents (number, id, language, columns) by a column; ``UnknownName``: none has it.

    ``year`` looks for a year in columns of dates, then in the ids, if more than half of the others have one; ``source``
    in a journal as well; ``language`` is that of the document. Values that are all dates become years.
    """
    name, values, columns, from_ids = by.strip(), dict[int, list[Any]](), Counter[str](), dict[int, int]()
    folded = name.casefold()
    for number, document_id, language, meta in documents:
        columns.update(meta.keys())
        lowered = {key.casefold(): value for key, value in meta.items()}
        value = meta.get(name, lowered.get(folded))
        if folded == "language":
            value = value or language
        elif folded == "source":
            value = next((lowered[key] for key in _SOURCES if lowered.get(key)), None)
        elif folded == "year":
            value = next((year for key in _DATED if (year := find_year(lowered.get(key, "")))), None)
            if value is None and (year := find_year(document_id)):
                from_ids[number] = year
        values[number] = value if isinstance(value, list) else [value]
    is_known = folded in {"year", "language", "source"} or any(key.casefold() == folded for key in columns)
    if not is_known and values:
        hint = f"documents have {list_names(sorted(columns), 12) or 'no columns'}, and year, source, language"
        raise UnknownName(f"no document has a column {by!r}", hint)
    warnings = []
    if 2 * len(from_ids) > sum(value == [None] for value in values.values()):  # a few may be other numbers
        values |= {number: [year] for number, year in from_ids.items()}
        warnings.append(f"the years of {len(from_ids):,} documents were read from their ids")
    return _make_groups(name, values, warnings)


def _make_groups(by: str, values: Mapping[int, list[Any]], warnings: list[str]) -> Groups:
    """Return groups of values, years in place of dates, at most some; say what is left out."""
    texts = [str(item) for items in values.values() for item in items if item not in (None, "")]
    is_dated = bool(texts) and (by.casefold() in _DATED or all(_DATE.fullmatch(text) for text in texts))
    if is_dated and any(find_year(text) and not text.isdigit() for text in texts):
        warnings.append(f"the dates in {by!r} were made years")
    is_dated = is_dated and any(map(find_year, texts))
    names = {
        number: tuple(dict.fromkeys(name for item in items if (name := _name_group(item, is_dated=is_dated))))
        for number, items in values.items()
    }
    totals = Counter(name for of_document in names.values() for name in of_document)
    if without := sum(not of_document for of_document in names.values()):
        what = "a year" if is_dated or by.casefold() == "year" else f"a value of {by!r}"
        warnings.append(f"{without:,} of {len(names):,} documents are without {what}, and count in no group")
    is_ordered = bool(totals) and all(re.fullmatch(r"-?\d{1,15}(\.\d+)?", name) for name in totals)
    most = _MOST_ORDERED if is_ordered else _MOST_GROUPS
    largest = sorted(totals, key=lambda name: (-totals[name], name))[:most]
    if len(totals) > most:
        others = sum(totals[name] for name in totals.keys() - set(largest))
        left_out = f"the {most} largest are groups, {others:,} documents are in others"
        warnings.append(f"{by!r} has {len(totals):,} values: {left_out}")
    listed = set(largest)
    ordered = sorted(largest, key=(lambda name: (float(name), name)) if is_ordered else str.casefold)
    of_documents = {number: tuple(name for name in each if name in listed) for number, each in names.items()}
    scores = tuple(map(float, ordered)) if is_ordered and len(ordered) > 1 else ()
    return Groups(by, of_documents, {name: totals[name] for name in ordered}, scores, tuple(warnings))


def _name_group(value: Any, *, is_dated: bool) -> str:
    """Return the name of a value's group; empty for a missing value, and for a date without a year."""
    if value in (None, ""):
        return ""
    if is_dated:
        return str(find_year(value) or "")
    return str(int(value)) if isinstance(value, float) and value.is_integer() else " ".join(str(value).split())


_LEVEL: Final = 0.95  # level of intervals; usual
_EXACT: Final = 400
"""Documents up to which the distribution of their number is computed exactly, in some milliseconds; above, it is nearly
normal, corrected for its skewness. Arbitrary."""
_EXACT_TREND: Final = 30  # the same for a trend, whose distribution is computed once for each number
_NORMAL: Final = NormalDist()


def count_interval(probabilities: Floats) -> tuple[int, int]:
    """Return the interval of the number of events with these probabilities, which are independent: Poisson binomial.

    At least 2.5 % of the distribution lies at each of its ends or beyond.
    """
    uncertain = probabilities[probabilities < 1]
    certain, tail = len(probabilities) - len(uncertain), (1 - _LEVEL) / 2
    if len(uncertain) <= _EXACT:
        distribution = np.ones(1)
        for probability in uncertain:
            distribution = np.convolve(distribution, (1 - probability, probability))
        low, high = np.searchsorted(np.cumsum(distribution), (tail + 1e-12, 1 - tail - 1e-12))
        return certain + int(low), certain + min(int(high), len(uncertain))
    spread = uncertain * (1 - uncertain)
    deviation = math.sqrt(spread.sum())
    skewness = float((spread * (1 - 2 * uncertain)).sum()) / deviation**3 if deviation else 0.0
    quantiles = (_NORMAL.inv_cdf(tail), _NORMAL.inv_cdf(1 - tail))
    # Cornish and Fisher's first correction of a normal quantile.
    low_value, high_value = (uncertain.sum() + deviation * (z + skewness * (z * z - 1) / 6) for z in quantiles)
    return certain + max(0, round(low_value)), certain + min(len(uncertain), round(high_value))


def trend_probability(counts: Ints, totals: Ints, scores: Floats) -> tuple[float, float]:
    """Return the direction of a trend, above 0 where it rises, and its two-sided p-value.

    ``counts``, ``totals``: documents with the phrase, and all, in each group; ``scores``: of each, increasing,
    (groups,). Under the null hypothesis the documents of the phrase are drawn from all documents without replacement,
    and their mean score (year) is that of all: the permutation form of the test of Cochran and Armitage. Up to 30
    documents the distribution is exact for equally spaced whole scores.
    """
    drawn, size = int(counts.sum()), int(totals.sum())
    mean = float(totals @ scores) / size
    statistic = float(counts @ (scores - mean))
    variance = float(totals @ (scores - mean) ** 2) / size
    deviation = math.sqrt(drawn * variance * (size - drawn) / max(1, size - 1))
    if not deviation:
        return 0.0, 1.0
    if drawn <= _EXACT_TREND and all(float(score).is_integer() for score in scores):
        steps = tuple(int(score - scores[0]) for score in scores)
        tails = _score_tails(drawn, tuple(map(int, totals)), steps)
        return statistic, min(1.0, 2 * min(float(tail[int(counts @ np.array(steps))]) for tail in tails))
    return statistic, 2 * _NORMAL.cdf(-abs(statistic) / deviation)


@cache
def _score_tails(drawn: int, totals: tuple[int, ...], steps: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return for each sum of scores of documents drawn the probability of a sum as small, and of one as large."""
    # Ways to draw so many documents with such a sum, group by group: the coefficients of a generating function.
    ways = np.zeros((drawn + 1, drawn * steps[-1] + 1))
    ways[0, 0] = 1.0
    for total, step in zip(totals, steps, strict=True):
        further = ways.copy()
        for number in range(1, min(drawn, total) + 1):
            shift = number * step
            log_choices = math.lgamma(total + 1) - math.lgamma(number + 1) - math.lgamma(total - number + 1)
            choices = math.exp(log_choices - number * math.log(max(totals)))
            further[number:, shift:] += choices * ways[: drawn + 1 - number, : ways.shape[1] - shift]
        ways = further
    distribution = ways[drawn] / ways[drawn].sum()
    return np.cumsum(distribution), np.cumsum(distribution[::-1])[::-1]


def adjust_probabilities(probabilities: Sequence[float]) -> list[float]:
    """Return the q-value of each p-value, the least false discovery rate (Benjamini and Hochberg 1995)."""
    values = np.asarray(probabilities, float)
    order = np.argsort(values, kind="stable")
    scaled = values[order] * len(values) / np.arange(1, len(values) + 1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum.accumulate(scaled[::-1])[::-1]
    return list(map(float, np.minimum(adjusted, 1.0)))


_PRIOR: Final = 0.1
"""Size of the prior in log-odds, as a share of all uses of phrases, and at most 500, as in the paper; arbitrary. It
moves rare phrases only."""


def typical_phrases(counts: Mapping[str, Floats], least: float = 1.96) -> dict[str, list[tuple[int, float]]]:
    """Return the phrases of each group with a z-score of ``least`` or more against the others, best first.

    ``counts``: documents of each phrase by group, (phrases,) each. Log-odds with an informative Dirichlet prior, the
    counts of all groups: Monroe, Colaresi and Quinn, "Fightin' Words", Political Analysis 2008, eq. 15, 16, 22.
    """
    everything: Floats = np.asarray(sum(counts.values()), float)
    prior = everything * min(_PRIOR, 500 / max(1.0, everything.sum()))
    typical = {}
    for name, count in counts.items():
        first, second = count + prior, everything - count + prior
        with np.errstate(divide="ignore", invalid="ignore"):
            log_odds = np.log(first / (first.sum() - first)) - np.log(second / (second.sum() - second))
            scores = np.nan_to_num(log_odds / np.sqrt(1 / first + 1 / second), nan=0.0, posinf=0.0, neginf=0.0)
        order = np.argsort(-scores, kind="stable")
        typical[name] = [(int(index), float(scores[index])) for index in order if scores[index] >= least]
    return typical
