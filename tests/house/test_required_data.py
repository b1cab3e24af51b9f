"""With KEYWRIGHT_REQUIRE_DATA=1, as CI sets it, no test that needs the data can hide behind a skip."""

import os
import subprocess
import sys
from pathlib import Path

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
    plain["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # none of them is needed, and they take a second to load
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    done = subprocess.run(command, env=plain | environment, capture_output=True, text=True, check=False, cwd=folder)
    return done.stdout.splitlines()


def test_skips_become_failures_where_data_was_promised(tmp_path: Path) -> None:
    assert printed(tmp_path, KEYWRIGHT_REQUIRE_DATA="1")[-1].startswith("1 failed, 1 skipped, 1 error")


def test_one_line_says_first_how_many_tests_need_data(tmp_path: Path) -> None:
    line = "2 of 3 tests are skipped: no data folders (KEYWRIGHT_MIRROR and KEYWRIGHT_GOLDENS not set)"
    plain = printed(tmp_path)
    assert (plain[0], plain[-1].startswith("3 skipped")) == (line, True)
    assert "another matter" not in "".join(plain)
    listed = printed(tmp_path, "--show-skipped", KEYWRIGHT_MIRROR="m", KEYWRIGHT_GOLDENS="g")
    assert listed[0] != line
    assert "another matter" in "".join(listed)
