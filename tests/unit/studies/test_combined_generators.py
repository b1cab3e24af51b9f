"""The default combined with a generator: differences by hand, and what is not trained yet."""

import json

import pytest

from keywright.core.errors import MissingData, UnknownName
from studies.generators import combined


@pytest.fixture
def pairs(tmp_path, monkeypatch):
    """Return lists of two documents: the default has each keyphrase in the sixth place, the generator writes it."""
    file = tmp_path / "gold.jsonl"
    golds = {"ice": "lake ice", "rain": "rain gardens"}
    others = ("snow", "wind", "salt", "sand", "clay")
    records = [
        {"id": name, "text": f"On {gold}. {', '.join(others)}.", "keyphrases": [gold]} for name, gold in golds.items()
    ]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    monkeypatch.setattr(combined, "DATASETS", (str(file),))

    def make_run(name, lists):
        run = tmp_path / f"{name}.jsonl"
        lines = ({"id": each, "keyphrases": [{"text": text} for text in texts]} for each, texts in lists.items())
        run.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return run

    default = make_run("default", {name: (*others, gold) for name, gold in golds.items()})
    generator = make_run("generator", {name: (gold,) for name, gold in golds.items()})
    return {str(file): (default, generator)}


def test_a_keyphrase_that_both_have_comes_first(pairs):
    rows = {row.measure: row for row in combined.compare_combined("t5-helped", "ranks", pairs)}
    present = rows["present/F@5"]
    # One of five phrases is right: P@5 = 1/5, R = 1.
    assert (present.default, present.combined, present.difference) == (0.0, 0.3333, 0.3333)
    assert present.interval == (0.3333, 0.3333)  # the same in both documents
    assert rows["absent/F@5"].difference == 0.0


def test_lists_without_probabilities_are_not_averaged(pairs):
    assert not list(combined.compare_combined("t5-helped", "probabilities", pairs))


def test_what_is_not_trained_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path))
    with pytest.raises(MissingData, match="t5-helped: not trained"):
        combined.compute_rows(["t5-helped"])
    with pytest.raises(UnknownName):
        combined.compute_rows(["exhird-helped"])
