"""Subjects from the command line: trained on indexed documents, saved, used, and refused."""

import json
import shutil

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter

EXAMPLES = ROOT / "docs" / "examples"
TEXT = "Leak detection in plastic pipe needs microphones. Leak detection by night finds leaks of plastic pipe."


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with an index of the thesaurus, and a system trained on the documents that were indexed with it."""
    folder = tmp_path_factory.mktemp("subjects")
    shutil.copy(EXAMPLES / "indexed.jsonl", folder)
    (folder / "new.txt").write_text(TEXT)
    kw.build_vocabulary(EXAMPLES / "thesaurus.ttl", folder / "thesaurus")
    kw.build_vocabulary(["leaks", "night"], folder / "words")
    done = keywright("train", "subject", "indexed.jsonl", "--vocabulary", "thesaurus", "-o", "mine", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, done


def test_what_the_training_says(place):
    folder, done = place
    said = done.stderr.decode()
    assert "note: only 14 documents" in said
    assert "1 of 21 keyphrases are neither labels nor URIs of the vocabulary, such as 'Town history'" in said
    assert "cross-validated in 5 folds: F@5 0." in said
    card = json.loads((folder / "mine" / "card.json").read_text())
    assert card["vocabulary"]["sha256"] == kw.load_vocabulary(folder / "thesaurus").digest
    assert (card["documents"], card["subjects"], card["not in the vocabulary"]) == (14, 21, 1)
    assert card["cross-validated"].keys() == {"folds", "F@5", "F@10", "nDCG@10", "ECE@10"}
    assert {path.name for path in (folder / "mine").iterdir()} == {"card.json", "system.json", "arrays.npz"}


def test_the_folder_is_a_system(place):
    folder, _ = place
    command = ("extract", "new.txt", "--system", "./mine", "--top", "2", "--format", "jsonl")
    alone = keywright(*command, cwd=folder)
    record = json.loads(alone.stdout)
    assert {each["concept"]["label"] for each in record["keyphrases"]} == {"Detection, leak", "Pipes (plumbing)"}
    assert all(0 < each["probability"] < 1 for each in record["keyphrases"])
    named = keywright(*command, "--vocabulary", "thesaurus", "--only-vocabulary", cwd=folder)
    assert json.loads(named.stdout)["keyphrases"] == record["keyphrases"]


def test_a_table_has_the_concepts(place):
    folder, _ = place
    done = keywright("extract", "new.txt", "--system", "./mine", "--top", "1", "--format", "csv", cwd=folder)
    header, row = done.stdout.decode().splitlines()
    assert header.endswith(",concept,label")
    assert row.endswith(
        (",https://thesaurus.example/3,Pipes (plumbing)", ',https://thesaurus.example/2,"Detection, leak"')
    )


def test_python_gives_the_same(place):
    folder, _ = place
    trained = kw.train("subject", folder / "indexed.jsonl", vocabulary=folder / "thesaurus")
    loaded = kw.load(folder / "mine")
    assert kw.extract(TEXT, trained, top=5).keyphrases == kw.extract(TEXT, loaded, top=5).keyphrases


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (("extract", "new.txt", "--system", "./mine", "--vocabulary", "words"), "with another vocabulary", 2),
        (("extract", "new.txt", "--system", "subject"), "the system subject has not been trained", 2),
        (("train", "subject", "indexed.jsonl", "-o", "x"), "subjects without a vocabulary", 2),
        (("train", "subject", "indexed.jsonl", "--vocabulary", "words", "-o", "x"), "without concepts", 2),
        (("train", "subject", "indexed.jsonl", "--vocabulary", "nowhere", "-o", "x"), "nowhere", 3),
        (("train", "subject", "nothing.jsonl", "--vocabulary", "thesaurus", "-o", "x"), "nothing.jsonl", 4),
        (("train", "nb", "indexed.jsonl", "--vocabulary", "thesaurus", "-o", "x"), "a vocabulary for nb", 2),
        (("train", "subject", "indexed.jsonl", "--vocabulary", "thesaurus", "-o", "mine"), "--force", 2),
        (("train", "subject", "new.jsonl", "--vocabulary", "thesaurus", "-o", "x"), "0 of 1 documents", 2),
    ],
)
def test_what_is_refused(place, arguments, message, status):
    folder, _ = place
    record = {"id": "a", "text": TEXT, "keyphrases": ["sewage"]}
    (folder / "new.jsonl").write_text(json.dumps(record) + "\n")
    done = keywright(*arguments, cwd=folder)
    said = done.stderr.decode()
    assert done.returncode == status, said
    assert message in said
    assert "Traceback" not in said
    assert not (folder / "x").exists()


def test_a_vocabulary_for_another_system_in_python(place):
    folder, _ = place
    with pytest.raises(BadParameter, match="a vocabulary for default"):
        kw.train("default", folder / "indexed.jsonl", vocabulary=folder / "thesaurus")


def test_a_damaged_folder_is_refused(place, tmp_path):
    folder, _ = place
    shutil.copytree(folder / "mine", tmp_path / "mine")
    values = (tmp_path / "mine" / "system.json").read_text()
    (tmp_path / "mine" / "system.json").write_text(values.replace("ex", "xe", 1))
    done = keywright("extract", folder / "new.txt", "--system", tmp_path / "mine")
    assert done.returncode != 0
    assert "is not what its card says" in done.stderr.decode()
