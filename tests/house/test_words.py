"""The words of the Makefile: each explained, and each that a document names exists."""

import re
import subprocess

from tests.house.tree import ROOT, files

WORD = re.compile(r"^([a-z-]+):.*## (.+)$", re.MULTILINE)
NAMED = re.compile(r"(?<![\w/.-])make ([a-z-]+)(?=[`\s]|$)")
TEXTS = [path for path in files() if path.suffix == ".md" and path.parts[0] not in {"tests", "src"}]


def words() -> set[str]:
    return {match[1] for match in WORD.finditer((ROOT / "Makefile").read_text("utf-8"))}


def commands(text: str) -> set[str]:
    """Words after ``make`` in code: fenced blocks and back-ticks."""
    code = re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL)
    return {word for piece in code for word in NAMED.findall(piece)}


def test_the_words_people_know_are_there() -> None:
    assert {"demo", "test", "check", "bench", "clean", "help"} <= words()


def test_make_alone_lists_every_word() -> None:
    shown = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {match[1] for match in re.finditer(r"^  make ([a-z-]+) ", shown, re.MULTILINE)} == words()


def test_documents_name_only_words_that_exist() -> None:
    strange = {str(path): commands((ROOT / path).read_text("utf-8")) - words() for path in TEXTS}
    assert {path: names for path, names in strange.items() if names} == {}


def test_the_readme_names_the_two_commands() -> None:
    assert {"demo", "test"} <= commands((ROOT / "README.md").read_text("utf-8"))
