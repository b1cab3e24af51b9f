"""With KEYWRIGHT_REQUIRE_DATA=1, as CI sets it, no test that needs the data can hide behind a skip."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
TESTS = """
import pytest

@pytest.mark.data
def test_fixture(mirror): ...

@pytest.mark.data
def test_body(): pytest.skip("part of the data is missing")

@pytest.mark.skipif(True, reason="another matter")
def test_other(): ...
"""


def printed(folder: Path, *options: str, **environment: str) -> list[str]:
    (folder / "conftest.py").write_bytes(CONFTEST.read_bytes())
    (folder / "test_sample.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  data: needs data\n  long: slow\n")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("KEYWRIGHT_", "PYTEST_"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *options, str(folder)]
    done = subprocess.run(command, env=plain | environment, capture_output=True, text=True, check=False, cwd=folder)
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, "3 skipped"), ({"KEYWRIGHT_REQUIRE_DATA": "1"}, "1 failed, 1 skipped, 1 error")],
    ids=["without", "required"],
)
def test_skips_become_failures_where_data_was_promised(
    tmp_path: Path, environment: dict[str, str], expected: str
) -> None:
    assert printed(tmp_path, **environment)[-1].startswith(expected)


def test_one_line_says_first_how_many_tests_need_data(tmp_path: Path) -> None:
    line = "2 of 3 tests are skipped: no data folders (KEYWRIGHT_MIRROR and KEYWRIGHT_GOLDENS not set)"
    plain = printed(tmp_path)
    assert plain[0] == line
    assert "another matter" not in "".join(plain)
    assert "another matter" in "".join(printed(tmp_path, "--show-skipped"))
    assert printed(tmp_path, KEYWRIGHT_MIRROR="m", KEYWRIGHT_GOLDENS="g")[0] != line
