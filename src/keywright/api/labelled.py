"""What verbs that learn, run and score are given: names and paths become data sets and protocols."""

from pathlib import Path

from keywright.catalogue import PROTOCOLS
from keywright.core.errors import BadParameter
from keywright.datasets.collection import DataSet, load
from keywright.evaluation.protocol import Protocol


def dataset(name: str | Path) -> DataSet:
    """Labelled documents: a collection or split by name, such as ``inspec/test``, or a JSON Lines file.

    Raises:
        UnknownName: there is no collection of this name.
        MissingData: it is not on this machine; the hint is the line that brings it.
    """
    return load(str(name))


def data_of(given: str | Path | DataSet) -> DataSet:
    """A data set, by name or itself.

    Raises:
        BadParameter: it is something else.
        UnknownName, MissingData: as for ``dataset``.
    """
    if not isinstance(given, str | Path | DataSet):
        hint = "expected a name of `keywright datasets list`, a JSON Lines file, or what `kw.dataset` gives"
        raise BadParameter(f"a value of type {type(given).__name__} is no data set", hint)
    return given if isinstance(given, DataSet) else dataset(given)


def protocol_of(given: str | Protocol) -> Protocol:
    """A protocol, by name or itself."""
    if isinstance(given, Protocol):
        return given
    found: Protocol = PROTOCOLS.find(given)
    return found
