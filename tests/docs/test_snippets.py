"""Every snippet of README and docs runs and prints what is shown."""

from pathlib import Path

import pytest
from tests.docs.snippets import ROOT, RUN, SHOWN, Place, commands, links, matches, pages, snippets

TEXTS = pages()
RUNNING = [path for path in TEXTS if any(f"```{name}" in (ROOT / path).read_text("utf-8") for name in RUN)]


def test_languages_of_snippets_are_known() -> None:
    languages = {snippet.language for path in TEXTS for snippet in snippets((ROOT / path).read_text("utf-8"))}
    assert languages <= RUN | SHOWN


@pytest.mark.parametrize("path", RUNNING, ids=str)
def test_snippets_of_the_page_run(path: Path, tmp_path: Path) -> None:
    place = Place(tmp_path)
    for snippet in snippets((ROOT / path).read_text("utf-8")):
        if snippet.language in RUN:
            wrong = place.console(snippet) if snippet.language == "console" else place.python(snippet)
            assert not wrong, f"{path}:{snippet.first}\n{wrong}"


def test_links_lead_somewhere() -> None:
    targets = [(path, target) for path in TEXTS for target in links((ROOT / path).read_text("utf-8"))]
    assert [(str(path), target) for path, target in targets if not (ROOT / path.parent / target).exists()] == []


PAGE = """# A page
```console exit=3
$ printf 'one\\ntwo\\n'
one
...
$ printf 'no' >&2; exit 3
no
```
```python
x = 20
```
```python
>>> x + 1
21
```
"""


def test_the_runner_runs_a_page_in_order(tmp_path: Path) -> None:
    place = Place(tmp_path)
    console, first, second = snippets(PAGE)
    assert place.console(console) == place.python(first) == place.python(second) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [("\none\n", "\nfour\n"), ("exit=3", "exit=4"), ("exit=3", ""), ("\n21\n", "\n22\n"), ("x + 1", "y + 1")],
)
def test_the_runner_finds_what_is_wrong(old: str, new: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    reports = [
        place.console(each) if each.language == "console" else place.python(each)
        for each in snippets(PAGE.replace(old, new))
    ]
    assert len(list(filter(None, reports))) == 1


def test_commands_may_go_on_in_the_next_line() -> None:
    found = list(commands("$ one \\\n    two\nprinted\n$ three\n"))
    assert [(each.line, each.shown) for each in found] == [("one \\\n    two", "printed"), ("three", "")]


def test_dots_stand_for_any_text_and_nothing_else_is_a_pattern() -> None:
    assert matches("a ... c.", "a b\nb c.")
    assert not matches("a.c", "abc")
