"""Typical mistakes: none is silent, none ends in a traceback, and the page says what is answered."""

import pytest
from tools.pages.mistakes import PAGE, TABLE, answers, page, table


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    return answers(tmp_path_factory.mktemp("mistakes"))


def test_no_mistake_is_silent(answered):
    every = [answer for group in answered.values() for answer in group]
    assert len(every) >= 30
    for answer in every:
        text = "\n".join(answer.lines)
        assert text, answer.mistake.typed
        assert answer.result and (answer.result != "0" or "note: " in text), answer  # noqa: PT018 - one thing
        assert "Traceback" not in text
        assert "defect of keywright" not in text


def test_the_page_says_what_is_answered(answered):
    assert page(answered) == PAGE.read_text("utf-8"), "run python -m tools.pages.mistakes"
    assert table(answered) == TABLE.read_text("utf-8"), "run python -m tools.pages.mistakes"
