"""Errors say what happened and what to do, and survive the way back from a worker; a missing extra has its line."""

import pickle

import pytest

from keywright.core import VERSION, errors
from keywright.core.errors import (
    BadParameter,
    BrokenFile,
    KeywrightError,
    MissingData,
    MissingExtra,
    UnknownName,
    describe_install,
    needs_extra,
    unknown_name,
)

CLASSES = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, KeywrightError)]


@pytest.mark.parametrize("error", CLASSES, ids=lambda each: each.__name__)
def test_message_and_hint_stand_on_one_line(error: type[KeywrightError]) -> None:
    assert str(error("no file 'a.pdf'", "look again")) == "no file 'a.pdf'; look again"
    assert str(error("no file 'a.pdf'")) == "no file 'a.pdf'"


@pytest.mark.parametrize("error", CLASSES, ids=lambda each: each.__name__)
def test_pickling_keeps_class_message_and_hint(error: type[KeywrightError]) -> None:
    back = pickle.loads(pickle.dumps(error("what happened", "what to do")))
    assert (type(back), back.message, back.hint) == (error, "what happened", "what to do")


def test_code_word_is_the_class_name_in_snake_case() -> None:
    assert BrokenFile("x").code == "broken_file"
    assert KeywrightError("x").code == "keywright_error"


@pytest.mark.parametrize(
    ("error", "builtin"), [(BadParameter, ValueError), (UnknownName, LookupError), (MissingData, FileNotFoundError)]
)
def test_errors_are_also_what_python_would_raise(error: type[KeywrightError], builtin: type[Exception]) -> None:
    with pytest.raises(builtin, match="what happened"):
        raise error("what happened")


def test_unknown_name_suggests_the_nearest() -> None:
    found = unknown_name("system", "kp-miner", ["tfidf", "kpminer"], "keywright systems")
    assert str(found) == "no system called 'kp-miner'; did you mean 'kpminer'? `keywright systems` lists all 2"


def test_unknown_name_without_a_near_one_suggests_none() -> None:
    assert unknown_name("system", "zzz", ["tfidf"], "keywright systems").hint == "`keywright systems` lists all 1"


def test_a_missing_package_is_named_with_its_need_and_the_line_to_run():
    with pytest.raises(MissingExtra) as caught, needs_extra("html", "pages need nosuchpackage"):
        import nosuchpackage  # noqa: F401, PLC0415
    assert caught.value.message == "pages need nosuchpackage, which is not installed"
    assert caught.value.hint == describe_install("html")


def test_a_package_that_breaks_is_not_called_missing():
    with pytest.raises(MissingExtra, match=r"cannot be imported \(no libfoo\)"), needs_extra("html", "pages need it"):
        raise ImportError("no libfoo")


def test_other_errors_pass():
    with pytest.raises(ZeroDivisionError), needs_extra("html", "it"):
        _ = 1 / 0


def test_an_extra_is_installed_from_a_checkout_or_a_wheel():
    assert '`pip install ".[a,b]"`' in describe_install("a,b")
    assert f'`pip install "keywright-{VERSION}-py3-none-any.whl[a,b]"`' in describe_install("a,b")
