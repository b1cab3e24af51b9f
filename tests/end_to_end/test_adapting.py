"""Adapting the default from the command line: to labelled documents, and to a folder of unlabelled ones."""

import json

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT
from tests.unit.adapting.papers import PEOPLE, record, written

LABELLED = ROOT / "examples" / "abstracts.jsonl"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with labelled reports, and the default trained on them."""
    folder = tmp_path_factory.mktemp("place")
    written(folder)
    (folder / "new.txt").write_text(str(record(41)["text"]))
    done = keywright("train", "default", "reports.jsonl", "-o", "mine", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, done


def test_a_gain_is_shown_and_kept_on_the_card(place):
    folder, done = place
    card = json.loads(done.stdout)
    assert (card["saved"], card["documents"], card["gain"]["shown"]) == (True, 30, True)
    assert "gain shown" in done.stderr.decode()
    kept = json.loads((folder / "mine" / "card.json").read_text())
    assert kept == {key: value for key, value in card.items() if key != "saved"}


def test_the_folder_stands_where_a_name_can(place):
    folder, _ = place
    person = PEOPLE[41 % len(PEOPLE)]
    text = keywright("extract", "new.txt", "--system", "./mine", "--top", "2", "--explain", cwd=folder).stdout.decode()
    assert person in text
    assert "why    " in text
    shown = keywright("systems", "./mine", cwd=folder)
    assert shown.returncode == 0
    assert "gain shown" in shown.stdout.decode()
    assert json.loads(keywright("systems", "./mine", "--json", cwd=folder).stdout)["card"]["documents"] == 30


def test_a_trained_system_is_replaced_when_asked_only(place):
    folder, _ = place
    again = ("train", "default", "reports.jsonl", "-o", "mine")
    refused = keywright(*again, cwd=folder)
    assert refused.returncode == 2
    assert b"--force" in refused.stderr
    assert keywright(*again, "--force", "--quiet", cwd=folder).returncode == 0
    other = keywright("train", "nb", LABELLED, "-o", ".", "--force", cwd=folder)
    assert other.returncode == 2
    assert b"files that are not a trained system" in other.stderr


def test_without_a_gain_nothing_is_written_unless_asked(tmp_path):
    command = ("train", "default", LABELLED, "-o", "mine")
    done = keywright(*command, cwd=tmp_path)
    assert done.returncode == 1
    assert b"too few to tell" in done.stderr
    assert b"nothing was written to mine" in done.stderr
    assert b"F@10" in done.stdout
    assert list(tmp_path.iterdir()) == []
    kept = keywright(*command, "--anyway", "--json", cwd=tmp_path)
    assert kept.returncode == 0
    assert json.loads(kept.stdout)["gain"]["shown"] is False
    assert (tmp_path / "mine" / "card.json").is_file()


def test_adapt_counts_a_folder(tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    for number in range(4):
        (papers / f"{number}.txt").write_text(str(record(number)["text"]))
    (papers / "again.txt").write_text(str(record(0)["text"]))
    (papers / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    done = keywright("adapt", "papers", "-o", "mine", "--json", cwd=tmp_path)
    assert done.returncode == 1  # one file could not be read; what was done is kept
    card = json.loads(done.stdout)
    assert (card["documents"], card["repeats"], card["failed"]) == (4, 1, 1)
    assert card["probabilities"].startswith("adapted: not recalibrated")
    said = done.stderr.decode()
    assert "broken.pdf" in said
    assert "probabilities  not recalibrated" in said
    found = keywright("extract", "papers/0.txt", "--system", "./mine", "--format", "json", cwd=tmp_path)
    assert json.loads(found.stdout)[0]["keyphrases"][0]["probability"] is not None
    assert b"not recalibrated" in keywright("systems", "./mine", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["empty"], 3, "holds no file"),
        (["one"], 3, "1 different documents"),
        (["nowhere"], 3, "no file 'nowhere'"),
        (["one", "--system", "kpminer"], 2, "cannot be adapted"),
    ],
)
def test_what_cannot_be_adapted_to(tmp_path, arguments, code, said):
    (tmp_path / "empty").mkdir()
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.txt").write_text("A grid scheduler assigns jobs.")
    done = keywright("adapt", *arguments, "-o", "mine", cwd=tmp_path)
    assert done.returncode == code
    assert said in done.stderr.decode()
    assert not (tmp_path / "mine").exists()
