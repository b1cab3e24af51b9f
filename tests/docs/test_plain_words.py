"""The words of documents are plain: none of the listed turns, and no sentence that opens without its subject."""

import re
from pathlib import Path

import pytest
from tests.house.plain_words import findings, openings
from tests.house.tree import ROOT, files

READ = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "changes", "examples", "tools"}
CARDS = Path("src/keywright/datasets/cards")
TEXTS = [
    path
    for path in files()
    if path.suffix == ".md" and path.parts[0] in READ and path.parts[:2] != ("examples", "kinds")
]
DATA_CARDS = [path for path in files() if path.parent == CARDS]
QUOTING = {Path("CONTRIBUTING.md"), Path("docs/reference/mistakes.md")}
"""Documents that quote the turns in order to forbid them, or messages, which ``tests/house`` checks where they are."""


def prose(text: str) -> str:
    """Return a page without code, with its lines."""
    text = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), text, flags=re.DOTALL)
    return re.sub(r"`[^`\n]*`|\"[^\"\n]*\"", "x", text)


def test_documents_use_plain_words() -> None:
    texts = {str(path): prose((ROOT / path).read_text("utf-8")) for path in {*TEXTS} - QUOTING}
    listed = {path: [*findings(text), *openings(text)] for path, text in texts.items()}
    listed |= {path.stem: list(findings((ROOT / path).read_text("utf-8"))) for path in DATA_CARDS}
    assert {path: turns for path, turns in listed.items() if turns} == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A promise of precision.", 1),
        ("Words that the model was\ntold apart by.", 1),
        ("There is no gold. It is no longer there.", 0),
        ("This is no gold.", 1),
        ("`likewise` is a word.", 0),
        ("Of the papers, half are long. Those are left out.", 2),
        ("Half of the papers are long: that is a lot.", 0),
    ],
)
def test_turns_are_recognised(text: str, count: int) -> None:
    assert len([*findings(prose(text)), *openings(prose(text))]) == count
