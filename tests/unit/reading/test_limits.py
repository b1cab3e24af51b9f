"""Limits of readers in the environment."""

import pytest

from keywright.core.errors import BadParameter, TooLarge
from keywright.reading.limits import Limits


def test_limits_are_set_in_the_environment(monkeypatch):
    monkeypatch.setenv("KEYWRIGHT_LIMITS", "file_bytes=2e9, seconds=600")
    assert (Limits().file_bytes, Limits().seconds, Limits().pages) == (2_000_000_000, 600.0, 3_000)
    assert Limits(file_bytes=7).file_bytes == 7


@pytest.mark.parametrize("text", ["file_bytes", "file_bytes=many", "seconds=0", "pages=-1", "pages=inf", "file_byte=9"])
def test_what_is_no_number_is_refused(text, monkeypatch):
    monkeypatch.setenv("KEYWRIGHT_LIMITS", text)
    with pytest.raises(BadParameter, match=f"KEYWRIGHT_LIMITS has '{text}'"):
        Limits()


def test_a_file_that_is_too_large_names_the_variable():
    with pytest.raises(TooLarge) as caught:
        Limits(file_bytes=10).check_file(11, "a.txt")
    assert (
        caught.value.hint
        == "split it, or raise Limits.file_bytes, in the terminal by KEYWRIGHT_LIMITS=file_bytes=NUMBER"
    )
