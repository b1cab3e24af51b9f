"""Cached results: computed once for each identity, again where the file is damaged."""

import pytest

from studies.cached import cached


@pytest.fixture
def counted():
    calls = []

    def make():
        calls.append(1)
        return {"number": len(calls)}

    make.calls = calls
    return make


def test_a_result_is_made_once(tmp_path, counted):
    folder = tmp_path / "not" / "there"
    assert cached(folder, ["a"], counted) == {"number": 1}
    assert cached(folder, ["a"], counted) == {"number": 1}
    assert cached(folder, ["b"], counted) == {"number": 2}
    assert len(list(folder.iterdir())) == 2


def test_a_damaged_result_is_made_again(tmp_path, counted):
    cached(tmp_path, ["a"], counted)
    (file,) = tmp_path.iterdir()
    file.write_text("{", "utf-8")
    assert cached(tmp_path, ["a"], counted) == {"number": 2}


def test_a_failure_keeps_nothing(tmp_path):
    def broken():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cached(tmp_path, ["a"], broken)
    assert list(tmp_path.iterdir()) == []
