"""Scores of the baselines on the test papers and of the default on the training papers have not moved."""

import pytest
from tests.golden.semeval2010_scores import NAMES, read_stored_scores, scores

LONG = ("nb/as-published", "me/as-published")
MOVED = """scores of {name} moved: {changes}
If they are right to move, store the new ones (KEYWRIGHT_MIRROR=... python -m tests.golden.semeval2010_scores) and say
in a fragment changes/NAME.scores.md which moved, from what to what, and why. Nothing is chosen by the test papers."""


def test_every_system_of_the_table_has_stored_scores():
    assert tuple(read_stored_scores()) == NAMES


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    # The same classifiers run with their clean variants, in a fifth of the time.
    [pytest.param(name, marks=[pytest.mark.thorough] * name.endswith(LONG)) for name in NAMES],
)
def test_scores_are_the_stored_ones(mirror, name):
    before, now = read_stored_scores()[name], scores(name, mirror)
    changes = ", ".join(
        f"{measure} {before.get(measure)} -> {now.get(measure)}"
        for measure in dict.fromkeys((*before, *now))
        if before.get(measure) != now.get(measure)
    )
    assert before == now, MOVED.format(name=name, changes=changes)
