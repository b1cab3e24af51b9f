"""Names of everything there is."""

from keywright.catalogue import PROTOCOLS, SYSTEMS, TABLES
from keywright.datasets.card import card_names


def list_systems() -> tuple[str, ...]:
    """Names of all systems."""
    return SYSTEMS.names()


def list_protocols() -> tuple[str, ...]:
    """Names of all protocols."""
    return PROTOCOLS.names()


def list_tables() -> tuple[str, ...]:
    """Names of the published tables that ``reproduce`` knows."""
    return TABLES.names()


def list_datasets() -> tuple[str, ...]:
    """Names of all collections that have a card."""
    return card_names()
