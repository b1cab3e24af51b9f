"""Many documents: shards on several machines, and a command that goes on where it was interrupted."""

import json

import pytest
from tests.end_to_end.program import keywright

COUNT = 20
EXTRACT = ("extract", "texts.jsonl", "-s", "firstphrases", "--top", "2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("shards")
    texts = [{"id": f"d{n}", "text": f"Tide gauge {n} measures the sea level."} for n in range(COUNT)]
    texts.insert(0, {"id": "empty", "text": ""})
    (place / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
    assert keywright(*EXTRACT, "-o", "whole.jsonl", cwd=place).returncode == 1
    return place


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_signature_is_in_one_record(folder):
    whole = records(folder / "whole.jsonl")
    assert "error" in whole[0]
    assert [record.get("signature") for record in whole[1:3]] == ["firstphrases|longest:5|v0.1.0", None]
    assert len({record["system"] for record in whole[1:]}) == 1
    assert (folder / "whole.jsonl").read_text().count("longest:5") == 1


def test_shards_are_the_whole(folder):
    parts = []
    for number in (1, 2):
        keywright(*EXTRACT, "--shard", f"{number}/2", "-o", f"{number}.jsonl", cwd=folder)
        parts += records(folder / f"{number}.jsonl")
    plain = [
        sorted(({**each, "signature": None} for each in part), key=lambda each: each["id"])
        for part in (parts, records(folder / "whole.jsonl"))
    ]
    assert plain[0] == plain[1]


def test_an_interrupted_command_goes_on(folder):
    whole = (folder / "whole.jsonl").read_bytes()
    (folder / "part.jsonl").write_bytes(whole[: len(whole) // 2])  # in the middle of a line
    done = keywright(*EXTRACT, "--resume", "-o", "part.jsonl", cwd=folder)
    assert done.returncode == 0
    assert "documents were done before" in done.stderr.decode()
    assert (folder / "part.jsonl").read_bytes() == whole
    assert keywright(*EXTRACT, "--resume", "-o", "new.jsonl", cwd=folder).returncode == 1
    assert (folder / "new.jsonl").read_bytes() == whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--resume",), "expected -o FILE.jsonl"),
        (("--resume", "-o", "out.csv"), "expected -o FILE.jsonl"),
        (("--resume", "--force", "-o", "whole.jsonl"), "--resume together with --force"),
        (("--resume", "-o", "whole.jsonl", "-s", "kpminer"), "whole.jsonl holds results of firstphrases#"),
        (("--resume", "-o", "other.jsonl"), "line 1 of other.jsonl is not a result"),
        (("--shard", "3/2"), "expected I/N"),
    ],
)
def test_what_cannot_go_on_is_refused(folder, arguments, message):
    (folder / "other.jsonl").write_text("[]\n")
    done = keywright(*EXTRACT, *arguments, cwd=folder)
    assert done.returncode in {2, 3}
    assert message in done.stderr.decode()
