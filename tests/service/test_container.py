"""The container as far as it can be checked without an engine: its lines, and the command that it runs.

The command runs as it does there: from another folder, with a home and a temporary folder that are all it can write to.
"""

import json
import re
import shlex
import subprocess
import sys

import httpx
import pytest
from packaging.requirements import Requirement
from tests.end_to_end.program import PROGRAM, clean
from tests.house.tree import ROOT

FILE = ROOT / "Containerfile"


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the file: their words, and what is behind them."""
    text = re.sub(r"^#.*\n", "", FILE.read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line.strip()]


def values(word: str) -> list[str]:
    return [value for name, value in instructions() if name == word]


def test_all_instructions_exist():
    known = "FROM COPY RUN USER ENV WORKDIR EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT".split()
    assert {name for name, _ in instructions()} <= set(known)
    assert instructions()[0][0] == "FROM"


def test_it_builds_from_wheels_alone():
    (command,) = values("RUN")
    words = shlex.split(command)
    assert "--no-index" in words
    assert words[words.index("--find-links") + 1] == "/wheels"
    assert Requirement(next(word for word in words if word.startswith("keywright["))).extras == {"serve"}
    assert not re.search(r"https?:|curl|wget|apt", command)


def test_it_does_not_run_as_root():
    (user,) = values("USER")
    assert user not in {"root", "0"}
    assert f" {user}" in values("RUN")[0]
    names = [name for name, _ in instructions()]
    assert names.index("RUN") < names.index("USER") < names.index("ENTRYPOINT")


def test_it_stops_by_the_signal_that_the_service_answers_to():
    assert values("STOPSIGNAL") == ["SIGTERM"]


@pytest.mark.skipif(sys.platform != "linux", reason="a container is Linux")
def test_its_command_serves_and_writes_only_into_its_temporary_folder(tmp_path):
    (entry,) = values("ENTRYPOINT")
    program, *arguments = json.loads(entry)
    assert program == "keywright"
    place = tmp_path / "tmp"
    place.mkdir()
    arguments[arguments.index("--port") + 1] = "0"
    arguments[arguments.index("--host") + 1] = "127.0.0.1"
    options = dict(pair.split("=") for pair in values("ENV")[0].split()) | {"HOME": str(place), "TMPDIR": str(place)}
    # An audit hook reports files that the service's own process opens to be written: O_WRONLY, O_RDWR, O_CREAT.
    watch = (
        "import sys\n"
        "def hook(event, values):\n"
        "    if event == 'open' and isinstance(values[2], int) and values[2] & 0o103:\n"
        "        print('written', values[0], file=sys.stderr)\n"
        "sys.addaudithook(hook)\n"
        "from keywright.faces.cli import main\nmain()\n"
    )
    command = [sys.executable, "-c", watch, *arguments, "--jobs", "1"]
    environment = clean(**options, OMP_NUM_THREADS="1")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=place, env=environment) as process:
        lines = []
        for line in process.stderr:
            lines.append(line)
            if match := re.search(r"at (http://\S+)", line):
                break
        large = {"file": ("a.txt", b"Tide gauges drift. " * 100_000)}
        assert httpx.post(f"{match[1]}/api/extract/file", files=large, timeout=60).json()["id"] == "a.txt"
        process.terminate()
        lines += process.stderr.readlines()
        assert process.wait(timeout=30) == 0
    written = [line.split(maxsplit=1)[1].strip() for line in lines if line.startswith("written ")]
    assert [name for name in written if not name.startswith((str(place), "/dev/", "-1")) and not name.isdigit()] == []
    assert list(place.iterdir()) == [], "nothing is left"


def test_the_program_is_installed_under_the_name_of_the_entry_point():
    assert PROGRAM.name == json.loads(values("ENTRYPOINT")[0])[0]
