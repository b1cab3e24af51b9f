"""Evaluators by specification."""

import pytest

from keywright.core.errors import BadParameter, UnknownName
from keywright.summaries.evaluator import EVALUATORS, evaluator_class, make_evaluator, read_specification
from keywright.summaries.kpeval import KPEval


def test_options_follow_the_name() -> None:
    assert read_specification("kpeval: combine=best, weight=none") == ("kpeval", {"combine": "best", "weight": "none"})
    assert read_specification("length") == ("length", {})


@pytest.mark.parametrize("text", ["kpeval:combine", "kpeval:combine=best,combine=mean"])
def test_options_have_one_value(text: str) -> None:
    with pytest.raises(BadParameter, match="combine"):
        read_specification(text)


def test_an_evaluator_has_its_options() -> None:
    asked: list[str | None] = []
    evaluator = make_evaluator(
        "kpeval:combine=best,jackknife=yes,extractor=tfidf", lambda name: asked.append(name) or {}
    )
    assert isinstance(evaluator, KPEval)
    assert (evaluator.combine, evaluator.jackknife, asked) == ("best", True, ["tfidf"])


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("kpeval:combine=worst", "one of pooled, mean, best"),
        ("kpeval:combin=best", "combine"),
        ("kpeval:top=x", "whole"),
    ],
)
def test_wrong_options_are_explained(text: str, hint: str) -> None:
    with pytest.raises(BadParameter) as caught:
        make_evaluator(text, lambda _: {})
    assert hint in str(caught.value)


def test_an_unknown_evaluator_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName) as caught:
        make_evaluator("kpevl", lambda _: {})
    assert "kpeval" in str(caught.value)


@pytest.mark.parametrize("name", EVALUATORS)
def test_each_name_is_that_of_its_class(name: str) -> None:
    assert evaluator_class(name).name == name
