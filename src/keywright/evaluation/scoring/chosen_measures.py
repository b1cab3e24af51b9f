"""A protocol with other measures than it reports: any cutoff of P, R and F, and means that its rules allow."""

from dataclasses import replace
from typing import Final

from keywright.core.errors import BadParameter
from keywright.evaluation import rules
from keywright.evaluation.measures.counts import ByDocument, Means
from keywright.evaluation.measures.diversity import AlphaValues
from keywright.evaluation.measures.measure import NAMES, Measure
from keywright.evaluation.measures.ranked import RankedValues
from keywright.evaluation.protocol import Protocol

_RANKED: Final = frozenset({"RP", "MAP", "MRR", "nDCG"})
_ALPHA: Final = frozenset({"AlphaNDCG"})
_SEMANTIC: Final = frozenset({"SemP", "SemR", "SemF"})


def with_measures(protocol: Protocol, measures: tuple[Measure, ...]) -> Protocol:
    """Return the protocol with these measures in the place of its own; all other rules stay.

    P, R and F have any cutoff under any protocol, and a protocol's own means have any cutoff that they are defined for.
    Ranked measures are added to protocols that credit each gold phrase once.

    Raises:
        BadParameter: the protocol cannot give a measure; the message says why, the hint which one can.
    """
    families: dict[int, Means] = {}
    for measure in measures:
        if measure.name not in NAMES:
            family = _family(protocol, measure)
            earlier = families.get(id(family.of), replace(family, measures=()))
            families[id(family.of)] = replace(family, measures=(*earlier.measures, measure))
    counted = tuple(measure for measure in measures if measure.name in NAMES)
    return replace(protocol, measures=counted, means=tuple(families.values()))


def _family(protocol: Protocol, measure: Measure) -> Means:
    """Return the family that computes a mean: the protocol's own, else one that its rules allow."""
    for family in protocol.means:
        if any(measure.name == each.name for each in family.measures) or (
            measure.name in _RANKED and isinstance(family.of, RankedValues)
        ):
            return family
    if measure.name in _RANKED | _ALPHA and protocol.matching is rules.once:
        return Means((), _ALPHA_VALUES if measure.name in _ALPHA else _RANKED_VALUES)
    raise _cannot(protocol, measure)


_RANKED_VALUES: Final[ByDocument] = RankedValues()
_ALPHA_VALUES: Final[ByDocument] = AlphaValues()


def _cannot(protocol: Protocol, measure: Measure) -> BadParameter:
    """Return the error for a measure that a protocol cannot give."""
    message = f"protocol {protocol.name} cannot give {measure}"
    if measure.name in _ALPHA:
        reason = "alpha-nDCG finds the gold phrase of each prediction by equal forms, and its matching finds others"
        return BadParameter(f"{message}: {reason}", "keywright-1 and the protocols of kpg give it")
    if measure.name in _RANKED:
        reason = "a ranked measure credits each gold phrase once, and its matching can credit one several times"
        return BadParameter(f"{message}: {reason}", "keywright-1 and the protocols of kpg give it")
    if measure.name in _SEMANTIC:
        reason = "it compares forms of phrases, not their meanings"
        return BadParameter(f"{message}: {reason}", "keywright-1-semantic gives it")
    reason = "a measure of repetition needs the list with its repeated phrases"
    return BadParameter(f"{message}: {reason}", "keywright-1-diversity gives it")
