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


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_pages_link_to_documents_only(path: Path) -> None:
    for target in links((ROOT / path).read_text("utf-8")):
        assert os.path.normpath(path.parent / target).startswith("docs"), f"{target} is not on the site"


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
