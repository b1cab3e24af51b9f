"""The report of a file of summaries: ranking of systems, then each summary with its keyphrases, as a value and as a page."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from keywright.core.pages import Table, build_facts, build_heading, build_page, build_paragraph, build_table
from keywright.core.predictions import Failure
from keywright.summaries.fates import Fate, FatedKeyphrase, SummaryFates
from keywright.summaries.pairs import SummaryText
from keywright.summaries.scores import SummaryScore, average_systems, draw_system_table

MOST_LISTED: Final = 20
"""Keyphrases of each fate in a list; the marks in the texts are complete. Arbitrary."""

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


def draw_report(
    ranking: Table | None, summaries: Sequence[SummaryFates], signatures: Mapping[str, str], notes: Iterable[str]
) -> str:
    """Return the page.

    Args:
        ranking: of the systems; None where there is one only.
        summaries: those to show in full.
        signatures: of the evaluators, by specification.
        notes: for people, such as summaries that are not shown.
    """
    parts = [_MARKS]
    parts += [build_paragraph(note) for note in notes]
    if ranking:
        parts += [build_heading("Systems"), build_table(ranking), *(build_paragraph(note) for note in ranking.notes)]
    parts += [build_heading("Summaries"), _draw_legend()]
    for fates in summaries:
        parts += _draw_summary(fates)
    return build_page("Keyphrases of summaries", [*parts, build_heading("Evaluators"), build_facts(signatures.items())])


def _draw_legend() -> str:
    lines = (
        f'<dt><mark class="{fate.value}">{fate.value}</mark></dt><dd>{escape(meaning)}</dd>'
        for fate, meaning in _MEANINGS.items()
    )
    return f"<dl>{''.join(lines)}</dl>"


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
        marks = {fate: _find_spans(fates.with_fate(fate), number) for fate in (Fate.KEPT, Fate.LOST)}
        yield _draw_text("Source" if source else f"Reference {number + 1}", text, marks)
    yield "</div>"


def _draw_list(fates: SummaryFates, fate: Fate) -> str:
    keyphrases = fates.with_fate(fate)
    lines = "".join(
        f"<li><bdi>{escape(keyphrase.text)}</bdi> <span>{_format_percent(keyphrase.probability)}</span></li>"
        for keyphrase in keyphrases[:MOST_LISTED]
    )
    rest = len(keyphrases) - MOST_LISTED
    more = f"<p>and {rest} less probable ones</p>" if rest > 0 else ""
    direction = _find_direction(fates.pair.summary.whole)
    listed = f'<ol dir="{direction}">{lines}</ol>'
    return f"<section><h4>{fate.value.capitalize()}: {len(keyphrases)}</h4>{listed}{more}</section>"


def _find_direction(text: str) -> str:
    """Return the direction of a text, that of its first letter."""
    classes = (unicodedata.bidirectional(letter) for letter in text if letter.isalpha())
    return "rtl" if next(classes, "L") in {"R", "AL"} else "ltr"


def _format_percent(probability: float | None) -> str:
    return "" if probability is None else f"{100 * probability:.0f} %"


def _find_spans(keyphrases: Iterable[FatedKeyphrase], number: int) -> list[tuple[int, int]]:
    return [span for each in keyphrases for at, spans in each.in_others if at == number for span in spans]


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


MOST_SHOWN: Final = 20
"""Summaries shown in full on a page, so that browsers open it; arbitrary."""


@dataclass(frozen=True, slots=True)
class SummaryReport:
    """Ranking of summarisers, and the keyphrases that each summary keeps, loses and invents.

    Attributes:
        scores: of all summaries, by evaluator.
        summaries: keyphrases with their fates, of the summaries asked for.
        signatures: of the evaluators, by specification.
        failures: lines that are not pairs.
        notes: for people.
    """

    scores: tuple[SummaryScore, ...]
    summaries: tuple[SummaryFates, ...]
    signatures: Mapping[str, str]
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        evaluators = dict.fromkeys(score.evaluator for score in self.scores)
        return {
            "evaluators": dict(self.signatures),
            "systems": {
                name: average_systems([score for score in self.scores if score.evaluator == name])
                for name in evaluators
            },
            "summaries": [fates.as_json() for fates in self.summaries],
            "failures": [failure.to_dict() for failure in self.failures],
            "notes": list(self.notes),
        }

    def html(self) -> str:
        """Return the page; it shows the first ``MOST_SHOWN`` summaries in full and says so."""
        notes = self.notes
        if len(self.summaries) > MOST_SHOWN:
            shown = f"{MOST_SHOWN} of {len(self.summaries)} summaries are shown; choose others by system or topic"
            notes = (*notes, shown)
        notes = (*notes, *(f"{failure.document_id}: {failure.message}" for failure in self.failures))
        several = len({score.system for score in self.scores}) > 1
        ranking = draw_system_table(self.scores) if several else None
        return draw_report(ranking, self.summaries[:MOST_SHOWN], self.signatures, notes)
