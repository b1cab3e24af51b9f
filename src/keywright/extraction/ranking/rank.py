"""Scores to rankings: order, ties, surface forms, spans, and decisions for each document of a batch."""

import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers, count_rows, expand_ranges, pad_segments
from keywright.core.candidates import Candidates, Ranking, Spans
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.predictions import Assumption

Evidence: TypeAlias = Mapping[str, Numbers] | Callable[[Ints], Mapping[str, Numbers]]
"""Named columns, (candidates,) each; or a function of candidates' indices where columns cost time for each phrase."""
_RARE: Final = 5  # a surface form with less than one in so many mentions is disregarded; arbitrary
_AS_WRITTEN: Final = frozenset({"en", "az", "el", "tr"})
"""Languages whose headings in capitals are shown so: Turkish *I* has two small letters, Greek capitals no accents."""
_LEAST_HEADING: Final = 5
"""Characters from which on one word in a heading of capitals is not taken for an acronym; arbitrary."""


def rank(  # noqa: PLR0913  (what a ranking is made of, by name)
    document: AnalysedDocument,
    candidates: Candidates,
    scores: Floats,
    evidence: Evidence | None = None,
    ties: Floats | None = None,
    *,
    probabilities: Floats | None = None,
    chosen: int | None = None,
    warnings: tuple[str, ...] = (),
    complete: bool = True,
    assumes: Assumption | None = None,
) -> Ranking:
    """Return all candidates as a ranking, best first.

    Equal scores keep reading order, then the order of keys. No candidates give an empty ranking.

    Args:
        document: the document the candidates come from.
        candidates: what to rank.
        scores: higher is better, (candidates,).
        evidence: what the scores were made of.
        ties: column that breaks ties before reading order does, higher is better, (candidates,).
        probabilities: of each candidate, from a fitted probability map, (candidates,); they change no order.
        chosen: how many of the best candidates the system itself would show.
        warnings: what the person should know.
        complete: whether these are all phrases of the document, see ``Ranking``.
        assumes: what the probabilities assume.
    """
    if chosen is not None and not 0 <= chosen <= len(candidates):
        raise BadParameter(f"chosen {chosen}", f"expected a number from 0 to {len(candidates)}, the candidates")
    order = order_of(candidates, scores, ties)
    columns = evidence or {}
    source = document.source
    texts: dict[int, tuple[str, Spans]] = {}  # a calibrator reads the phrases that are shown later

    def phrases_at(positions: Ints) -> list[tuple[str, Spans]]:
        missing = [position for position in positions.tolist() if position not in texts]
        for position, spans in zip(missing, spans_of(document, candidates, order[missing]), strict=True):
            shown = spans
            if source.language == "ar":
                from keywright.text.arabic.word_forms import without_proclitics  # noqa: PLC0415 - only for Arabic texts

                shown = without_proclitics(source.text, spans)
            form = surface_form(source.text, shown)
            texts[position] = lower_heading(form, source.text, spans, source.language or "en"), spans
        return [texts[position] for position in positions.tolist()]

    def evidence_at(positions: Ints) -> Mapping[str, Numbers]:
        rows = order[positions]
        if callable(columns):
            return columns(rows)
        return {name: np.asarray(column)[rows] for name, column in columns.items()}

    def mentions() -> tuple[Ints, Ints, Ints]:
        position = np.empty(len(order), np.int64)
        position[order] = np.arange(len(order))
        return position[candidates.owner], candidates.positions, candidates.widths

    return Ranking(
        source=source,
        scores=scores[order],
        phrases=phrases_at,
        mentions=None if source.language == "ar" else mentions,  # shown without the tokens' proclitics
        probabilities=None if probabilities is None else probabilities[order].__getitem__,
        evidence=evidence_at,
        chosen=chosen,
        warnings=warnings,
        complete=complete,
        assumes=assumes,
    )


def order_of(candidates: Candidates, scores: Floats, ties: Floats | None = None) -> Ints:
    """Return indices of candidates, best first, (candidates,); arguments as those of ``rank``."""
    if ties is None:
        # One stable sort is enough where no scores are equal, and sorts a paper's candidates in half the time.
        order = np.argsort(-scores, kind="stable")
        ranked = scores[order]
        if (ranked[1:] != ranked[:-1]).all():
            return order
    breaking = () if ties is None else (-ties,)
    return np.lexsort((candidates.key, candidates.first, *breaking, -scores))


def spans_of(document: AnalysedDocument, candidates: Candidates, indices: Ints) -> list[Spans]:
    """Return the spans of some candidates in the document's text, half-open, in characters, in reading order."""
    if not len(indices):
        return []
    # The occurrences of all candidates in one column, split by candidate at the end.
    number = candidates.frequency[indices]
    ends = np.cumsum(number)
    which, _ = expand_ranges(candidates.offsets[indices], candidates.offsets[indices] + number)
    first = candidates.positions[which]
    last = first + candidates.widths[which] - 1
    spans = tuple(zip(document.start[first].tolist(), document.end[last].tolist(), strict=True))
    return [spans[end - size : end] for size, end in zip(number.tolist(), ends.tolist(), strict=True)]


