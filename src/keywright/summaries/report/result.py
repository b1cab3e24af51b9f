"""The report of a file of summaries as one value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from keywright.core.predictions import Failure
from keywright.core.records import failure_record
from keywright.summaries.report.fates import SummaryFates
from keywright.summaries.report.page import report_page
from keywright.summaries.scores import SummaryScore
from keywright.summaries.tables import system_means, system_table

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
                name: system_means([score for score in self.scores if score.evaluator == name]) for name in evaluators
            },
            "summaries": [fates.as_json() for fates in self.summaries],
            "failures": [failure_record(failure) for failure in self.failures],
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
        ranking = system_table(self.scores) if several else None
        return report_page(ranking, self.summaries[:MOST_SHOWN], self.signatures, notes)
