"""Scores of summaries, one for each summary and evaluator, and the report: ranking of systems, then keyphrases of each.

Scores are rows of a file, a table for people, and columns; the report is a value and a page.
"""

import enum
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from importlib import resources
from statistics import fmean
from typing import Any, Final

from keywright.core.candidates import Spans
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.interfaces import Progress
from keywright.core.json_values import decode, encode
from keywright.core.pages import Cell, Table, build_facts, build_heading, build_page, build_paragraph, build_table
from keywright.core.predictions import Failure
from keywright.core.signatures import signature
from keywright.reading.record_lines import JsonLine
from keywright.summaries.agreement.correlation import HUMAN, ScoreTable, make_score_table, rank_systems
from keywright.summaries.evaluator import Evaluator
from keywright.summaries.kpeval import KPEval
from keywright.summaries.pairs import Pair, SummaryText

_FORM = 'expected {"id", "system", "evaluator", "values": {…}} on each line, as `keywright summaries score -o` writes'


@dataclass(frozen=True, slots=True)
class SummaryScore:
    """The values of one summary under one evaluator."""

    id: str  # the topic
    system: str
    evaluator: str  # specification, as given
    signature: str
    values: Mapping[str, float | None]  # by name; None where undefined
    notes: tuple[str, ...] = ()
    # Scores that people gave to the summary, by protocol.
    human: Mapping[str, float] = field(default_factory=dict, metadata={"optional": True})

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; ``human`` only where people gave scores."""
        return dict(encode(self))


def score_pairs(
    pairs: Sequence[Pair], evaluators: Mapping[str, Evaluator], progress: Progress | None = None
) -> Iterator[SummaryScore]:
    """Yield the scores of all pairs under each evaluator in turn; evaluators are by specification."""
    done = 0
    for specification, evaluator in evaluators.items():
        signed = signature(evaluator)
        for pair, evaluation in zip(pairs, evaluator.evaluate(pairs), strict=True):
            done += 1
            if progress:
                progress(done, len(pairs) * len(evaluators))
            notes = ["the summary is empty"] if pair.summary.empty else []
            if empty := sum(text.empty for text in pair.references):
                notes.append(f"{empty} of {len(pair.references)} references are empty")
            if pair.own_reference:
                notes.append("the reference by the summary's author is left out")
            every = (*notes, *pair.notes, *evaluation.notes)
            yield SummaryScore(pair.id, pair.system, specification, signed, evaluation.values, every, pair.human)


def read_scores(lines: Iterable[JsonLine], name: str) -> tuple[SummaryScore, ...]:
    """Return the scores of a file's lines; raises ``BadRecord`` with the line that is invalid, or if there is none."""
    scores = []
    for line in lines:
        try:
            record = line.record()
            values = {"signature": "", "notes": [], "human": {}, **record, "id": str(record["id"])}
            scores.append(decode(SummaryScore, values, "score"))
        except KeyError as error:
            raise BadRecord(f"line {line.number} of {name} has no key {error}", _FORM) from None
        except TypeError as error:
            raise BadRecord(f"line {line.number} of {name}: {error}", _FORM) from None
    if not scores:
        raise BadRecord(f"{name} holds no score", _FORM)
    return tuple(scores)


def tabulate_scores(scores: Iterable[SummaryScore], values: Sequence[str] = ("R",)) -> ScoreTable:
    """Return scores as a table, columns of people last (``human:PROTOCOL``); missing or double ones are refused."""
    cells: list[tuple[str, str, str, float | None]] = []
    human: dict[tuple[str, str, str], float] = {}
    for score in scores:
        names = [name for name in score.values if name in values] if len(score.values) > 1 else list(score.values)
        if not names:
            expected = ", ".join(score.values)
            raise BadParameter(f"{score.evaluator} has no value {' or '.join(values)}", f"expected one of {expected}")
        label = {name: score.evaluator if len(names) == 1 else f"{score.evaluator} {name}" for name in names}
        cells += [(score.id, score.system, label[name], score.values[name]) for name in names]
        human |= {(score.id, score.system, f"{HUMAN}{name}"): value for name, value in score.human.items()}
    return make_score_table([*cells, *((*key, value) for key, value in human.items())])


