"""Check an installation without extras: run by the interpreter of an environment that has keywright and nothing else.

``make core`` builds sdist and wheel, installs each and runs this: the first Python block of the README and of the page
for students, every format of ``examples/``, the command line, and the errors that name the extras; the last line is the
size of the environment.
"""

import doctest
import importlib.util
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import keywright as kw

ROOT = Path(__file__).resolve().parents[2]
MOST_MEGABYTES = 220
FIRST_LINES = ("README.md", "docs/start/student.md")
"""Pages whose first Python block needs nothing but the core."""
FORMATS = (
    "note.txt",
    "article.md",
    "article.html",
    "article.pdf",
    "article.docx",
    "article.jats.xml",
    "article.tei.xml",
)
"""Of ``examples/``."""
ABSENT = ("scipy", "sklearn", "trafilatura", "matplotlib", "spacy", "lightgbm", "onnxruntime", "pytest")
EXTRAS = {
    "eval": "compare a.jsonl b.jsonl --protocol keywright-1 --gold {gold} --test t",
    "graphs": "run buap {gold} -o c.jsonl",
    "train": "train me {gold} -o model",
    "tags": "run textrank {gold} -o c.jsonl",
    "embed": "run embedrank {gold} -o c.jsonl",
    "llm": "run llm {gold} -o c.jsonl --param url=http://127.0.0.1:1/v1 --param model=none",
    "marc": "extract {gold} -o c.mrc",
    "mcp": "mcp",
}
"""A command that needs each extra."""


def main() -> None:
    """Run the checks; exits with status 1 and a line at the first that fails."""
    present = [name for name in ABSENT if importlib.util.find_spec(name)]
    expect(not present, f"installed although nothing asked for it: {', '.join(present)}")
    expect(not Path(kw.__file__).is_relative_to(ROOT / "src"), "the source folder was imported, not the installation")
    os.chdir(ROOT)
    for page in FIRST_LINES:
        block = (ROOT / page).read_text("utf-8").split("```python\n", 1)[1].split("```", 1)[0]
        if block.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(block, {}, page, page, 0)
            expect(not doctest.DocTestRunner().run(test).failed, f"the first block of {page} prints something else")
        else:
            exec(compile(block, page, "exec"), {"__name__": "__main__"})  # noqa: S102 - our own document
    for name in FORMATS:
        texts = kw.extract(kw.read(ROOT / "examples" / name), top=3).texts
        expect(len(texts) == 3, f"{name} gives {texts}")  # noqa: PLR2004 - as asked for
        print(f"{name}: {'; '.join(texts)}")
    missing_extras()
    size = sum(file.stat().st_size for file in Path(sysconfig.get_path("purelib")).rglob("*") if file.is_file()) / 1e6
    expect(size < MOST_MEGABYTES, f"the core takes {size:.0f} MB, more than {MOST_MEGABYTES}")
    print(f"core alone, Python {sys.version.split()[0]}: {size:.0f} MB")


def missing_extras() -> None:
    """Check runs and scores without extras, and that what needs an extra says so in one line."""
    import tempfile  # noqa: PLC0415 - only here

    gold = ROOT / "examples" / "abstracts.jsonl"
    with tempfile.TemporaryDirectory() as folder:
        for line in (
            "run kpminer {gold} -o a.jsonl", "run tfidf {gold} -o b.jsonl",
            "compare a.jsonl b.jsonl --protocol keywright-1 --gold {gold}", "doctor",
        ):  # fmt: skip
            done = keywright(line.format(gold=gold), folder)
            expect(done.returncode == 0, f"{line}: {done.stderr}")
        for extra, line in EXTRAS.items():
            done = keywright(line.format(gold=gold), folder)
            expect(f'pip install ".[{extra}]"' in done.stderr, f"{line} says: {done.stderr}")
            expect("Traceback" not in done.stderr, done.stderr)


def keywright(line: str, folder: str) -> subprocess.CompletedProcess[str]:
    """Run the installed program."""
    command = [str(Path(sys.executable).with_name("keywright")), *line.split(), "--quiet"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def expect(condition: bool, message: str) -> None:  # noqa: FBT001 - as assert, which optimisation removes
    """Exit with the message if a condition does not hold."""
    if not condition:
        sys.exit(message)


if __name__ == "__main__":
    main()
