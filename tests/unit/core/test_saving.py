"""Trained systems on disk: the same value back, and nothing from a damaged or hostile folder."""

import json
import os
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pytest

from keywright.core import saving
from keywright.core.arrays import Floats
from keywright.core.documents import Coverage, SectionKind
from keywright.core.errors import BadParameter, BrokenFile, MissingData
from keywright.core.saving import check_target, load_system, read_card, save_system
from keywright.core.signatures import signature
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.testing.promises import equal

TABLE = PhraseCounts(
    np.array([3, 9], np.uint64), np.array([1, 4], np.uint32), 7, {"name": "toy", "weights": [1.5, None]}
)
TRUSTED = ("keywright", __name__.partition(".")[0])


@dataclass(frozen=True, eq=False)
class Trained:
    """Every kind of field that a system may have."""

    table: PhraseCounts
    weights: np.ndarray
    kind: SectionKind = SectionKind.TITLE
    kinds: frozenset = frozenset({"b", "a"})
    rule: object = signature
    nested: tuple = (Coverage(1, 2), None, True, -0.1, "text", float("inf"))


SYSTEM = Trained(TABLE, np.linspace(0, 1, 6).reshape(2, 3))


def test_a_system_comes_back_the_same(tmp_path):
    save_system(SYSTEM, tmp_path / "new" / "folder", {"data": "toy/train"})
    card = read_card(tmp_path / "new" / "folder")
    assert card["data"] == "toy/train"
    assert len(card["sha256"]) == 64
    assert equal(load_system(tmp_path / "new" / "folder", TRUSTED), SYSTEM)
    assert {path.name for path in (tmp_path / "new" / "folder").iterdir()} == {"card.json", "system.json", "arrays.npz"}
    with pytest.raises(BrokenFile, match="belongs to none of keywright"):
        load_system(tmp_path / "new" / "folder")


def test_what_has_no_name_is_not_saved(tmp_path):
    with pytest.raises(BadParameter, match="cannot be saved"):
        save_system(Trained(TABLE, np.zeros(1), rule=lambda: None), tmp_path, {})


@pytest.mark.parametrize("name", ["card.json", "system.json", "arrays.npz"])
def test_damage_is_noticed(tmp_path, name):
    save_system(TABLE, tmp_path, {})
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(BrokenFile):
        load_system(tmp_path)


def test_other_numbers_than_the_card_says_are_noticed(tmp_path):
    save_system(TABLE, tmp_path, {})
    (tmp_path / "system.json").write_text(
        (tmp_path / "system.json").read_text().replace('"documents": 7', '"documents": 8')
    )
    with pytest.raises(BrokenFile, match="not what its card says"):
        load_system(tmp_path)


@pytest.mark.parametrize(
    "plain",
    [
        {"function": "keywright.core.atomic_files:shutil.rmtree"},
        {"function": "os:system"},
        {"function": "keywright.core.saving:_hash_system.__globals__"},
        {"type": "keywright.core.atomic_files:Path", "fields": {}},
        {"type": "keywright.core.predictions:Failure", "fields": {"nothing": 1}},
        {"enum": "keywright.core.documents:SectionKind", "member": "NOTHING"},
        {"array": "array5"},
        {"unknown": 1},
    ],
)
def test_a_hostile_folder_runs_nothing(tmp_path, plain):
    save_system(TABLE, tmp_path, {})
    values = json.dumps(plain)
    (tmp_path / "system.json").write_text(values)
    arrays = saving._read_arrays(tmp_path / "arrays.npz")
    (tmp_path / "card.json").write_text(json.dumps({"sha256": saving._hash_system(values, arrays)}))
    with pytest.raises(BrokenFile, match="cannot be read"):
        load_system(tmp_path)


@dataclass(frozen=True)
class Typed:
    """Fields whose types are compared when a file is read."""

    count: int = 1
    weights: Floats = field(default_factory=lambda: np.zeros(2))
    names: tuple[str, ...] = ("a",)
    kind: Literal["few", "many"] = "few"
    rarity: float | None = None


def test_fields_of_declared_types_come_back(tmp_path):
    system = Typed(3, np.ones(2, np.float32), ("b", "c"), "many", 0.5)
    save_system(system, tmp_path, {})
    assert equal(load_system(tmp_path, TRUSTED), system)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("count", "3"),
        ("count", 1.5),
        ("weights", np.array(["a"])),
        ("weights", np.array([1, 2])),
        ("weights", (1.0, 2.0)),
        ("names", ("a", 1)),
        ("names", "ab"),
        ("kind", "some"),
        ("rarity", "rare"),
    ],
)
def test_a_field_of_another_type_is_a_broken_file(tmp_path, name, value):
    save_system(replace(Typed(), **{name: value}), tmp_path / "system", {})  # with the hash that fits
    with pytest.raises(BrokenFile, match=f"field {name} of Typed"):
        load_system(tmp_path / "system", TRUSTED)


def test_a_failed_saving_leaves_the_old_system(tmp_path, monkeypatch):
    save_system(TABLE, tmp_path / "system", {"data": "old"})
    monkeypatch.setattr(np, "savez", lambda *_, **__: (_ for _ in ()).throw(OSError("no space left")))
    with pytest.raises(BadParameter, match="the disk takes no more, no space left"):
        save_system(SYSTEM, tmp_path / "system", {"data": "new"})
    assert read_card(tmp_path / "system")["data"] == "old"
    assert equal(load_system(tmp_path / "system"), TABLE)


@pytest.mark.parametrize("name", ["system.json", "arrays.npz", "card.json"])
def test_pipes_and_devices_in_a_folder_are_refused(tmp_path, name):
    """Reading one would never end."""
    folder = tmp_path / "system"
    save_system(SYSTEM, folder, {})
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.mkdir()):
        path = folder / name
        path.unlink() if not path.is_dir() else path.rmdir()
        make(path)
        with pytest.raises((BrokenFile, MissingData)):
            load_system(folder, TRUSTED)


def test_a_card_nested_deeply_is_a_broken_file(tmp_path):
    save_system(TABLE, tmp_path / "system", {})
    (tmp_path / "system" / "card.json").write_text("[" * 100_000)
    with pytest.raises(BrokenFile, match="is damaged"):
        read_card(tmp_path / "system")


def test_an_empty_folder_is_missing_data(tmp_path):
    with pytest.raises(MissingData, match="no trained system"):
        load_system(tmp_path)


def test_only_saved_systems_are_written_over_and_only_when_asked(tmp_path):
    place = tmp_path / "here"
    check_target(place, force=False)  # not made yet
    place.mkdir()
    check_target(place, force=False)
    save_system(TABLE, place, {})
    with pytest.raises(BadParameter, match="holds a trained system"):
        check_target(place, force=False)
    check_target(place, force=True)
    (place / "notes.txt").touch()
    for force in (True, False):
        with pytest.raises(BadParameter, match="files that are not a trained system"):
            check_target(place, force=force)
        with pytest.raises(BadParameter, match="cannot be a folder"):
            check_target(place / "notes.txt", force=force)
