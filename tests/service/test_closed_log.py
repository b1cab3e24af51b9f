"""A service whose log nobody reads any more."""

import re
import signal
import subprocess

import httpx
from tests.end_to_end.program import clean, start
from tests.service.running import TEXT


def test_it_answers_and_stops_after_its_log_was_closed():
    options = {"stderr": subprocess.PIPE, "text": True, "env": clean(OMP_NUM_THREADS="1")}
    process = start("serve", "--port", "0", "--jobs", "1", **options)
    try:
        address = next(match[1] for line in process.stderr if (match := re.search(r"at (http://\S+)", line)))
        process.stderr.close()
        for _ in range(2):  # the first line that fails must not spoil the second request
            assert httpx.post(f"{address}/api/extract", json={"text": TEXT}, timeout=60).status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        process.wait()
