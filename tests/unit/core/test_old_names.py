"""What earlier versions wrote is still recognised."""

import importlib
import json
from dataclasses import replace

from keywright.calibration.calibrators.calibrator import is_same_system
from keywright.core import saving
from keywright.core.old_names import FIELDS, MODULES, OBJECTS, current_fields, current_object, current_signature
from keywright.core.saving import load_system, save_system
from keywright.core.signatures import signature
from keywright.extraction.systems.default import Default


def found(name):
    module, _, path = name.partition(":")
    value = importlib.import_module(module)
    for part in path.split("."):
        value = getattr(value, part)
    return value


def test_todays_names_exist():
    assert all(importlib.import_module(module) for module in MODULES.values())
    assert all(found(name) for name in [*OBJECTS.values(), *FIELDS])


def test_objects_and_fields_by_hand():
    assert (
        current_object("keywright.extraction.learners.judge:Judge")
        == "keywright.extraction.learners.ranker:TrainedRanker"
    )
    assert (
        current_object("keywright.extraction.features.weighing:Weighing")
        == "keywright.extraction.features.description.weighing:Weighing"
    )
    assert (
        current_object("keywright.extraction.systems.kpminer:KPMiner") == "keywright.extraction.systems.kpminer:KPMiner"
    )
    assert current_fields("keywright.extraction.systems.default:Default", {"few": 7, "style": "author"}) == {
        "shortlist_size": 7,
        "style": "author",
    }


def test_signatures_of_the_default_by_hand():
    assert current_signature("default|style:reader|few:200|language:en|v0.1.0") == (
        "default|style:reader|shortlist_size:200|language:en|v0.1.0"
    )
    today = signature(Default())
    assert is_same_system(today.replace("|shortlist_size:", "|few:").replace("|ranker:", "|judge:"), today)
    assert not is_same_system(today.replace("|shortlist_size:200", "|few:100"), today)


def test_a_folder_with_the_names_of_yesterday_is_loaded(tmp_path):
    """Written as version 0.1.0 wrote it: only the names in its values differ."""
    system = replace(Default(), style="author", shortlist_size=7)
    save_system(system, tmp_path, {})
    values = (tmp_path / "system.json").read_text()
    old = values.replace('"shortlist_size"', '"few"').replace('"ranker": {', '"judge": {')
    for before, now in MODULES.items():
        old = old.replace(f'"{now}:', f'"{before}:')
    old = old.replace(":TrainedRanker", ":Judge")
    assert old != values
    (tmp_path / "system.json").write_text(old)
    assert signature(load_unsealed(tmp_path)) == signature(system)


def load_unsealed(folder):
    """The system of a folder whose card has no hash of the changed values."""
    card = json.loads((folder / "card.json").read_text())
    values = (folder / "system.json").read_text()
    card["sha256"] = saving._hash_system(values, saving._read_arrays(folder / "arrays.npz"))
    (folder / "card.json").write_text(json.dumps(card))
    return load_system(folder)
