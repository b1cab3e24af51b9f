"""The catalogue and the files agree: nothing unlisted, nothing listed that is not there."""

import importlib

import pytest
from tests.house.tree import PACKAGE

from keywright.catalogue import PROTOCOLS, SYSTEMS, Shelf
from keywright.core.signatures import signature
from keywright.datasets.card import card, card_names
from keywright.datasets.collection import find_reader


def in_folder(room: str) -> set[str]:
    return {path.stem for path in (PACKAGE / room).glob("*.py")} - {"__init__"}


def in_catalogue(shelf: Shelf) -> set[str]:
    return {place.partition(":")[0].rpartition(".")[2] for place in shelf.built_in.values()}


WRAPPING = {"voting"}  # systems made of other systems, which stand above these

SHARED = {"generator_system", "loading"}  # what all generators have in common


def test_every_file_of_systems_is_in_the_catalogue() -> None:
    assert in_folder("extraction/systems") | in_folder("neural/systems") - SHARED == in_catalogue(SYSTEMS) - WRAPPING


def test_every_file_of_protocols_is_in_the_catalogue() -> None:
    assert in_folder("evaluation/protocols") == in_catalogue(PROTOCOLS)


def test_every_reader_belongs_to_a_card() -> None:
    named = {card(name).reader.partition(":")[0].rpartition(".")[2] for name in card_names()}
    assert in_folder("datasets/readers") == named
    assert all(callable(find_reader(card(name))) for name in card_names())


@pytest.mark.parametrize("name", PROTOCOLS.built_in)
def test_the_catalogue_calls_a_protocol_as_it_calls_itself(name: str) -> None:
    assert PROTOCOLS.find(name).name == name


def test_every_protocol_of_a_file_is_in_the_catalogue() -> None:
    listed = {id(PROTOCOLS.find(name)) for name in PROTOCOLS.built_in}
    for file in in_folder("evaluation/protocols"):
        module = importlib.import_module(f"keywright.evaluation.protocols.{file}")
        values = [value for name, value in vars(module).items() if name.isupper() and hasattr(value, "short_list")]
        assert {id(value) for value in values} <= listed


def test_signatures_tell_everything_in_the_catalogue_apart() -> None:
    signatures = [signature(SYSTEMS.find(name)()) for name in SYSTEMS.built_in]
    signatures += [PROTOCOLS.find(name).signature for name in PROTOCOLS.built_in]
    assert len(set(signatures)) == len(signatures)
