"""Plain functions where a system is expected; predictions and failures as lists."""

import pytest

import keywright as kw
from keywright.core.errors import BadParameter

TEXT = "A grid scheduler assigns jobs. The Grid  scheduler is fair."


def longest_words(_text: str) -> list[str]:
    return ["grid scheduler", "jobs", "grid scheduler", "fairness"]


def scored(_text: str) -> list[tuple[str, float]]:
    return [("jobs", 0.5), ("grid scheduler", 2)]


def test_a_function_is_a_system():
    prediction = kw.extract(TEXT, system=longest_words)
    assert prediction.texts == ("grid scheduler", "jobs", "fairness")
    first, _, absent = prediction
    assert first.spans == ((2, 16), (35, 50))
    assert not absent.present
    assert kw.extract(TEXT, scored).texts == ("grid scheduler", "jobs")
    assert kw.extract([TEXT], lambda _text: ["jobs"])[0].texts == ("jobs",)


def test_a_function_is_run_and_scored():
    run = kw.run(longest_words, "examples/abstracts.jsonl", top=1)
    assert run.system.startswith("longest_words|")
    assert "author/F@5" in kw.score(run, "keywright-1", intervals=False).values


@pytest.mark.parametrize("value", [3, "", None, ("a", float("nan"))])
def test_a_function_that_returns_no_phrases_is_named(value):
    with pytest.raises(BadParameter, match="<lambda> returned"):
        kw.extract(TEXT, lambda _text: [value])


def test_a_failed_document_has_no_keyphrases():
    done, failed = kw.extract([TEXT, ""], top=1)
    assert [each.text for each in done] == list(done.texts) == ["grid scheduler"]
    assert (len(done), len(failed), failed.texts, failed.keyphrases, list(failed)) == (1, 0, (), (), [])
    assert failed.pairs() == []
    assert repr(failed).startswith("<Failure of 'text-2': ")
