"""The report: numbers, with all information that makes them comparable."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.rules import Average
from keywright.evaluation.scoring import report_views
from keywright.evaluation.scoring.report_record import report_record

_SHOWN: Final = 3  # values in a short description, arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """The scores of one run under one protocol.

    Attributes:
        protocol: signature of the protocol.
        run: signature of the run, or of the bytes of an answer file.
        gold: for each gold set ``kind@fingerprint``.
        scored: documents of the gold that the run answers.
        skipped: documents left out, or scored only in part: reason to number of documents.
        values: fractions by name, such as ``combined/F@15``; the protocol's averages after the first are prefixes of
            the measure, such as ``combined/macro-F@15``.
        unit: unit in which the protocol's reference prints, ``fraction`` or ``percent``.
        counts: sufficient statistics by kind of gold.
        warnings: messages for the user.
        sig: method of the intervals, such as ``pb10000:12345``; ``none`` where there are none.
        stratified: whether intervals draw from each category of the collection separately.
        intervals: low and high end by name of the value, fractions.
        detectable: smallest difference to another such run that this collection can detect, by name, fractions.
    """

    protocol: str
    run: str
    gold: tuple[str, ...]
    scored: int
    skipped: Mapping[str, int]
    values: Mapping[str, float]
    unit: str
    counts: Mapping[str, Counts] = field(repr=False)
    warnings: tuple[str, ...] = ()
    sig: str = "none"
    stratified: bool = False
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    detectable: Mapping[str, float] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        """Print plain data: the identities, then one line for each number."""
        lines = [f"protocol {self.protocol}", f"run {self.run}", f"gold {' '.join(self.gold)}"]
        lines += [f"scored {self.scored}", *(f"skipped {count}: {reason}" for reason, count in self.skipped.items())]
        lines += [f"{name} {value:.4f}{self._interval(name)}" for name, value in self.values.items()]
        return "\n".join([*lines, *(f"warning: {warning}" for warning in self.warnings)])

    def __repr__(self) -> str:
        """Name the protocol, the number of documents, and the first values."""
        first = ", ".join(f"{name} {value:.4f}" for name, value in tuple(self.values.items())[:_SHOWN])
        more = f", … {len(self.values) - _SHOWN} more" if len(self.values) > _SHOWN else ""
        return f"<Report of {self.scored} documents under {self.protocol.partition('|')[0]}: {first}{more}>"

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, as ``keywright score --json`` prints them."""
        return report_record(self)

    def to_frame(self, library: str | None = None) -> Any:
        """Return a table of ``rows``; ``library`` is ``pandas``, ``polars`` or ``pyarrow``, None what is installed."""
        return report_views.report_frame(self, library)

    def _repr_html_(self) -> str:
        return report_views.report_html(self)

    def rows(self) -> tuple[dict[str, str | float | None], ...]:
        """Return one plain record for each value, for tables of any library: ``pandas.DataFrame(report.rows())``.

        Numbers are fractions in either unit; ``low`` and ``high`` are None where there is no interval.
        """
        return tuple(self._row(name, value) for name, value in self.values.items())

    def _row(self, name: str, value: float) -> dict[str, str | float | None]:
        """Split the name of a value: gold set, average (empty for the protocol's first), measure, cutoff."""
        gold, _, rest = name.rpartition("/")
        first, sign, other = rest.partition("-")
        average, measured = (first, other) if sign and first in set(Average) else ("", rest)
        measure, _, k = measured.partition("@")
        low, high = self.intervals.get(name, (None, None))
        where: dict[str, str | float | None] = {"protocol": self.protocol.partition("|")[0], "run": self.run}
        where |= {"gold": gold, "average": average, "measure": measure, "k": k}
        return where | {"value": value, "low": low, "high": high, "signature": self.protocol}

    def _interval(self, name: str) -> str:
        """Format as `` [0.2219, 0.2662]``; empty where there is none."""
        ends = self.intervals.get(name)
        return f" [{ends[0]:.4f}, {ends[1]:.4f}]" if ends else ""
