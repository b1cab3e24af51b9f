"""The report: numbers, with everything that makes them comparable."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from keywright.evaluation.counts import Counts


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """The scores of one run under one protocol.

    Attributes:
        protocol: signature of the protocol.
        run: signature of the run, or of the bytes of an answer file.
        gold: for each gold set ``kind@fingerprint``.
        scored: documents of the gold that the run answers.
        skipped: what did not go in, or only in part: reason to number of documents.
        values: fractions by name, such as ``combined/F@15``; the protocol's averages after the first stand before the
            measure, such as ``combined/macro-F@15``.
        unit: what the protocol's reference prints, ``fraction`` or ``percent``.
        counts: sufficient statistics by kind of gold.
        warnings: what the person should know.
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

    def __str__(self) -> str:
        """Plain data: the identities, then one line for each number."""
        lines = [f"protocol {self.protocol}", f"run {self.run}", f"gold {' '.join(self.gold)}"]
        lines += [f"scored {self.scored}", *(f"skipped {count}: {reason}" for reason, count in self.skipped.items())]
        lines += [f"{name} {value:.4f}" for name, value in self.values.items()]
        return "\n".join([*lines, *(f"warning: {warning}" for warning in self.warnings)])
