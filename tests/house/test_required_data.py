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


def outcome(folder: Path, **environment: str) -> str:
    (folder / "conftest.py").write_bytes(CONFTEST.read_bytes())
    (folder / "test_sample.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = data: needs data\n")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("KEYWRIGHT_", "PYTEST_"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(folder)]
    done = subprocess.run(command, env=plain | environment, capture_output=True, text=True, check=False, cwd=folder)
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, "3 skipped"), ({"KEYWRIGHT_REQUIRE_DATA": "1"}, "1 failed, 1 skipped, 1 error")],
    ids=["without", "required"],
)
def test_skips_become_failures_where_data_was_promised(
    tmp_path: Path, environment: dict[str, str], expected: str
) -> None:
    assert outcome(tmp_path, **environment).startswith(expected)
