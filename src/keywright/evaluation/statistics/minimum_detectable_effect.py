"""What a collection can tell apart, in a sentence for people."""

from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.comparison import Comparison

_POINTS = 100


def detectable_by(report: Report) -> str:
    """How small a difference to another run would go unseen, for the report's main value; empty without intervals."""
    name = main_value(report)
    if name not in report.detectable:
        return ""
    return _sentence(report, name, report.detectable[name], "for runs that err on different documents")


def detected_by(comparison: Comparison) -> str:
    """The same from the runs' own differences: the largest of the pairs; empty where there is no main value."""
    first = next(iter(comparison.reports.values()))
    name = main_value(first)
    found = [one.detectable for one in comparison.differences if one.value == name]
    return _sentence(first, name, max(found), "by the differences of these runs") if found else ""


def main_value(report: Report) -> str:
    """The value that a sentence speaks of: F at the deepest number, of all phrases or else of the last gold set.

    Empty where the report has no F at a number.
    """
    kinds = tuple(report.counts)
    kind = next((one for one in kinds if one.rpartition("/")[2] == PhraseClass.ALL), kinds[-1] if kinds else "")
    found = [name for name in report.values if name.startswith(f"{kind}/F@") and name.rpartition("@")[2].isdecimal()]
    return max(found, key=lambda name: int(name.rpartition("@")[2]), default="")


def _sentence(report: Report, name: str, smallest: float, basis: str) -> str:
    documents = len(report.counts[name.rpartition("/")[0]])
    return (
        f"with {documents} documents, {name} differences under {smallest * _POINTS:.1f} points cannot be told apart "
        f"(level .05, power .8, {basis})"
    )
