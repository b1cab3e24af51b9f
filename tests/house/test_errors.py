"""Every error has an exit code, a status and a code word of its own."""

from keywright.core import errors
from keywright.core import errors as request_errors
from keywright.faces.exit_codes import MEANINGS


def test_every_error_of_core_is_in_the_table():
    named = (vars(errors) | vars(request_errors)).values()
    classes = {value for value in named if isinstance(value, type) and issubclass(value, errors.KeywrightError)}
    assert set(MEANINGS) == classes


def test_code_words_are_distinct():
    assert len({kind("").code for kind in MEANINGS}) == len(MEANINGS)


def test_exit_codes_and_statuses_are_of_the_interface():
    assert {meaning.exit_code for meaning in MEANINGS.values()} <= {1, 2, 3, 4}
    assert all(400 <= meaning.status < 600 for meaning in MEANINGS.values())
    for kind, meaning in MEANINGS.items():
        if issubclass(kind, errors.UnreadableInput):
            assert meaning.exit_code == 3
        if issubclass(kind, errors.MissingData | errors.MissingExtra):
            assert meaning.exit_code == 4
