"""The page that puts protocols side by side says what they are."""

import subprocess
import sys

from tests.docs.snippets import ROOT

from keywright.catalogue import PROTOCOLS

PAGE = ROOT / "docs" / "reference" / "protocol-comparison.md"


def test_the_page_is_what_the_protocols_say() -> None:
    command = [sys.executable, "-m", "tools.pages.protocol_comparison", "--check"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"run python -m tools.pages.protocol_comparison\n{done.stderr}"


def test_every_family_is_on_the_page() -> None:
    text = PAGE.read_text("utf-8")
    for name in PROTOCOLS.built_in:
        pieces = name.split("-")
        beginnings = ["-".join(pieces[:length]) for length in range(1, len(pieces) + 1)]
        assert f"`{name}`" in text or any(f"`{one}…`" in text for one in beginnings), name
