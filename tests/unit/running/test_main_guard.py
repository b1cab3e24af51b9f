"""Scripts that start worker processes: without the usual guard they are told, before any process starts."""

import subprocess
import sys

import pytest

WORK = """
import keywright as kw
print("begins")
{guard}print([outcome.texts for _, outcome in kw.extract_files(kw.prepare("firstphrases", top=1), ["a.txt"], jobs=2)])
"""


@pytest.mark.parametrize("guard", ["", 'if __name__ == "__main__": '])
def test_a_script_without_a_guard_is_told(tmp_path, guard):
    (tmp_path / "a.txt").write_text("Tide gauges drift.")
    (tmp_path / "script.py").write_text(WORK.format(guard=guard))
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    if guard:
        assert done.stdout.splitlines()[-1] == "[('Tide gauges drift',)]"
    else:
        assert done.stdout == "begins\n"  # once: no worker has run it
        last = done.stderr.splitlines()[-1]
        assert "would run the script" in last
        assert 'call it under `if __name__ == "__main__":`' in last
