"""Texts without keyphrases that generators learn to restore, by the names that people give."""

from pathlib import Path
from typing import TypeAlias

from keywright.api.inputs import data_of
from keywright.core.errors import MissingData, UnknownName
from keywright.datasets.collection import DataSet

Place: TypeAlias = str | Path | DataSet
"""A file, a folder, or a data set or its name."""


def text_place(place: Place) -> Path | DataSet:
    """Return an existing path, or the data set of another name.

    Raises:
        BadParameter: its documents are for reporting only.
        MissingData: there is neither a file nor a data set of the name.
    """
    if not isinstance(place, DataSet) and Path(place).exists():
        return Path(place)
    try:
        return learnable(place)
    except UnknownName as error:
        hint = "name files, folders, or data sets of `keywright datasets list`"
        raise MissingData(f"there is neither a file nor a data set called {place}", hint) from error


def learnable(place: Place) -> DataSet:
    """Return a data set, if its documents may be learned from.

    Raises:
        BadParameter: they are for reporting only.
        UnknownName, MissingData: as for ``dataset``.
    """
    data = data_of(place)
    data.check_learnable()
    return data
