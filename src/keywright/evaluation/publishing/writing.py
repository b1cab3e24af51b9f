"""Write reports and comparisons in a chosen format."""

import enum
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing import text
from keywright.evaluation.publishing.html import comparison_html, reports_html
from keywright.evaluation.publishing.views import view
from keywright.evaluation.run_formats.pairing import Judged
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.comparison import Comparison


class Publication(enum.StrEnum):
    """Formats for papers and other programs."""

    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


_OF_REPORTS: Final[Mapping[Publication, Callable[[Sequence[Report]], str]]] = MappingProxyType(
    {
        Publication.CSV: text.reports_csv,
        Publication.MARKDOWN: text.reports_markdown,
        Publication.LATEX: text.reports_latex,
    }
)
_OF_COMPARISONS: Final[Mapping[Publication, Callable[[Comparison], str]]] = MappingProxyType(
    {
        Publication.CSV: text.comparison_csv,
        Publication.MARKDOWN: text.comparison_markdown,
        Publication.LATEX: text.comparison_latex,
        Publication.HTML: comparison_html,
    }
)


def publish(scored: Sequence[tuple[Report, Judged]], rules: Sequence[Protocol], form: Publication) -> str:
    """Format reports of one run, each with its predictions, gold and protocol, as one text."""
    if form is Publication.HTML:
        return reports_html([view(*pair, protocol) for pair, protocol in zip(scored, rules, strict=True)])
    return _OF_REPORTS[form]([report for report, _ in scored])


def publish_comparison(comparison: Comparison, form: Publication) -> str:
    """Format a comparison as one text."""
    return _OF_COMPARISONS[form](comparison)
