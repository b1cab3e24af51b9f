"""The engine ray where Ray is not installed; the engine itself is in ``tests/scale``."""

import sys

import pytest

from keywright.core.errors import BadParameter, MissingExtra
from keywright.running.engines import engine


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)  # as if not installed
    with pytest.raises(MissingExtra, match="needs the package ray") as caught:
        engine("ray")
    assert "[scale]" in caught.value.hint


def test_a_number_of_jobs_is_checked_first(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadParameter, match="0 jobs"):
        engine("ray", 0)
