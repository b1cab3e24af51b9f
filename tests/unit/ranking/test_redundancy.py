"""Parts of better phrases: pairs and what goes, by hand."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.ranking.redundancy import nested_pairs, redundant, runs_inside
from keywright.text.keys import phrase_key

TEXT = "sensor network noise; sensor network; network; floor noise"


def candidates(text: str, longest: int = 3) -> tuple[AnalysedDocument, Candidates, list[str]]:
    document = analysed(text)
    found = ngrams(document, longest)
    ends = document.end[found.first + found.length - 1]
    return document, found, [text[s:e] for s, e in zip(document.start[found.first], ends, strict=True)]


DOCUMENT, FOUND, NAMES = candidates(TEXT)


def gone(scores: dict[str, float], **rule: float) -> set[str]:
    """Names of the redundant candidates; scores of those not named are 0.1."""
    column = np.array([scores.get(name, 0.1) for name in NAMES])
    mask = redundant(DOCUMENT, FOUND, column, **rule)
    return {name for name, out in zip(NAMES, mask.tolist(), strict=True) if out}


def pairs(text: str) -> set[tuple[str, str]]:
    document, found, names = candidates(text)
    part, whole = nested_pairs(document, found)
    return {(names[p], names[w]) for p, w in zip(part.tolist(), whole.tolist(), strict=True)}


def test_pairs():
    assert pairs(TEXT) == {
        ("sensor", "sensor network"),
        ("sensor", "sensor network noise"),
        ("network", "sensor network"),
        ("network", "network noise"),
        ("network", "sensor network noise"),
        ("noise", "network noise"),
        ("noise", "floor noise"),
        ("noise", "sensor network noise"),
        ("floor", "floor noise"),
        ("sensor network", "sensor network noise"),
        ("network noise", "sensor network noise"),
    }


def test_pairs_across_inflection_and_hyphens():
    """*neural networks* is *neural-network*, whose parts are none: it is one word at its first mention."""
    assert pairs("neural-network models; neural networks; model") == {
        ("neural-network", "neural-network models"),
        ("models", "neural-network models"),
    }


def test_a_word_twice_in_a_phrase_is_one_pair():
    assert pairs("peer to peer") == set()
    document, found, _ = candidates("tide tide")
    part, whole = nested_pairs(document, found)
    assert (part.tolist(), whole.tolist()) == ([0], [1])


def test_parts_of_better_phrases_go():
    scores = {"sensor network": 5, "network": 4, "sensor": 6, "network noise": 3, "noise": 2, "floor noise": 1}
    assert gone(scores) == {"network", "floor", "noise"}


def test_at_equal_scores_the_longer_one_stays():
    assert gone(dict.fromkeys(NAMES, 1.0)) == {"sensor", "network", "noise", "floor", "sensor network", "network noise"}


def test_a_part_may_have_to_be_clearly_better():
    scores = {"sensor network": 5, "network": 6, "sensor": 12, "network noise": 0.25, "floor noise": 0.2, "noise": 9}
    assert gone(scores) == {"floor"}
    assert gone(scores, advantage=2) == {"floor", "network"}
    assert gone(scores, advantage=3) == {"floor", "network", "sensor", "network noise"}


def test_who_goes_outdoes_nobody():
    """*network* is better than the whole thing, and *sensor network*, which would outdo it, is gone."""
    scores = {"sensor network noise": 3, "sensor network": 4, "network": 7}
    assert "network" in gone({**scores, "sensor network noise": 0.1}, advantage=2)
    assert "sensor network" in gone(scores, advantage=2)
    assert "network" not in gone(scores, advantage=2)


def test_only_parts_that_never_stand_alone():
    """Mentions: *network* 3, *sensor network* 2, *sensor* 2, *noise* 2, the others 1."""
    scores = {"sensor network": 5, "network": 4, "sensor": 3, "floor noise": 2, "floor": 1, "noise": 1}
    assert gone(scores, equally_often=True) == {"sensor", "floor", "network noise"}
    assert gone(scores) == {"sensor", "floor", "network", "noise", "network noise"}


@pytest.mark.parametrize("text", ["", "and of the", "..."])
def test_nothing_is_redundant_where_nothing_is(text):
    document, found, _ = candidates(text)
    assert redundant(document, found, np.zeros(len(found))).shape == (0,)


def test_runs_inside():
    """*sensor network noise* has six runs, *sensor network* three, *network* one."""
    document, found, names = candidates("sensor network noise")
    which, key, width = runs_inside(document, found)
    whole = which == names.index("sensor network noise")
    assert sorted(width[whole].tolist()) == [1, 1, 1, 2, 2, 3]
    assert set(key[whole].tolist()) == set(found.key.tolist())
    part = which == names.index("sensor network")
    expected = {"sensor": 1, "network": 1, "sensor network": 2}
    assert dict(zip(key[part].tolist(), width[part].tolist(), strict=True)) == {
        phrase_key(name): tokens for name, tokens in expected.items()
    }