_HEADLINES: Final = ("R", "score")  # values that systems are ordered by: recall where there is one


def draw_system_table(scores: Sequence[SummaryScore]) -> Table:
    """Return the mean over topics of each system's values, best first; undefined ones are counted below."""
    names = tuple(dict.fromkeys(name for score in scores for name in score.values))
    caption = (
        "Mean over topics; systems are ordered by recall or score, and the best values are marked. The interval is of "
        "recall or score: 95 % percentile bootstrap over topics, 1000 resamples."
    )
    rows: list[tuple[str | Cell, ...]] = []
    notes = []
    for evaluator, scored in group_by_evaluator(scores).items():
        means = average_systems(scored)
        ranking = rank_systems(tabulate_scores([replace(each, human={}) for each in scored]))
        ends = {row.system: row.interval for row in ranking if row.interval and row.topics > 1}
        headline = next(name for name in (*_HEADLINES, *names) if name in scored[0].values)
        columns = {name: [value for row in means.values() if (value := row.get(name)) is not None] for name in names}
        best = {name: max(column, default=None) for name, column in columns.items()}
        for system in sorted(means, key=lambda name: (means[name][headline] is None, -(means[name][headline] or 0.0))):
            cells: list[str | Cell] = [evaluator, system, str(sum(score.system == system for score in scored))]
            for name in names:
                value = means[system].get(name)
                is_best = len(means) > 1 and value == best[name]
                cells.append("-" if value is None else Cell(f"{value:.4f}", best=is_best))
            low, high = ends.get(system, (None, None))
            rows.append((*cells, "-" if low is None else f"{low:.4f} to {high:.4f}"))
        if undefined := sum(None in score.values.values() for score in scored):
            notes.append(f"{evaluator}: {undefined} summaries without a value are not in the means")
    return Table.make(caption, ("evaluator", "system", "topics", *names, "interval"), rows, 2, notes)


def group_by_evaluator(scores: Iterable[SummaryScore]) -> dict[str, list[SummaryScore]]:
    """Return the scores of each evaluator."""
    groups: dict[str, list[SummaryScore]] = {}
    for score in scores:
        groups.setdefault(score.evaluator, []).append(score)
    return groups


def average_systems(scores: Sequence[SummaryScore]) -> dict[str, dict[str, float | None]]:
    """Return the mean of each value over topics, by system, of the scores of one evaluator; None where undefined."""
    names = tuple(dict.fromkeys(name for score in scores for name in score.values))
    values: dict[str, dict[str, list[float]]] = {}
    for score in scores:
        row = values.setdefault(score.system, {name: [] for name in names})
        for name, value in score.values.items():
            if value is not None:
                row[name].append(value)
    return {
        system: {name: fmean(column) if column else None for name, column in row.items()}
        for system, row in values.items()
    }


class Fate(enum.StrEnum):
    """Fates of a keyphrase: in summary and compared text, not in the summary, in no reference, not in the source."""

    KEPT = "kept"
    LOST = "lost"
    ADDED = "added"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class FatedKeyphrase:
    """A keyphrase with its fate."""

    lemmas: str  # its identity
    text: str  # surface form: in the summary for added and invented ones, else in the first text that has it
    fate: Fate
    probability: float | None  # chance that a person would choose it, in the text of ``text``; None if unknown
    in_summary: Spans  # spans in the summary, half-open, in characters
    in_others: tuple[tuple[int, Spans], ...]  # number of the text compared with, from 0, and its spans there

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        others = [{"text": number, "spans": spans} for number, spans in self.in_others]
        record = {"text": self.text, "lemmas": self.lemmas, "fate": self.fate, "probability": self.probability}
        return dict(encode({**record, "in_summary": self.in_summary, "in_others": others}))


