"""The minimum detectable effect of a collection, in a sentence."""

from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.comparison import Comparison


def detectable_by(report: Report) -> str:
    """Return the sentence for the report's main value; empty without intervals."""
    name = main_value(report)
    basis = "for runs that err on different documents"
    return _sentence(report, name, report.detectable[name], basis) if name in report.detectable else ""


def detected_by(comparison: Comparison) -> str:
    """Return the sentence from the runs' differences, the largest of the pairs; empty where there is no main value."""
    first = next(iter(comparison.reports.values()))
    name = main_value(first)
    effects = [difference.detectable for difference in comparison.differences if difference.value == name]
    return _sentence(first, name, max(effects), "by the differences of these runs") if effects else ""


def main_value(report: Report) -> str:
    """Return the name of F at the deepest number, of all phrases or else of the last gold set; empty without one."""
    kind = main_set(report)
    names = [name for name in report.values if name.startswith(f"{kind}/F@") and name.rpartition("@")[2].isdecimal()]
    return max(names, key=lambda name: int(name.rpartition("@")[2]), default="")


def main_set(report: Report) -> str:
    """Return the gold set of all phrases, or else the last one; empty without any."""
    kinds = tuple(report.counts)
    return next((kind for kind in kinds if kind.rpartition("/")[2] == PhraseClass.ALL), kinds[-1] if kinds else "")


def _sentence(report: Report, name: str, smallest: float, basis: str) -> str:
    documents = len(report.counts[name.rpartition("/")[0]])
    return (
        f"with {documents} documents, {name} differences under {100 * smallest:.1f} points cannot be detected "
        f"(level .05, power .8, {basis})"
    )
