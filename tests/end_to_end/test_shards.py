"""Many documents: shards on several machines, and a command that goes on where it was interrupted."""

import json
import signal
import time

import pytest
from tests.end_to_end.program import clean, keywright, start

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
    assert [record.get("signature") for record in whole[1:3]] == ["firstphrases|longest:5|v0.2.0", None]
    assert len({record["system"] for record in whole[1:]}) == 1
    assert (folder / "whole.jsonl").read_text().count("longest:5") == 1


def test_shards_are_the_whole(folder):
    parts = []
    for number in (1, 2):
        keywright(*EXTRACT, "--shard", f"{number}/2", "-o", f"{number}.jsonl", cwd=folder)
        parts += records(folder / f"{number}.jsonl")
    plain = [
        sorted(({**each, "signature": 0, "options": 0} for each in part), key=lambda each: each["id"])
        for part in (parts, records(folder / "whole.jsonl"))
    ]
    assert plain[0] == plain[1]


def test_an_interrupted_command_goes_on(folder):
    whole = (folder / "whole.jsonl").read_bytes()
    (folder / "part.jsonl").write_bytes(whole[: len(whole) // 2])  # in the middle of a line
    done = keywright(*EXTRACT, "--resume", "-o", "part.jsonl", cwd=folder)
    assert done.returncode == 1  # as without the interruption
    assert "documents were done before (1 of them failed: their records say why)" in done.stderr.decode()
    assert (folder / "part.jsonl").read_bytes() == whole
    assert keywright(*EXTRACT, "--resume", "-o", "new.jsonl", cwd=folder).returncode == 1
    assert (folder / "new.jsonl").read_bytes() == whole


MANY = 1_500  # short texts, so many that a shard of them is at work for a second


def test_a_killed_shard_is_resumed_and_the_parts_are_the_whole(tmp_path):
    texts = ({"id": f"d{n}", "text": f"Tide gauge {n} measures the sea level of harbour {n % 7}."} for n in range(MANY))
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
    parts = [(*EXTRACT, "--shard", f"{number}/2", "--resume", "-o", f"part-{number}.jsonl") for number in (1, 2)]
    running = [start(*part, "--quiet", cwd=tmp_path, env=clean()) for part in parts]
    second = tmp_path / "part-2.jsonl"
    while running[1].poll() is None and not (second.is_file() and second.stat().st_size):
        time.sleep(0.01)
    running[1].send_signal(signal.SIGKILL)
    assert [process.wait() for process in running] == [0, -signal.SIGKILL]
    assert 0 < second.read_bytes().count(b"\n") < MANY // 3
    done = keywright(*parts[1], cwd=tmp_path)
    assert "documents were done before" in done.stderr.decode()
    assert keywright(*EXTRACT, "-o", "whole.jsonl", cwd=tmp_path).returncode == 0
    whole, *shards = (records(tmp_path / name) for name in ("whole.jsonl", "part-1.jsonl", "part-2.jsonl"))
    unsigned = [{**each, "signature": 0, "options": 0} for each in (*shards[0], *shards[1])]
    assert sorted(unsigned, key=str) == sorted(({**each, "signature": 0, "options": 0} for each in whole), key=str)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--resume",), "expected -o FILE.jsonl"),
        (("--resume", "-o", "out.csv"), "expected -o FILE.jsonl"),
        (("--resume", "--force", "-o", "whole.jsonl"), "--resume together with --force"),
        (("--resume", "-o", "whole.jsonl", "-s", "kpminer"), "whole.jsonl holds results of firstphrases#"),
        (("--resume", "-o", "whole.jsonl", "--top", "3"), "whole.jsonl holds results with top 2, and this is 3"),
        (("--resume", "-o", "whole.jsonl", "--language", "fr"), "with language the default, and this is fr"),
        (("--resume", "-o", "whole.jsonl", "--shard", "1/2"), "with shard the default, and this is 1/2"),
        (("--resume", "-o", "whole.jsonl", "--vocabulary", "terms.txt"), "and this is 2 phrases, sha256:"),
        (("--resume", "-o", "other.jsonl"), "line 1 of other.jsonl is not a result"),
        (("--shard", "3/2"), "expected I/N"),
    ],
)
def test_what_cannot_go_on_is_refused(folder, arguments, message):
    (folder / "other.jsonl").write_text("[]\n")
    (folder / "terms.txt").write_text("sea level\ntide gauge\n")
    done = keywright(*EXTRACT, *arguments, cwd=folder)
    assert done.returncode in {2, 3}
    assert message in done.stderr.decode()
