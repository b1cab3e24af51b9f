"""Names and descriptions of systems, protocols, tables and data sets."""

from typing import Any

from keywright import catalogue
from keywright.core.errors import MissingExtra
from keywright.datasets.card import card_names


def list_systems() -> tuple[str, ...]:
    """Return the names of all systems.

    >>> import keywright as kw
    >>> kw.list_systems()[0]
    'default'
    """
    return catalogue.SYSTEMS.names()


def list_protocols() -> tuple[str, ...]:
    """Return the names of all protocols.

    >>> import keywright as kw
    >>> "semeval2010" in kw.list_protocols()
    True
    """
    return catalogue.PROTOCOLS.names()


def list_tables() -> tuple[str, ...]:
    """Return the names of the published tables that ``reproduce`` knows.

    >>> import keywright as kw
    >>> "semeval2010-baselines" in kw.list_tables()
    True
    """
    return catalogue.TABLES.names()


def list_datasets() -> tuple[str, ...]:
    """Return the names of all collections that have a card.

    >>> import keywright as kw
    >>> "inspec" in kw.list_datasets()
    True
    """
    return card_names()


def describe_systems() -> tuple[list[dict[str, Any]], list[MissingExtra]]:
    """Return a description of every system, and an error for each system of another package that does not load."""
    descriptions, errors = [], []
    for name in list_systems():
        try:
            descriptions.append(catalogue.describe_system(name))
        except MissingExtra as error:
            errors.append(error)
    return descriptions, errors