@dataclass(frozen=True, slots=True)
class SummaryFates:
    """The keyphrases of one summary and of the texts that it is compared with."""

    pair: Pair
    others: tuple[SummaryText, ...]  # texts compared with: the references, or the source
    # Most probable first; where no probabilities are known, in the extractor's order.
    keyphrases: tuple[FatedKeyphrase, ...]
    notes: tuple[str, ...] = ()

    def with_fate(self, fate: Fate) -> tuple[FatedKeyphrase, ...]:
        """Return the keyphrases of one fate."""
        return tuple(keyphrase for keyphrase in self.keyphrases if keyphrase.fate is fate)

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "id": self.pair.id,
            "system": self.pair.system,
            "keyphrases": [keyphrase.as_json() for keyphrase in self.keyphrases],
            "counts": {fate.value: len(self.with_fate(fate)) for fate in Fate},
            "notes": list(self.notes),
        }


def find_all_fates(pairs: Iterable[Pair], evaluator: KPEval) -> Iterator[SummaryFates]:
    """Yield the fates of the keyphrases of each pair, in order; each distinct text is analysed once."""
    find_keyphrases, find_lemmas = cache(evaluator.keyphrases), cache(evaluator.lemmas_of)
    for pair in pairs:
        others = evaluator.compared_with(pair)
        peer = find_keyphrases(pair.summary)
        fated: dict[str, FatedKeyphrase] = {}
        for number, text in enumerate(map(find_keyphrases, others)):
            for lemmas, keyphrase in text.keyphrases.items():
                if lemmas in fated:
                    in_others = (*fated[lemmas].in_others, (number, keyphrase.spans))
                    fated[lemmas] = replace(fated[lemmas], in_others=in_others)
                    continue
                ours = peer.keyphrases.get(lemmas)
                fate, spans = (Fate.KEPT, ours.spans) if ours else (Fate.LOST, ())
                where = ((number, keyphrase.spans),)
                fated[lemmas] = FatedKeyphrase(lemmas, keyphrase.text, fate, keyphrase.probability, spans, where)
        in_source = find_lemmas(pair.source) if pair.source else None
        for lemmas, keyphrase in peer.keyphrases.items():
            if lemmas not in fated:
                fate = Fate.INVENTED if in_source is not None and f" {lemmas} " not in in_source else Fate.ADDED
                fated[lemmas] = FatedKeyphrase(lemmas, keyphrase.text, fate, keyphrase.probability, keyphrase.spans, ())
        ordered = tuple(sorted(fated.values(), key=lambda each: -(each.probability or 0.0)))
        notes = () if others else ("nothing to compare with",)
        yield SummaryFates(pair, others, ordered, (*pair.notes, *notes, *peer.warnings))


MOST_SHOWN: Final = 20  # summaries shown in full on a page, so that browsers open it; arbitrary
MOST_LISTED: Final = 20  # keyphrases of each fate in a list; the marks in the texts are complete. Arbitrary

_MARKS: Final = f"<style>\n{resources.files('keywright.summaries').joinpath('fates.css').read_text('utf-8')}</style>"

_MEANINGS: Final = {
    Fate.KEPT: "in the summary and in a text that it is compared with",
    Fate.LOST: "in a text that the summary is compared with, but not in the summary",
    Fate.ADDED: "in the summary, not in what it is compared with",
    Fate.INVENTED: "in the summary, neither in what it is compared with nor in the source",
}


