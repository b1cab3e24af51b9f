"""Kill -9 a few times at random moments; ``make kills`` does it a hundred times."""

import random

import pytest
from tests.hostile.kills import MODES, collection, content, killed_until_done, measure


@pytest.mark.long
@pytest.mark.parametrize("name", ["resume", "parts", "parts-worker"])
def test_a_killed_command_ends_with_equal_bytes(tmp_path, name):
    source, target = collection(tmp_path, 300), tmp_path / "out"
    seconds = measure(MODES[name], source, target)
    assert content(target)
    summary = killed_until_done(MODES[name], source, target, 2, random.Random(1), seconds)
    assert summary.kills == 2
    assert summary.fine, summary.errors