def surface_form(text: str, spans: Spans) -> str:
    """Return the text to print for a phrase: its most frequent form, regardless of case, in a usual spelling.

    White space becomes single blanks. Capitals come from titles, headings and beginnings of sentences as well as from
    names, so the lower-case spelling is used if it makes up a fifth of the mentions. Otherwise a word has its most
    frequent spelling, and a phrase the one with the fewest capitals that makes up a fifth. Ties go to the earliest.
    """
    if len(spans) == 1:
        return " ".join(text[slice(*spans[0])].split())
    written = [text[start:end] for start, end in spans]
    if written.count(written[0]) == len(written):
        return " ".join(written[0].split())
    mentions = Counter(written)
    spellings: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    for mention, count in mentions.items():
        spelling = " ".join(mention.split())
        spellings[spelling] += count
        forms[spelling.lower()] += count
    form = max(forms, key=forms.__getitem__)
    of_form = [spelling for spelling in spellings if spelling.lower() == form]
    usual = [spelling for spelling in of_form if spellings[spelling] * _RARE >= forms[form]] or of_form
    if form in usual:
        return form
    if " " in form:
        return min(usual, key=lambda spelling: sum(map(str.isupper, spelling)))
    return max(usual, key=spellings.__getitem__)


def lower_heading(form: str, text: str, spans: Spans, language: str) -> str:
    """Return a phrase in small letters after its first one if its capitals are for emphasis, not an acronym's."""
    # So it is with several longer words, and with what the text has in lines of capitals only. German words keep one.
    if language in _AS_WRITTEN or not form.isupper() or (len(form) < _LEAST_HEADING and " " not in form):
        return form
    longer = " " in form and min(map(len, form.split())) >= _LEAST_HEADING - 1
    for start, end in () if longer else spans:
        before, after = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        words = text[before : after if after >= 0 else len(text)].split()
        if len(words) == 1 or not all(word.isupper() for word in words if any(map(str.isalpha, word))):
            return form
    return form.title() if language == "de" else form.capitalize()


ROUNDING: Final = 1e-12  # differences of expected F1 that are rounding errors


def count_by_expected_f1(probabilities: Floats, most: int | None = None) -> int:
    """Return the smallest number of phrases with the largest expected F1; at least 1, but 0 of no phrases.

    If phrases are keyphrases independently of each other, the best choice of k is the k most probable (Lewis 1995:
    Evaluating and optimizing autonomous text classification systems). Their F1 is 2 · hits / (k + keyphrases); the
    expected ratio is approximated by the ratio of expectations, 2 (p1 + ... + pk) / (k + p1 + ... + pn), which grows
    while the next probability exceeds half of it (Lipton, Elkan and Narayanaswamy 2014: Optimal thresholding of
    classifiers to maximize F1 measure). The exact expectation takes quadratic time (Ye, Chai, Lee and Chieu 2012:
    Optimizing F-measure: a tale of two approaches); the approximation loses .07 in the worst case known, one certain
    phrase and two with .36, and less than .005 for lists like those of documents.

    Keyphrases that are not on the list are ignored. ``probabilities``: of all candidates, also those beyond ``most``,
    best first, (phrases,); ``most``: maximum count, at least 1.
    """
    wrong = probabilities[~((probabilities >= 0) & (probabilities <= 1))]
    if len(wrong):
        raise BadParameter(f"probability {wrong[0]}", "expected numbers from 0 to 1")
    if (np.diff(probabilities) > 0).any():
        raise BadParameter("probabilities increase down the list", "give them best first")
    if most is not None and most < 1:
        raise BadParameter(f"most {most}", "expected a number from 1")
    return int(counts_by_expected_f1(probabilities, np.array([0, len(probabilities)]), most)[0])


def candidates_of(candidates: Candidates, begin: int, end: int, token: int) -> Candidates:
    """Return the candidates from ``begin`` to before ``end``, of the document that begins with a token of the batch."""
    occurrences = slice(int(candidates.offsets[begin]), int(candidates.offsets[end]))
    return Candidates(
        key=candidates.key[begin:end],
        length=candidates.length[begin:end],
        frequency=candidates.frequency[begin:end],
        first=candidates.first[begin:end] - token,
        last=candidates.last[begin:end] - token,
        offsets=candidates.offsets[begin : end + 1] - occurrences.start,
        positions=candidates.positions[occurrences] - token,
        widths=candidates.widths[occurrences],
    )


def with_scores_behind(weight: Floats, log_odds: Floats, in_shortlist: Bools, bounds: Ints) -> Floats:
    """Return log-odds of the shortlist, and lower scores in the order of weights behind it, (candidates,)."""
    scores = np.empty(len(weight))
    scores[in_shortlist] = log_odds
    for begin, end in itertools.pairwise(bounds.tolist()):
        listed = in_shortlist[begin:end]
        if not listed.all():
            least = scores[begin:end][listed].min(initial=0.0)
            behind = np.empty(end - begin)
            order = np.argsort(-weight[begin:end], kind="stable")
            behind[order] = least - 1 - np.arange(end - begin) / (end - begin)
            scores[begin:end][~listed] = behind[~listed]
    return scores


def counts_by_expected_f1(probabilities: Floats, bounds: Ints, most: int | None = None) -> Ints:
    """Return ``count_by_expected_f1`` of documents with ``bounds``, (documents,), candidates in any order."""
    # Padded with -1 behind the shorter documents, so that one sort and one running sum serve all of them.
    matrix = np.sort(pad_segments(probabilities, bounds, -1.0), axis=1)[:, ::-1]
    behind = matrix < 0
    hits = np.cumsum(np.where(behind, 0.0, matrix), axis=1)
    expected = np.where(behind, -1.0, 2 * hits / (np.arange(1, hits.shape[1] + 1) + hits[:, -1:]))[:, :most]
    best = expected.max(axis=1, initial=-1.0, keepdims=True)
    counts = np.argmax(expected >= best - ROUNDING, axis=1) + 1 if hits.shape[1] else np.zeros(len(hits), np.int64)
    return np.where(count_rows(bounds) > 0, counts, 0)
