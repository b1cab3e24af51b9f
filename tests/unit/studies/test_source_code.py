"""Identity of code: what it follows, and what changes it."""

import pytest

from studies import cached
from studies.cached import code_digest, used

A = """
from ours.b import Table, row as line
from ours import c
import numpy

if TYPE_CHECKING:
    from ours.d import D

class System:
    def run(self) -> D:
        from ours.e import late
        return Table(SIZE), line, late, numpy

def other():
    return c.C

SIZE = 1
"""
B = '''"""A table."""
class Table:
    FILE = "table.npz"

def row():
    return LENGTH

LENGTH = 2
UNUSED = 3
'''
FILES = {
    "__init__": "",
    "a": A,
    "b": B,
    "c": "C = 1\n",
    "d": "D = 1\n",
    "e": "from ours.f import late\n",
    "f": "late = 1\n",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of six modules, beside a table."""
    folder = tmp_path / "ours"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    models = tmp_path / "models"
    models.mkdir()
    (models / "table.npz").write_bytes(b"1")
    monkeypatch.setattr(cached, "FOLDERS", (tmp_path,))
    monkeypatch.setattr(cached, "MODELS", models)
    forget()
    yield folder
    forget()


def forget():
    for function in (code_digest, cached._path, cached._module, cached._files_beside, cached._content):
        function.cache_clear()


def after(path, text) -> str:
    path.write_text(text, "utf-8")
    forget()
    return code_digest("ours.a.System")


@pytest.mark.usefixtures("package")
def test_names_are_followed_across_modules_and_into_functions():
    system = {"ours.a.System", "ours.a.SIZE", "ours.b.Table", "ours.b.row", "ours.b.LENGTH", "ours.f.late"}
    assert used("ours.a.System") == system
    assert used("ours.a.other") == {"ours.a.other", "ours.c", "ours.c.C"}
    assert used("ours.a") == {"ours.a", "ours.a.other", "ours.c", "ours.c.C"} | system
    assert used("numpy.array", "ours.nothing") == {"ours"} - {"ours"}


def test_what_is_used_changes_the_digest(package):
    before = code_digest("ours.a.System")
    assert after(package / "b.py", B.replace("LENGTH = 2", "LENGTH = 3")) != before
    assert after(package / "b.py", B) == before
    assert after(package / "f.py", "late = 2\n") != before
    assert after(package / "f.py", FILES["f"]) == before
    (package.parent / "models" / "table.npz").write_bytes(b"2")
    with_table = after(package / "f.py", FILES["f"])
    assert with_table != before
    (package / "words.txt").write_text("of", "utf-8")
    assert after(package / "f.py", FILES["f"]) != with_table


def test_what_is_not_used_does_not(package):
    before = code_digest("ours.a.System")
    assert after(package / "b.py", B.replace("A table", "Another").replace("UNUSED = 3", "# no more")) == before
    assert after(package / "c.py", "C = 2\n") == before
    assert after(package / "d.py", "D = 2\n") == before


def test_the_default_is_not_code_of_other_systems():
    humb = used("keywright.extraction.systems.humb.HUMB")
    assert not any(name.startswith("keywright.extraction.systems.default") for name in humb)
    assert "keywright.text.stems" in {name.rpartition(".")[0] for name in used("keywright.text.analyser.TextAnalyser")}
    assert code_digest("keywright.extraction.systems.humb.HUMB") != code_digest(
        "keywright.extraction.systems.maui.Maui"
    )
