"""Inputs of verbs that learn, run and score: names and paths become data sets and protocols."""

from pathlib import Path

from keywright.catalogue import PROTOCOLS
from keywright.core.errors import BadParameter
from keywright.datasets.collection import DataSet, load
from keywright.evaluation.protocol import Protocol


def dataset(name: str | Path) -> DataSet:
    """Return labelled documents: a collection or split by name, such as ``inspec/test``, or a JSON Lines file.

    >>> import keywright as kw
    >>> [labelled.id for labelled in kw.dataset("examples/abstracts.jsonl")][:2]
    ['leaks', 'sourdough']

    Raises:
        UnknownName: there is no such collection.
        MissingData: it is not on this machine; the hint is the command that fetches it.
    """
    return load(str(name))


def data_of(data: str | Path | DataSet) -> DataSet:
    """Return a data set from its name or file; a data set unchanged.

    Raises:
        BadParameter: a value of another type.
        UnknownName, MissingData: as for ``dataset``.
    """
    if not isinstance(data, str | Path | DataSet):
        hint = "expected a name of `keywright datasets list`, a JSON Lines file, or a data set from `kw.dataset`"
        raise BadParameter(f"a value of type {type(data).__name__} is not a data set", hint)
    return data if isinstance(data, DataSet) else dataset(data)


def protocol_of(protocol: str | Protocol) -> Protocol:
    """Return a protocol from its name; a protocol unchanged."""
    if isinstance(protocol, Protocol):
        return protocol
    by_name: Protocol = PROTOCOLS.find(protocol)
    return by_name
