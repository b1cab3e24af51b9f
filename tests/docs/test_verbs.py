"""Each verb of Python has a runnable example in its docstring."""

import doctest
import inspect
import json
import shutil

import pytest
from tests.docs.snippets import ROOT
from tests.quick_generators import save_quick_generator

import keywright as kw

NEED_DATA = {"reproduce"}
VERBS = sorted(name for name in kw.__all__ if inspect.isfunction(getattr(kw, name)))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the examples, and 30 labelled papers: the labelled abstracts six times, in other words."""
    folder = tmp_path_factory.mktemp("verbs")
    for name in ("examples", "docs/examples"):
        shutil.copytree(ROOT / name, folder / name)
    records = [json.loads(line) for line in (folder / "examples" / "abstracts.jsonl").read_text("utf-8").splitlines()]
    papers = [
        record | {"id": f"{record['id']}-{copy}", "title": f"{record['title']}, part {copy}"}
        for record in records
        for copy in range(6)
    ]
    labelled = list(kw.dataset(str(folder / "examples" / "labelled.jsonl")))
    save_quick_generator("one2seq", labelled, folder / "generator")
    (folder / "papers.jsonl").write_text("".join(json.dumps(paper) + "\n" for paper in papers), "utf-8")
    return folder


@pytest.mark.parametrize("name", [name for name in VERBS if name not in NEED_DATA])
def test_the_example_of_a_verb_runs(name, place, monkeypatch) -> None:
    monkeypatch.chdir(place)
    verb = getattr(kw, name)
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(verb) or "", {}, name, None, None)
    assert example.examples, f"kw.{name} has no example"
    report: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(example, out=report.append)
    assert "".join(report) == ""
