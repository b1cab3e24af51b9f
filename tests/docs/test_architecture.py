"""The page about the architecture says what the code is: its picture, and the files it names."""

import re
import subprocess
import sys

from tests.docs.snippets import ROOT

PAGE = ROOT / "docs" / "explanation" / "architecture.md"


def test_the_stored_picture_is_what_the_code_gives() -> None:
    command = [sys.executable, "-m", "tools.pages.architecture_picture", "--check"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_file_that_the_page_names_exists() -> None:
    named = re.findall(r"`([a-z_0-9/]+/(?:[a-z_0-9]+\.py)?)`", PAGE.read_text("utf-8"))
    assert len(named) > 20
    for path in named:
        assert (ROOT / path).exists() or (ROOT / "src" / "keywright" / path).exists(), path
