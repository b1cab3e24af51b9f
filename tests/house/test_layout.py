"""Everything has its place: names, floors, heavy libraries, lengths, no path of a machine."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.house.tree import PACKAGE, ROOT, files, imported, modules, parsed

SAYS_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "base", "stuff", "shared"}
INTEGRATIONS = "integrations/"
PLACES = {
    "torch": ("neural/",),
    "transformers": ("neural/",),
    "spacy": ("text/", INTEGRATIONS),
    "ray": ("running/",),
    "datasets": (INTEGRATIONS,),
    "haystack": (INTEGRATIONS,),
    "langchain_core": (INTEGRATIONS,),
}
LONGEST = 350
LONGER_WITH_REASON = {
    "tests/unit/extraction/corpus/test_knowledge.py": "tables of all languages",
    "tests/unit/neural/test_training.py": "one training, from its start to its end",
}
SHORTEST = 40
SHORT_WITH_REASON = (  # a system, a protocol, a verb, a format or a reader is a whole idea of any length
    "extraction/systems/", "neural/systems/", "evaluation/protocols/", "faces/cli/verbs/", "reading/",
    "datasets/readers/", "core/zstandard.py",  # the last: two names of a library
)  # fmt: skip
MACHINE = re.compile(r"/(?:work|farm|root|tmp/bash_jobs|home/[a-z]+)/")
BINARY = {".pdf", ".docx", ".npz", ".npy", ".gz", ".zst", ".zip", ".png"}


def test_imports_go_down_only() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_modules_import_each_other_in_a_circle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted over imports inside functions and for types as well: values do not import their views."""
    monkeypatch.syspath_prepend(ROOT / "tools" / "checks")
    assert importlib.import_module("house_structure").find_circles(ROOT) == []


@pytest.mark.parametrize(("library", "rooms"), PLACES.items())
def test_heavy_libraries_stay_in_their_room(library: str, rooms: tuple[str, ...]) -> None:
    strangers = [
        str(module) for module in modules() if library in imported(module) and not str(module).startswith(rooms)
    ]
    assert strangers == []


def test_interfaces_stand_in_one_file() -> None:
    says = [str(module) for module in modules() if _says_protocol(parsed(module))]
    assert says == ["core/interfaces.py"]


def _says_protocol(tree: ast.Module) -> bool:
    """Whether a module derives a class from ``typing.Protocol``."""
    parents = [
        ast.unparse(parent) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for parent in node.bases
    ]
    from_typing = any(
        isinstance(node, ast.ImportFrom) and node.module == "typing" and "Protocol" in {a.name for a in node.names}
        for node in ast.walk(tree)
    )
    return from_typing or any(parent.startswith("typing.Protocol") for parent in parents)


def test_names_say_something() -> None:
    empty = [str(path) for path in files() if path.suffix == ".py" and set(path.with_suffix("").parts) & SAYS_NOTHING]
    assert empty == []


def test_every_room_says_what_it_is_for() -> None:
    rooms = {path.parent for path in PACKAGE.rglob("*.py")}
    silent = [room.name for room in rooms if not (room / "__init__.py").is_file()]
    silent += [str(module) for module in modules() if not ast.get_docstring(parsed(module))]
    assert silent == []


def test_files_stay_short() -> None:
    lengths = {
        str(path): len((ROOT / path).read_text("utf-8").splitlines()) for path in files() if path.suffix == ".py"
    }
    long = {path for path, length in lengths.items() if length > LONGEST}
    assert long == set(LONGER_WITH_REASON)


def test_files_hold_a_whole_idea() -> None:
    short = [
        str(module)
        for module in modules()
        if module.name not in {"__init__.py", "__main__.py"}
        and len((PACKAGE / module).read_text("utf-8").splitlines()) < SHORTEST
        and not str(module).startswith(SHORT_WITH_REASON)
    ]
    assert short == []


def test_no_path_of_a_machine_stands_in_a_file() -> None:
    here = Path(__file__).relative_to(ROOT)
    found = [
        str(path)
        for path in files()
        if path.suffix not in BINARY
        and path != here
        and MACHINE.search((ROOT / path).read_text("utf-8", errors="replace"))
    ]
    assert found == []
