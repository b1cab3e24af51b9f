"""Results come while the input is still being written, whatever the format and the number of processes."""

import json
import os
import select
import subprocess
import sys

import pytest
from tests.end_to_end.program import PROGRAM, clean, keywright, start

TEXT = "Tide gauges drift slowly. The tide gauges of the harbour are old."


@pytest.mark.parametrize(
    "options", [("--format", "jsonl"), ("--format", "jsonl", "--jobs", "2"), ("--format", "csv"), ("--format", "json")]
)
def test_a_result_comes_before_the_input_ends(options):
    command = ["extract", "-", "--input-format", "jsonl", "--system", "kpminer", "--quiet", *options]
    output = b""
    with start(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean()) as program:
        for number in range(3):
            program.stdin.write(json.dumps({"id": f"d{number}", "text": TEXT}).encode() + b"\n")
            program.stdin.flush()
            while f"d{number}".encode() not in output:
                assert select.select([program.stdout], [], [], 60)[0], f"no result of document {number} in a minute"
                output += os.read(program.stdout.fileno(), 1 << 16)
        program.stdin.close()
        output += program.stdout.read()
    assert program.returncode == 0
    if options[1] == "json":
        assert [record["id"] for record in json.loads(output)] == ["d0", "d1", "d2"]


def test_no_results_are_a_list_as_well(tmp_path):
    (tmp_path / "none.txt").write_text("")
    outputs = []
    for shard in ("1/2", "2/2"):
        done = keywright("extract", tmp_path / "none.txt", "--shard", shard, "--format", "json", "--quiet")
        outputs.append(json.loads(done.stdout))
    assert sorted(map(len, outputs)) == [0, 1]


def test_the_module_starts_processes_as_the_program_does():
    lines = "".join(json.dumps({"id": f"d{number}", "text": TEXT}) + "\n" for number in range(3))
    options = ["extract", "-", "--input-format", "jsonl", "--format", "csv", "--jobs", "2", "--quiet"]
    commands = [PROGRAM, *options], [sys.executable, "-m", "keywright", *options]
    printed, again = (
        subprocess.run(command, input=lines.encode(), capture_output=True, check=True, env=clean()).stdout
        for command in commands
    )
    assert again == printed
    assert printed.count(b"\n") > 3
