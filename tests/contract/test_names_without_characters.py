"""Every verb that writes: ids and texts with half a character, and names of files in Latin-1, lose no output."""

import json
import os
import sys

import pytest
from tests.end_to_end.program import keywright

from keywright.core.json_values import replace_surrogates

RUN, GOLD, LABELS, NOTE = (os.fsdecode(name) for name in (b"caf\xe9.jsonl", b"g\xe9.jsonl", b"t\xe9.txt", b"n\xe9.txt"))
VERBS = [
    *(("score", RUN, "--gold", GOLD, "--format", form) for form in ("csv", "tsv", "json", "markdown", "latex", "html")),
    *(("compare", RUN, "two.jsonl", "--gold", GOLD, "--format", form) for form in ("csv", "json", "markdown", "html")),
    *(("collection", RUN, "--format", form) for form in ("csv", "json", "html", "graphml")),
    *(("extract", NOTE, "--format", form) for form in ("csv", "json", "html", "bib", "marcxml")),
    ("vocabulary", "build", LABELS, "-o", os.fsdecode(b"i\xe9")),
    ("run", "kpminer", GOLD, "-o", os.fsdecode(b"r\xe9.jsonl")),
]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("halves")
    phrases = [{"text": "tide \ud800 gauges", "score": 1.0, "spans": []}]
    for name in (RUN, "two.jsonl"):
        lines = [json.dumps({"id": each, "keyphrases": phrases}) for each in ("a\ud800", "b")]
        (folder / name).write_text("\n".join(lines))
    records = [
        {"id": each, "text": "Tides \ud800.", "keyphrases": ["tide gauges", "a \ud800"]} for each in ("a\ud800", "b")
    ]
    (folder / GOLD).write_text("\n".join(map(json.dumps, records)))
    (folder / LABELS).write_text("tide gauges\nsea level\n")
    (folder / NOTE).write_text("Tide gauges drift. Tide gauges measure sea level.")
    return folder


@pytest.mark.parametrize("command", VERBS, ids=lambda command: f"{command[0]}-{replace_surrogates(command[-1])}")
def test_every_verb_writes(command, folder):
    done = keywright(*command, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert b"defect" not in done.stderr
    if command[0] != "extract" or command[-1] != "text":
        done.stdout.decode("utf-8")
