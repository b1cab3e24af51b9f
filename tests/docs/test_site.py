"""The site's navigation has every page once, and its pages link to each other only."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.snippets import ROOT, links, pages
from tools.checks.built_site import problems

import keywright as kw

NAVIGATION = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
NAMED = re.compile(r"^::: keywright\.(\w+)$", re.MULTILINE)
DOCUMENTS = [path for path in pages() if path.parts[0] == "docs" and path.parts[1] not in {"decisions", "maintainers"}]


def test_every_page_is_in_the_navigation_once() -> None:
    listed = re.findall(r"(\S+\.md)$", NAVIGATION, re.MULTILINE)
    assert sorted(f"docs/{name}" for name in listed) == sorted(map(str, DOCUMENTS))


def test_pages_link_to_documents_only() -> None:
    targets = [(path, target) for path in DOCUMENTS for target in links((ROOT / path).read_text("utf-8"))]
    others = [each for each in targets if not os.path.normpath(each[0].parent / each[1]).startswith("docs")]
    assert others == [], "not on the site"


PAGE = """<article><p>{}</p>
<a href="page.html#here" id="here">a</a> <a href="https://example.org">b</a>
<img src="data:image/png;base64,AA"></article>
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A table | of one line", 0),
        ("| a | b | |---|---|", 1),
        ("```console", 1),
        ('<a href="other.html">c</a>', 1),
        ('<a href="copy.html#there">c</a>', 1),
        ('<a href="copy.html#here">c</a>', 0),
        ('<img src="https://example.org/a.png">', 1),
        ('<link rel="stylesheet" href="https://example.org/a.css">', 1),
        ('<link rel="canonical" href="https://example.org/">', 0),
    ],
)
def test_what_the_generator_lets_pass_is_found(text: str, found: int, tmp_path: Path) -> None:
    for name in ("page.html", "copy.html"):
        (tmp_path / name).write_text(PAGE.format(text), "utf-8")
    assert len(list(problems(tmp_path / "page.html", tmp_path))) == found


def test_an_empty_site_is_an_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.checks.built_site", str(tmp_path)]
    assert subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode == 1


def test_the_python_reference_has_every_public_name_once() -> None:
    reference = [ROOT / "docs" / "reference" / name for name in ("python.md", "python-types.md")]
    listed = [name for page in reference for name in NAMED.findall(page.read_text("utf-8"))]
    assert sorted(listed) == sorted({*kw.__all__, "api"} - {"__version__"})  # api: what functions share


TASKS = {
    "keyphrases of a PDF": "how-to/keyphrases-of-papers.md",
    "a PDF with marks": "how-to/keyphrases-of-papers.md",
    "a column of a table": "how-to/tables.md",
    "a DataFrame of a folder": "start/data-scientist.md",
    "keyphrases on a web page": "how-to/page-in-the-browser.md",
    "a service with a token": "how-to/serve-keyphrases.md",
    "a stream in parts": "how-to/a-hundred-million-documents.md",
    "MARC and RIS": "how-to/bibliographic-records.md",
    "subjects of a thesaurus": "how-to/subjects-from-a-thesaurus.md",
    "a review": "how-to/review-in-a-spreadsheet.md",
    "ten phrases, or longer ones": "how-to/choose-what-is-shown.md",
    "a text in Spanish": "how-to/other-languages.md",
    "training on own documents": "how-to/adapt-to-your-documents.md",
    "calibrated probabilities": "how-to/probabilities-for-any-system.md",
    "a promised precision": "how-to/guarantees.md",
    "answers of a language model scored": "reference/run-formats.md",
    "significance and LaTeX": "how-to/compare-two-systems.md",
    "an own system": "how-to/write-a-system.md",
    "spaCy and scikit-learn": "how-to/use-in-other-libraries.md",
    "a tool for an assistant": "how-to/assistants.md",
    "options of a command": "reference/commands.md",
    "an error message": "reference/mistakes.md",
}


@pytest.mark.parametrize("first", ["docs/index.md", "README.md"])
def test_the_page_of_each_task_is_two_clicks_away(first: str) -> None:
    reached = {first}
    for _ in range(2):
        reached |= {
            os.path.normpath(Path(page).parent / link.partition("#")[0])
            for page in sorted(reached)
            if page.endswith(".md")
            for link in links((ROOT / page).read_text("utf-8"))
        }
    assert [task for task, page in TASKS.items() if f"docs/{page}" not in reached] == []


LONGEST = 1_500  # words of a page that is read, not looked up; its code and outputs do not count
LOOKED_UP = ("docs/reference/", "docs/results/")


def test_pages_are_short() -> None:
    texts = {path: (ROOT / path).read_text("utf-8") for path in DOCUMENTS if not str(path).startswith(LOOKED_UP)}
    prose = {str(path): re.sub(r"(?ms)^```.*?^```", "", text) for path, text in texts.items()}
    assert [path for path, text in prose.items() if len(text.split()) > LONGEST] == []
