"""evalHulth2003, case by case through the command line: its text and files byte for byte; its tokens, lemmas, stems."""

import gzip
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import tokenise
from typer.testing import CliRunner

from keywright.catalogue import PROTOCOLS
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.normal_forms.phrases import nltk_stem, spacy2_tokens
from keywright.evaluation.reference.hulth2003 import Reading, present_phrases
from keywright.evaluation.scoring.scorer import score
from keywright.experiments.scorers import write_inputs
from keywright.faces.cli.app import app

pytestmark = pytest.mark.data

CASES = tuple(f"case{number:02}" for number in range(1, 53))
USAGE = {"no-command", "missing-option", "unknown-option", "help"}  # texts of another argument parser
ENDINGS = {"eval": "uncontr_in", "evalGen": "uncontr"}
BLOCKS = {
    "Exact match": "hulth2003-exact",
    "Part of match": "hulth2003-part-of",
    "Exact match on lower case form": "hulth2003-exact-lower",
    "Part of match on lower case form": "hulth2003-part-of-lower",
    "Exact match on lower case lemma form": "hulth2003-exact-lemma",
    "Part of match on lower case lemma form": "hulth2003-part-of-lemma",
    "Exact match on lower case stem form": "hulth2003-exact-stem",
    "Part of match on lower case stem form": "hulth2003-part-of-stem",
}


def loaded(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def lines(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


@pytest.fixture(scope="module")
def folder(goldens):
    return goldens / "inspec"


@pytest.fixture(params=CASES)
def case(request, folder, tmp_path, monkeypatch):
    """A case's folder; its input files lie in the working folder."""
    found = folder / request.param
    write_inputs(found, loaded(found / "case.json"), tmp_path)
    monkeypatch.chdir(tmp_path)
    return found


def test_no_case_is_left_out(folder):
    assert sorted(path.name for path in folder.glob("case*")) == list(CASES)


def test_text_and_files_are_equal_byte_for_byte(case, tmp_path):
    facts = loaded(case / "case.json")
    done = CliRunner().invoke(app, ["inspec", *facts["args"]])

    assert done.exit_code == facts["exit_code"]
    if facts["title"] in USAGE:
        assert done.stdout
    else:
        assert done.stdout_bytes == (case / "expected.stdout").read_bytes()
    if facts["exit_code"] and facts["title"] not in USAGE:
        assert done.stderr.startswith("no f")
    if (case / "expected_files.json").is_file():
        written = {path.name: path.read_bytes().decode() for path in (tmp_path / "out").glob("*.uncontr_in")}
        assert written == loaded(case / "expected_files.json")


def test_protocols_count_as_the_tool_does(case):
    facts = loaded(case / "case.json")
    reading = Reading()
    paths = reading.documents("g", ENDINGS[facts["args"][0]]) if facts.get("counts") else {}
    gold = {name: reading.gold(path) for name, path in paths.items()}
    for block, expected in (facts.get("counts") or {}).items():
        entries = (GoldDocument(name, tuple((phrase,) for phrase in phrases)) for name, phrases in gold.items())
        answers = {name: reading.predictions("p", name) for name in gold}
        counts = score(answers, [GoldSet("gold", tuple(entries))], PROTOCOLS.find(BLOCKS[block])).counts["gold"]
        found = {"correct": counts.hits.sum(), "extracted": counts.predicted.sum(), "ground_truth": counts.gold.sum()}
        assert found == expected


@pytest.mark.parametrize(("name", "count"), [("exceptions", 1244), ("phrases", 12512), ("odd", 444)])
def test_tokens_and_lemmas_are_equal(folder, name, count):
    rows = list(lines(folder / f"tokens_{name}.jsonl.gz"))
    assert len(rows) == count
    assert [text for text, words, lemmas in rows if tokenise(text) != with_lemmas(words, lemmas)] == []


def test_tokens_and_lemmas_of_abstracts_are_equal(folder):
    texts = loaded(folder / "abstracts_test500.json")
    rows = [
        (" ".join(texts[name.removeprefix("test/")].split()), words, lemmas)
        for name, words, lemmas in lines(folder / "tokens_abstracts.jsonl.gz")
    ]
    assert len(rows) == 334
    assert [text for text, words, lemmas in rows if tokenise(text) != with_lemmas(words, lemmas)] == []


def test_stems_are_equal(folder):
    rows = list(lines(folder / "stems_nltk325_nltk391.jsonl.gz"))
    assert len(rows) == 39006
    assert [(word, nltk_stem(word), stem) for word, stem, _ in rows if nltk_stem(word) != stem] == []


def test_shipped_selections_are_equal_but_for_seven_of_another_version(mirror):
    files = contents(mirror / "inspec" / "hulth2003.tar.gz") | contents(
        mirror / "inspec" / "hulth2003_uncontr_in.tar.gz"
    )
    shipped = {name.removesuffix(".uncontr_in"): text for name, text in files.items() if name.endswith(".uncontr_in")}
    assert len(shipped) == 2000
    other = []
    for name, expected in shipped.items():
        gold = [phrase for phrase in map(collapsed, files[f"{name}.uncontr"].split(";")) if phrase]
        kept = present_phrases(files[f"{name}.abstr"], gold)
        if "; ".join(map(spacy2_tokens, kept)) + "\n" != expected:
            other.append(name)
    assert [sum(name.startswith(split) for name in other) for split in ("test", "validation", "training")] == [1, 1, 5]


def contents(archive: Path) -> dict[str, str]:
    """Texts of an archive by name in lower case."""
    with tarfile.open(archive) as tar:
        members = [member for member in tar.getmembers() if member.isfile()]
        return {member.name.lower(): tar.extractfile(member).read().decode() for member in members}


def collapsed(text: str) -> str:
    return " ".join(text.split())


def with_lemmas(words: list[str], lemmas: dict[str, str]) -> list[tuple[str, str]]:
    return [(word, lemmas.get(str(place), word)) for place, word in enumerate(words)]
