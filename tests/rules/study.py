"""The mutation study: does the battery notice every change of a rule?"""

from dataclasses import dataclass

from tests.rules.battery import PROBES
from tests.rules.equivalents import EQUIVALENT
from tests.rules.mutants import Mutant, mutants
from tests.rules.probing import plain


@dataclass(frozen=True)
class Finding:
    """A mutant, the row that notices it, and why none can; both empty where it goes unnoticed.

    Attributes:
        mutant: the changed protocol.
        noticed: name of the first row that comes out otherwise.
        equivalent: the reason of ``EQUIVALENT``.
    """

    mutant: Mutant
    noticed: str
    equivalent: str

    @property
    def fault(self) -> str:
        """What is wrong; empty where either a row notices it or a reason is listed."""
        if self.noticed and self.equivalent:
            return f"{self.mutant}: listed as equivalent, but noticed by {self.noticed!r}"
        return "" if self.noticed or self.equivalent else f"{self.mutant}: not noticed"


def study(name: str) -> tuple[Finding, ...]:
    """Every mutant of a protocol, judged."""
    rows = [(probe, plain(probe.expected(name))) for probe in PROBES if probe.expected(name) is not None]
    found = []
    for mutant in mutants(name):
        place = next((at for at, (probe, expected) in enumerate(rows) if probe.seen(mutant.after) != expected), None)
        noticed = "" if place is None else rows[place][0].name
        if place:  # changes of one rule follow each other: what noticed the last one comes first
            rows.insert(0, rows.pop(place))
        found.append(Finding(mutant, noticed, next((one.why for one in EQUIVALENT if one.covers(mutant)), "")))
    return tuple(found)