@dataclass(frozen=True, slots=True)
class SummaryReport:
    """Ranking of summarisers, and the keyphrases that each summary keeps, loses and invents."""

    scores: tuple[SummaryScore, ...]  # scores of all summaries, by evaluator
    summaries: tuple[SummaryFates, ...]  # keyphrases with their fates, of the summaries asked for
    signatures: Mapping[str, str]  # signatures of the evaluators, by specification
    failures: tuple[Failure, ...] = ()  # lines that are not pairs
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "evaluators": dict(self.signatures),
            "systems": {name: average_systems(scores) for name, scores in group_by_evaluator(self.scores).items()},
            "summaries": [fates.as_json() for fates in self.summaries],
            "failures": [failure.to_dict() for failure in self.failures],
            "notes": list(self.notes),
        }

    def html(self) -> str:
        """Return the page; it shows the first ``MOST_SHOWN`` summaries in full and says so."""
        notes = list(self.notes)
        if len(self.summaries) > MOST_SHOWN:
            shown = f"{MOST_SHOWN} of {len(self.summaries)} summaries are shown; choose others by system or topic"
            notes.append(shown)
        notes += [f"{failure.document_id}: {failure.message}" for failure in self.failures]
        parts = [_MARKS, *map(build_paragraph, notes)]
        if len({score.system for score in self.scores}) > 1:
            ranking = draw_system_table(self.scores)
            parts += [build_heading("Systems"), build_table(ranking), *map(build_paragraph, ranking.notes)]
        legend = (
            f'<dt><mark class="{fate.value}">{fate.value}</mark></dt><dd>{escape(meaning)}</dd>'
            for fate, meaning in _MEANINGS.items()
        )
        parts += [build_heading("Summaries"), f"<dl>{''.join(legend)}</dl>"]
        parts += [part for fates in self.summaries[:MOST_SHOWN] for part in _draw_summary(fates)]
        parts += [build_heading("Evaluators"), build_facts(self.signatures.items())]
        return build_page("Keyphrases of summaries", parts)


def _draw_summary(fates: SummaryFates) -> Iterator[str]:
    yield f"<h3><bdi>{escape(fates.pair.system)}</bdi> on <bdi>{escape(fates.pair.id)}</bdi></h3>"
    yield from map(build_paragraph, fates.notes)
    yield f'<div class="fates">{"".join(_draw_list(fates, fate) for fate in Fate)}</div>'
    summary = {
        fate: [span for keyphrase in fates.with_fate(fate) for span in keyphrase.in_summary]
        for fate in (Fate.KEPT, Fate.ADDED, Fate.INVENTED)
    }
    yield '<div class="texts">'
    yield _draw_text("Summary", fates.pair.summary, summary)
    source = fates.others == (fates.pair.source,)
    for number, text in enumerate(fates.others):
        marks = {
            fate: [s for each in fates.with_fate(fate) for at, spans in each.in_others if at == number for s in spans]
            for fate in (Fate.KEPT, Fate.LOST)
        }
        yield _draw_text("Source" if source else f"Reference {number + 1}", text, marks)
    yield "</div>"


def _draw_list(fates: SummaryFates, fate: Fate) -> str:
    keyphrases = fates.with_fate(fate)
    percents = ("" if each.probability is None else f"{100 * each.probability:.0f} %" for each in keyphrases)
    lines = [
        f"<li><bdi>{escape(keyphrase.text)}</bdi> <span>{percent}</span></li>"
        for keyphrase, percent in zip(keyphrases[:MOST_LISTED], percents, strict=False)
    ]
    rest = len(keyphrases) - MOST_LISTED
    more = f"<p>and {rest} less probable ones</p>" if rest > 0 else ""
    # A list has the direction of the first letter of the summary.
    letters = (unicodedata.bidirectional(letter) for letter in fates.pair.summary.whole if letter.isalpha())
    direction = "rtl" if next(letters, "L") in {"R", "AL"} else "ltr"
    listed = f'<ol dir="{direction}">{"".join(lines)}</ol>'
    return f"<section><h4>{fate.value.capitalize()}: {len(keyphrases)}</h4>{listed}{more}</section>"


def _draw_text(title: str, text: SummaryText, marks: Mapping[Fate, Sequence[tuple[int, int]]]) -> str:
    """Return a text in its own direction, marked; a character of several fates has the first of them."""
    fate_of: list[Fate | None] = [None] * len(text.whole)
    for fate, spans in reversed(list(marks.items())):
        for start, end in spans:
            fate_of[start:end] = [fate] * (end - start)
    pieces, start = [], 0
    for at in range(1, len(text.whole) + 1):
        if at == len(text.whole) or fate_of[at] is not fate_of[start]:
            piece = escape(text.whole[start:at])
            mark = fate_of[start]
            pieces.append(f'<mark class="{mark.value}">{piece}</mark>' if mark else piece)
            start = at
    language = f' lang="{escape(text.language)}"' if text.language else ""
    return f'<section><h4>{title}</h4><p dir="auto"{language}>{"".join(pieces)}</p></section>'
