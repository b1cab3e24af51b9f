"""Programs are killed, interrupted, and not read to the end: nothing is lost, nothing is noisy."""

import contextlib
import json
import os
import pty
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from tests.end_to_end.program import clean, keywright, start

DOCUMENTS = 160  # seconds of work behind the first thirty, when a run is disturbed


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    path = tmp_path_factory.mktemp("collection") / "many.jsonl"
    words = "tide gauge harbour sea level altimetry satellite drift storm surge ocean basin".split()
    with path.open("w") as file:
        for number in range(DOCUMENTS):
            text = " ".join(f"The {words[(number + k) % 12]} {words[(number * k) % 12]} rises." for k in range(120))
            file.write(json.dumps({"id": f"d{number}", "text": text}) + "\n")
    return path


@pytest.fixture(scope="module")
def whole(collection):
    """The predictions of a run that nothing disturbed."""
    run = collection.with_name("whole")
    assert keywright("run", "default", collection, "-o", run).returncode == 0
    return run.read_text().splitlines()[1:]


def started(collection, run, *options: str, already: int = 30):
    """A run under way, with some documents finished."""
    command = ("run", "default", collection, "-o", run, *options)
    process = start(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean())
    deadline = time.monotonic() + 60
    while sum(path.read_bytes().count(b"\n") for path in run.parent.glob(f"{run.name}.*.ledger.jsonl")) <= already:
        assert process.poll() is None, "the run ended before it could be disturbed"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return process


@pytest.mark.long
@pytest.mark.parametrize("options", [(), ("--jobs", "2")], ids=["serial", "processes"])
def test_a_killed_run_goes_on_where_it_stopped(collection, whole, tmp_path, options):
    run = tmp_path / "RUN"
    process = started(collection, run, *options)
    process.kill()
    process.communicate(timeout=60)
    assert not run.exists()
    (ledger,) = tmp_path.glob("RUN.*.ledger.jsonl")
    kept = ledger.read_bytes().rpartition(b"\n")[0]
    again = started(collection, run, already=kept.count(b"\n") + 1)
    assert ledger.read_bytes().startswith(kept)
    assert again.communicate(timeout=60)[0] == b""
    assert again.returncode == 0
    assert run.read_text().splitlines()[1:] == whole
    assert list(tmp_path.iterdir()) == [run]


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (("run", "default", "-o"), "OUT.*.ledger.jsonl"),
        (("extract", "--format", "jsonl", "--resume", "-o"), "OUT"),
        (("extract", "--parts", "--part-size", "20", "-o"), "OUT/part-*.jsonl"),
    ],
    ids=["run", "resume", "parts"],
)
def test_two_commands_into_one_place_are_told_so_and_a_killed_one_leaves_it(collection, tmp_path, command, written):
    command = [*command[:-1], collection, command[-1], tmp_path / "OUT"]
    first = start(*command, stderr=subprocess.DEVNULL, env=clean())
    while not any(path.stat().st_size for path in tmp_path.glob(written)):
        assert first.poll() is None
        time.sleep(0.005)
    first.send_signal(signal.SIGSTOP)
    second = keywright(*command)
    assert second.returncode == 2
    assert "another command writes to" in second.stderr.decode()
    first.kill()
    first.wait()
    assert keywright(*command).returncode == 0
    assert [path for path in (tmp_path, *tmp_path.rglob("*")) if path.name.endswith((".lock", ".part"))] == []


def test_ctrl_c_is_quiet_and_keeps_what_is_done(collection, tmp_path):
    process = started(collection, tmp_path / "RUN")
    out, err = _interrupted(process)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert len(list(tmp_path.glob("RUN.*.ledger.jsonl"))) == 1
    assert not (tmp_path / "RUN").exists()


def _interrupted(process):
    """What it says after Ctrl-C, and again, as people do: libraries in C may swallow the exception that it raises."""
    for patience in (*[0.3] * 5, 60):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=patience)
    return process.communicate(timeout=1)


def test_a_reader_that_leaves_early_is_no_error(collection):
    command = ("extract", collection, "--format", "jsonl")
    process = start(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean())
    assert json.loads(process.stdout.readline())["id"] == "d0"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141
    process.stderr.close()


def test_progress_stays_on_standard_error(collection):
    watched, terminal = pty.openpty()
    command = ("extract", collection, "--format", "jsonl", "--top", "1")
    with start(*command, stdout=subprocess.PIPE, stderr=terminal, env=clean(TERM="xterm")) as process:
        os.close(terminal)
        seen = threading.Thread(target=lambda: shown.append(_all_of(watched)))
        shown: list[bytes] = []
        seen.start()
        lines = process.stdout.readlines()
    seen.join()
    assert [json.loads(line)["id"] for line in lines] == [f"d{number}" for number in range(DOCUMENTS)]
    assert b"documents" in shown[0]
    assert b"/s" in shown[0]


def _all_of(terminal):
    """What was written to a terminal until its program ended."""
    read = b""
    try:
        while piece := os.read(terminal, 1 << 16):
            read += piece
    except OSError:
        pass
    os.close(terminal)
    return read


def test_names_of_files_cannot_steer_a_terminal(tmp_path):
    name = os.fsencode(tmp_path) + b"/\x1b[31mred\xff.txt"
    Path(os.fsdecode(name)).write_bytes(b"Tide gauges measure sea level. Tide gauges drift.")
    path = os.fsdecode(name)
    for form in ("table", "json", "csv"):
        done = keywright("extract", path, "--format", form, PYTHONIOENCODING="utf-8:strict")
        assert done.returncode == 0, done.stderr
        assert form == "csv" or b"\x1b" not in done.stdout
    missing = keywright("extract", path + "2")
    assert missing.returncode == 3
    assert b"\\x1b[31mred" in missing.stderr
    assert b"\x1b" not in missing.stderr


def test_any_locale_takes_the_output(tmp_path):
    (tmp_path / "a.txt").write_text(
        "Le marégraphe mesure la mer. Le marégraphe dérive, et la mer monte.", encoding="utf-8"
    )
    locale, latin, ascii_only = {"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}, {"PYTHONIOENCODING": "ascii"}
    for form, setting in (("table", locale), ("table", ascii_only), ("json", latin), ("csv", ascii_only)):
        done = keywright("extract", "a.txt", "--format", form, cwd=tmp_path, **setting)
        assert done.returncode == 0, done.stderr
