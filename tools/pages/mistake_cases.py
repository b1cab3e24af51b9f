"""Typical mistakes, and the files that they are made with: the rows of ``docs/reference/mistakes.md``."""

import json
import shutil
from pathlib import Path
from typing import Final, NamedTuple

from tests.unit.reading.small_pdf import small_pdf

ROOT: Final = Path(__file__).parents[2]


class Mistake(NamedTuple):
    """A mistake: a command line, or a Python expression with ``kw`` imported.

    ``without``: library that is not installed where the mistake is made.
    """

    typed: str
    without: str = ""


CASES: Final[dict[str, tuple[Mistake, ...]]] = {
    "A name in the place of a text, a text in the place of a name": (
        Mistake('kw.extract("paper.pdf")'),
        Mistake('kw.extract("https://example.org/paper.html")'),
        Mistake('kw.read("paper.pfd")'),
        Mistake('kw.extract(open("note.txt"))'),
        Mistake("keywright extract 'Rain gardens hold storm water'"),
        Mistake("keywright extract https://example.org/paper.html"),
        Mistake("keywright extract paper.pfd"),
    ),
    "Values that are not one text": (
        Mistake('kw.extract("")'),
        Mistake('kw.extract(["Rain gardens hold water.", "", float("nan")], top=1)'),
        Mistake('kw.extract({"a": "Rain gardens hold water.", "b": "Glaciers melt."})'),
        Mistake('kw.extract({"title": "Rain gardens", "body": "They hold storm water."})'),
        Mistake('kw.extract(b"Rain gardens hold water.")'),
        Mistake('kw.extract({"Rain gardens hold water.", "Glaciers melt."})'),
        Mistake('kw.extract("Rain gardens hold water.", "Glaciers melt.")'),
    ),
    "Options": (
        Mistake('kw.extract("Rain gardens hold water.", n=3)'),
        Mistake('kw.extract("Rain gardens hold water.", 3)'),
        Mistake('kw.extract("Rain gardens hold water.", stop_words=["water"])'),
        Mistake('kw.extract("Rain gardens hold water.", min_probability=50)'),
        Mistake('kw.system("kpminer", cutof=3)'),
        Mistake("keywright extract paper.pdf --top -3"),
        Mistake("keywright extract paper.pdf --topp 3"),
        Mistake("keywright extract paper.pdf --system tf-idf"),
        Mistake("keywright extract paper.pdf --system nb"),
        Mistake("keywright extract paper.pdf --language english"),
        Mistake("keywright extract paper.pdf --language xx"),
        Mistake("keywright extract paper.pdf --min-probability 1.5"),
        Mistake("keywright extract paper.pdf --shard 0/4"),
    ),
    "Files that cannot be read": (
        Mistake("keywright extract empty-folder"),
        Mistake("keywright extract nothing.txt"),
        Mistake("keywright extract protected.pdf"),
        Mistake("keywright extract scan.pdf"),
        Mistake("keywright extract program.bin"),
        Mistake("keywright extract paper.pdf --input-format text"),
        Mistake("keywright extract note.txt --input-format jsonl"),
        Mistake("keywright extract broken.jsonl --format csv --top 1"),
        Mistake("keywright extract latin1.jsonl --format csv --top 1"),
        Mistake("keywright extract twice.jsonl --format csv --top 1"),
    ),
    "Tables": (
        Mistake("keywright extract table.csv"),
        Mistake("keywright extract table.csv --text-column abstrakt"),
        Mistake('kw.extract_table("table.csv", text="abstrakt")'),
        Mistake("keywright extract headings.csv --text-column abstract"),
        Mistake("keywright extract rows.csv --text-column abstract --id-column doi --format csv --top 1"),
    ),
    "Vocabularies": (
        Mistake("keywright extract note.txt --vocabulary terms.ttl"),
        Mistake("keywright extract note.txt --vocabulary table.csv"),
        Mistake("keywright extract note.txt --vocabulary stars.txt --only-vocabulary --format csv"),
    ),
    "Output": (
        Mistake("keywright extract note.txt -o keyphrases.csv"),
        Mistake("keywright extract note.txt -o keyphrases.docx"),
        Mistake("keywright extract note.txt -o missing-folder/keyphrases.csv"),
        Mistake("keywright extract note.txt --resume"),
    ),
    "Scores": (
        Mistake("keywright score run.jsonl --protocol f1"),
        Mistake("keywright score run.jsonl --protocol keywright-1 --measures F5"),
        Mistake("keywright score run.jsonl --gold others.jsonl --protocol keywright-1"),
        Mistake("keywright score abstracts.jsonl --gold run.jsonl --protocol keywright-1"),
        Mistake("keywright score paper.pdf --protocol keywright-1"),
        Mistake('kw.score({"a": ["rain garden"]}, {"b": ["rain garden"]}, "keywright-1")'),
        Mistake('kw.score({"a": "rain garden"}, {"a": ["rain garden"]}, "keywright-1")'),
        Mistake('kw.score([["rain garden"]], [["rain garden"], ["glacier"]], "keywright-1")'),
        Mistake('kw.dataset("inspek")'),
    ),
    "Installation": (
        Mistake("keywright extract note.txt --system topicrank", without="scipy"),
        Mistake("keywright extract note.txt -o note.xlsx", without="openpyxl"),
    ),
}
"""Mistakes by the heading that they are listed under."""


def write_inputs(folder: Path) -> None:
    """Write the files that the mistakes are made with."""
    examples = ROOT / "examples"
    shutil.copy(examples / "article.pdf", folder / "paper.pdf")
    for name in ("note.txt", "abstracts.jsonl"):
        shutil.copy(examples / name, folder / name)
    shutil.copy(ROOT / "tests" / "unit" / "reading" / "fixtures" / "protected.pdf", folder / "protected.pdf")
    (folder / "scan.pdf").write_bytes(small_pdf(["q 600 0 0 800 0 0 cm /I Do Q"]))
    (folder / "empty-folder").mkdir()
    (folder / "nothing.txt").touch()
    (folder / "program.bin").write_bytes(bytes(range(256)))
    first, second, third, *_ = map(json.loads, (folder / "abstracts.jsonl").read_text("utf-8").splitlines())
    lines = {
        "broken.jsonl": [json.dumps(first), '{"id": "second", "text": '],
        "twice.jsonl": [json.dumps(first), json.dumps(second | {"id": first["id"]})],
        "latin1.jsonl": [json.dumps(first), '{"id": "second", "text": "Cafés and their chairs"}'],
        "others.jsonl": [json.dumps(each | {"id": f"other-{each['id']}"}) for each in (first, second, third)],
        "table.csv": ["doi,abstract", "10.1000/1,Rain gardens hold storm water."],
        "headings.csv": ["doi,abstract"],
        "rows.csv": ["doi,abstract", "1,Rain gardens hold storm water.", "1,Glaciers melt in summer.", "2,"],
        "terms.ttl": [
            "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .",
            '<#1> skos:prefLabel "rain garden"@en .',
        ],
        "stars.txt": ["red giant", "white dwarf"],
        "keyphrases.csv": ["id,rank,keyphrase"],
    }
    for name, content in lines.items():
        text = "\n".join(content) + "\n"
        (folder / name).write_bytes(text.encode("latin-1" if name == "latin1.jsonl" else "utf-8"))
