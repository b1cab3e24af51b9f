"""Optional packages: the error where one is missing, and the line that installs it."""

import pytest

from keywright.core import VERSION
from keywright.core.errors import MissingExtra, describe_install, needs_extra


def test_a_missing_package_is_named_with_its_need_and_the_line_to_run():
    with pytest.raises(MissingExtra) as caught, needs_extra("html", "pages need nosuchpackage"):
        import nosuchpackage  # noqa: F401, PLC0415
    assert caught.value.message == "pages need nosuchpackage, which is not installed"
    assert caught.value.hint == describe_install("html")


def test_a_package_that_breaks_is_not_called_missing():
    with (
        pytest.raises(MissingExtra, match=r"cannot be imported \(no libfoo\)"),
        needs_extra("html", "pages need it"),
    ):
        raise ImportError("no libfoo")


def test_other_errors_pass():
    with pytest.raises(ZeroDivisionError), needs_extra("html", "it"):
        _ = 1 / 0


def test_an_extra_is_installed_from_a_checkout_or_a_wheel():
    assert '`pip install ".[a,b]"`' in describe_install("a,b")
    assert f'`pip install "keywright-{VERSION}-py3-none-any.whl[a,b]"`' in describe_install("a,b")
