"""Importing keywright, asking it for help, or for keyphrases of a text, loads nothing heavy.

Bounds are on *what* is loaded, never on seconds. The measured seconds are printed:
``pytest -s tests/house/test_light_imports.py``.
"""

import subprocess
import sys

import pytest
from tests.house.tree import ROOT

HEAVY = {
    "docx", "lightgbm", "lxml", "matplotlib", "networkx", "onnxruntime", "pandas", "pypdfium2", "ray", "scipy",
    "sklearn", "spacy", "tokenizers", "torch", "trafilatura", "transformers",
}  # fmt: skip
OF_OTHERS = {"keywright.ensembles.voting", "keywright.evaluation.protocol", "keywright.neural.systems.generator_system"}
"""Modules of ours that other work needs; they took a tenth of the time of a short text."""
AFTER = "import sys; print(*sorted({*(name.split('.')[0] for name in sys.modules), *sys.modules}))"


def loaded(statement: str) -> set[str]:
    """Names, and first names, of all modules that a statement leaves loaded in a new interpreter."""
    command = [sys.executable, "-X", "importtime", "-c", f"{statement}\n{AFTER}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    times = [line for line in done.stderr.splitlines() if line.startswith("import time:") and "[us]" not in line]
    total = sum(int(line.split(":")[1].split("|")[0]) for line in times)
    print(f"{statement!r}: {total / 1000:.1f} ms importing {len(times)} modules")  # noqa: T201  (the measured total)
    return set(done.stdout.splitlines()[-1].split())


def test_import_keywright_loads_no_library_at_all() -> None:
    names = loaded("import keywright")
    assert "keywright" in names
    assert names & (HEAVY | {"numpy", "rich", "typer", "Stemmer"}) == set()


@pytest.mark.parametrize("arguments", [["--help"], ["extract", "--help"]], ids=" ".join)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    call = f"import sys; sys.argv = ['keywright', *{arguments!r}]\nfrom keywright.faces.cli import main\n"
    names = loaded(f"{call}try: main()\nexcept SystemExit: pass")
    assert names & HEAVY == set()


@pytest.mark.parametrize("options", [[], ["--explain", "--format", "html"]], ids=["table", "explained"])
def test_keyphrases_need_no_library_of_training(options: list[str]) -> None:
    """Trees walk on arrays; LightGBM, scikit-learn and scipy alone take longer to load than all the rest to run."""
    example = str(ROOT / "examples" / "note.txt")
    arguments = ["keywright", "extract", example, "--quiet", *options]
    call = f"import sys; sys.argv = {arguments!r}\nfrom keywright.faces.cli import main\n"
    names = loaded(f"{call}try: main()\nexcept SystemExit as left: assert not left.code")
    assert {"keywright", "numpy"} <= names
    assert names & HEAVY == set()
    assert names & OF_OTHERS == set()
