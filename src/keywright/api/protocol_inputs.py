"""Protocols from their names, with measures that a caller chooses; an unknown name gets what was probably meant."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from keywright.catalogue import PROTOCOLS
from keywright.core.errors import BadParameter, UnknownName
from keywright.evaluation.measures.measure import Measure, measure
from keywright.evaluation.measures.measure_names import LONG_NAMES, meant_measure, measures_named
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.chosen_measures import with_measures

Measures: TypeAlias = str | Iterable[str | Measure]
"""Measures such as ``F@5``, in a list or between commas."""
RECOMMENDED: Final = "keywright-1"
"""The protocol to use where no published number has to be matched."""
_EXAMPLES: Final = 5
"""Protocols that a hint names; arbitrary."""


def protocol_of(protocol: str | Protocol, measures: Measures | None = None) -> Protocol:
    """Return a protocol from its name, a protocol unchanged; with other measures if there are any.

    Raises:
        UnknownName: there is no such protocol; the hint says what was probably meant.
        BadParameter: there is no such measure, or the protocol cannot give it.
    """
    by_name: Protocol = protocol if isinstance(protocol, Protocol) else _named(protocol)
    return by_name if measures is None else with_measures(by_name, measures_named(measures))


def protocols_of(protocols: Iterable[str | Protocol], measures: Measures | None = None) -> tuple[Protocol, ...]:
    """Return several protocols, all with the same measures; raises as ``protocol_of`` does."""
    chosen = None if measures is None else measures_named(measures)  # an iterator is consumed once
    return tuple(protocol_of(protocol, chosen) for protocol in protocols)


def _named(name: str) -> Protocol:
    if not isinstance(name, str):
        expected = "expected a name, such as 'keywright-1', or a protocol"
        raise BadParameter(f"a value of type {type(name).__name__} is not a protocol", expected)
    try:
        protocol: Protocol = PROTOCOLS.find(name)
    except UnknownName as error:
        raise _unknown(name, error) from None
    return protocol


def _unknown(name: str, error: UnknownName) -> UnknownName:
    """Return the error for an unknown name: of a measure in the place of a protocol, of a family, or of neither."""
    listing = f"`{PROTOCOLS.listing}` lists all {len(PROTOCOLS.names())}"
    if "".join(filter(str.isalnum, name.casefold().partition("@")[0])) in LONG_NAMES:
        return UnknownName(error.message, f"{_asking_for(meant_measure(name) or name)}; {listing}")
    related = [other for other in PROTOCOLS.names() if name.casefold() in other] if name else []
    if related:
        return UnknownName(error.message, f"did you mean {' or '.join(map(repr, related[:_EXAMPLES]))}? {listing}")
    return error


def _asking_for(name: str) -> str:
    """Return how to get a measure, and which protocols report it."""
    asked = measure(name)
    able = next(name for name in PROTOCOLS.names() if name.startswith(RECOMMENDED) and _gives(name, asked))
    families = {name.partition("-")[0]: name for name in reversed(PROTOCOLS.names()) if _reports(name, asked)}
    others = [name for name in families.values() if name != able]
    more = f" (also reported by {', '.join(others[:_EXAMPLES])})" if others else ""
    return (
        f"{asked.name} is a measure; a protocol says how phrases are compared: use --protocol {able} "
        f"--measures {asked}, in Python protocol={able!r}, measures=[{str(asked)!r}]{more}"
    )


def _gives(name: str, asked: Measure) -> bool:
    try:
        with_measures(PROTOCOLS.find(name), (asked,))
    except BadParameter:
        return False
    return True


def _reports(name: str, asked: Measure) -> bool:
    return any(asked.name == each.name for each in PROTOCOLS.find(name).reported)
