"""The population stability index, by hand; and when it speaks."""

import math

import numpy as np
import pytest

from keywright.calibration.calibrators.drift import MIN_DOCUMENTS, DriftMonitor, Reference, monitor_profiles
from keywright.core.errors import BadParameter

HALVES = Reference((0.5,), (), (1_000_000, 1_000_000, 0))


def test_the_index_by_hand():
    by_hand = 0.25 * math.log(0.75 / 0.5) - 0.25 * math.log(0.25 / 0.5)
    assert HALVES.instability((1_500_000, 500_000, 0)) == pytest.approx(by_hand, abs=1e-4)
    assert HALVES.instability((70, 70, 0)) < 0.05
    assert Reference((), (), (9, 9)).instability((9, 9)) == 0


def test_what_chance_does():
    """Drawn from the reference itself, the index is what its mean should be; ranges nobody fills do not count."""
    reference = Reference(tuple(np.arange(1, 10) / 10), (), (100,) * 10 + (0,))
    assert reference.chance((20,) * 10 + (0,)) == pytest.approx(9 / 200 + 9 / 1000)
    chance = np.random.Generator(np.random.PCG64(3))
    drawn = chance.multinomial(200, np.full(10, 0.1), size=2000)
    old = chance.multinomial(1000, np.full(10, 0.1), size=2000)
    found = [
        Reference(reference.present_edges, (), (*b.tolist(), 0)).instability((*a.tolist(), 0))
        for a, b in zip(drawn, old, strict=True)
    ]
    assert np.mean(found) == pytest.approx(reference.chance((20,) * 10 + (0,)), rel=0.05)


def test_documents_without_phrases_tell_nothing():
    monitor = DriftMonitor(HALVES)
    assert [monitor.add((0, 0, 0)) for _ in range(30)] == [None] * 30
    assert monitor.as_json() is None


def test_a_class_that_calibration_never_saw_counts():
    assert HALVES.instability((900, 900, 200)) > 0.25


def test_ranges_are_tenths_of_each_class():
    confidence = np.concatenate([np.arange(100) / 100, np.arange(50) / 50])
    present = np.repeat([True, False], [100, 50])
    found = Reference.from_phrases(confidence, present)
    assert found.counts == (10,) * 10 + (5,) * 10
    assert found.profile(np.array([0.0, 0.99, 0.0]), np.array([True, True, False])) == (1, *[0] * 8, 1, 1, *[0] * 9)
    assert Reference.from_phrases(confidence, np.ones(150, bool)).counts[-1] == 0


def test_a_watch_speaks_once_and_not_before_twenty_documents():
    monitor = DriftMonitor(HALVES)
    told = [monitor.add((10, 0, 0)) for _ in range(30)]
    assert [at for at, one in enumerate(told, start=1) if one] == [MIN_DOCUMENTS]
    assert "over 20 documents, 0.01 of it chance, 0.25 above that is the limit" in told[MIN_DOCUMENTS - 1]
    assert len(monitor.profiles) == 30
    assert monitor.warnings


def test_a_long_stream_is_judged_by_its_last_documents():
    alike, unlike = (5, 5, 0), (9, 1, 0)
    monitor = DriftMonitor(HALVES, window=200)
    assert [monitor.add(alike) for _ in range(5000)] == [None] * 5000
    told = [monitor.add(unlike) for _ in range(200)]
    assert [one for one in told if one]
    assert (len(monitor.profiles), monitor.counts) == (200, [1800, 200, 0])
    assert "over 200 documents" in next(one for one in told if one)
    whole = monitor_profiles(HALVES, [alike] * 5000 + [unlike] * 200)
    assert (len(whole.profiles), whole.warnings) == (5200, ())


def test_a_watch_is_silent_where_nothing_changes():
    monitor = DriftMonitor(HALVES)
    assert [monitor.add((5, 5, 0)) for _ in range(50)] == [None] * 50
    assert DriftMonitor(HALVES).as_json() is None
    assert monitor.as_json()["documents"] == 50


def test_what_cannot_be():
    with pytest.raises(BadParameter, match="a profile of 2 ranges, where the calibrator has 3"):
        DriftMonitor(HALVES).add((1, 2))
    for values in (((0.5, 0.4), (), (1, 1, 1, 1)), ((0.5,), (), (1, 1))):
        with pytest.raises(BadParameter, match="expected rising edges"):
            Reference(*values)
