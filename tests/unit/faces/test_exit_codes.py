"""How commands end."""

import pytest

from keywright.core.errors import BrokenFile, TooLarge
from keywright.core.predictions import Failure
from keywright.faces.exit_codes import Meaning, choose_exit_code, find_meaning


class TooManyPages(TooLarge):
    """A class that is not in the table."""


def test_a_subclass_means_what_its_parent_means():
    assert find_meaning(TooManyPages("300 pages")) == find_meaning(TooLarge("x")) == Meaning(3, 413)
    assert BrokenFile("x").code == "broken_file"


@pytest.mark.parametrize(
    ("codes", "done", "ends"),
    [
        ([], 3, 0),
        ([], 0, 0),
        (["broken_file"], 0, 3),
        (["broken_file", "empty_input"], 0, 3),
        (["broken_file"], 1, 1),
        (["missing_extra"], 0, 4),
        (["missing_extra", "broken_file"], 0, 1),
        (["unexpected"], 0, 1),
    ],
)
def test_the_exit_code_of_many_documents(codes, done, ends):
    assert choose_exit_code([Failure("d", code, "m") for code in codes], done) == ends
