"""The report of a file of summaries, as a value and as a page: ranking of systems, then keyphrases of each summary."""

import enum
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from typing import Any, Final

from keywright.core.candidates import Spans
from keywright.core.json_values import encode
from keywright.core.pages import build_facts, build_heading, build_page, build_paragraph, build_table
from keywright.core.predictions import Failure
from keywright.summaries.kpeval import KPEval
from keywright.summaries.pairs import Pair, SummaryText
from keywright.summaries.scores import SummaryScore, average_systems, draw_system_table, group_by_evaluator


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

_MARKS: Final = """<style>
.texts { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1.5rem; }
.texts section, .fates section { min-width: 0; } .texts p { white-space: pre-wrap; overflow-wrap: anywhere; }
.fates { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1.5rem; }
.fates ol { padding-inline-start: 1.5rem; margin: 0; } .fates span { color: #555; font-size: .85em; }
mark { color: inherit; padding: 0 .1em; }
mark.kept { background: #d3edd3; border-bottom: 2px solid #1c6b1c; }
mark.lost { background: #fff; border-bottom: 2px dashed #a33; }
mark.added { background: #e6e6e6; border-bottom: 1px solid #555; }
mark.invented { background: #f9d2d2; border-bottom: 3px double #a11; }
</style>"""

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
