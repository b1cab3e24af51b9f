"""Streams that are closed or full: one line says it, and no command pretends to have written."""

import subprocess

import pytest
from tests.end_to_end.program import PROGRAM, clean

COMMANDS = ("--help", "systems", "extract note.txt --json")


def shell(line, cwd):
    return subprocess.run(
        ["sh", "-c", line], cwd=cwd, env=clean(), capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "note.txt").write_text("Tide gauges drift, and a drifting tide gauge is no gauge.")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("output", "message"), [("> /dev/full", "No space left on device"), (">&-", "standard output is closed")]
)
def test_output_that_cannot_be_written(command, output, message, folder):
    finished = shell(f"{PROGRAM} {command} {output}", folder)
    assert finished.returncode == 1
    assert finished.stderr.startswith(f"error: {message}")
    assert "Traceback" not in finished.stderr


def test_a_closed_output_is_not_needed_for_a_file(folder):
    finished = shell(f"{PROGRAM} extract note.txt --json -o out.json >&-", folder)
    assert finished.returncode == 0
    assert "tide gauge" in (folder / "out.json").read_text().lower()


def test_closed_input_is_empty_and_closed_errors_are_not_needed(folder):
    finished = shell(f"{PROGRAM} extract - <&-", folder)
    assert (finished.returncode, finished.stderr.splitlines()[0]) == (3, "error: stdin is empty")
    finished = shell(f"{PROGRAM} extract note.txt --json 2>&-", folder)
    assert finished.returncode == 0
    assert finished.stdout.startswith("[")
