"""Completion of verbs and options in shells."""

import shutil
import subprocess

import pytest
from tests.end_to_end.program import keywright


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_well_formed_and_ask_the_program(shell, tmp_path):
    done = keywright("completion", shell)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"_KEYWRIGHT_COMPLETE" in done.stdout
    if program := shutil.which(shell):
        script = tmp_path / "script"
        script.write_bytes(done.stdout)
        subprocess.run([program, "-n", script], check=True)


def bash(*words: str) -> list[str]:
    line = {"COMP_WORDS": " ".join(("keywright", *words)), "COMP_CWORD": str(len(words))}
    return keywright(_KEYWRIGHT_COMPLETE="complete_bash", **line).stdout.decode().split()


def test_verbs_and_options_are_completed():
    assert bash("ex") == ["extract", "export"]
    assert bash("com") == ["combine", "compare", "completion"]
    assert bash("score", "--proto") == ["--protocol"]
    assert bash("datasets", "f") == ["fetch"]
    assert bash("vocabulary", "b") == ["build"]
    assert bash("vocabulary", "build", "--label-c") == ["--label-column"]
    assert bash("mcp", "--ro") == ["--root"]


def test_other_shells_are_answered():
    words = {"_TYPER_COMPLETE_ARGS": "keywright sys"}
    assert b"systems" in keywright(_KEYWRIGHT_COMPLETE="complete_zsh", **words).stdout
    fish = keywright(_KEYWRIGHT_COMPLETE="complete_fish", _TYPER_COMPLETE_FISH_ACTION="get-args", **words)
    assert fish.stdout.startswith(b"systems")


def test_a_shell_without_completion_is_refused():
    done = keywright("completion", "tcsh")
    assert done.returncode == 2
    assert b"'bash', 'zsh', 'fish'" in b" ".join(done.stderr.split())
