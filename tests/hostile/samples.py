"""Well-formed input of every kind, and the command that reads it."""

import gzip
import hashlib
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet
import pymarc
from tests.unit.reading.made_by_pandoc import FORMATS, make_file

import keywright as kw
from keywright.core.saving import ARRAYS, CARD, VALUES

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = Path(__file__).parents[1] / "unit" / "reading" / "fixtures"
MAILBOX = b"From ada@example.org Mon Mar  3 10:00:00 2014\n"
ARTICLES = ("txt", "md", "html", "pdf", "docx", "jats.xml", "tei.xml")
FIXTURES = tuple(
    "answer.eml page_in_mail.eml saved_page.mht talk.vtt talk.srt notebook.ipynb news.rss two.mbox".split()
)
"""Small files of the tests of readers, and a mailbox made of them."""
TRAINED = "nb"
FIELDS = (
    {"author_keywords": ["roof tiles", "kilns"], "year": 1998},
    {"author_keywords": "roof tiles; kilns", "language": "en"},
    {"sections": [{"kind": "introduction", "text": "Tiles are fired."}, {"kind": "body", "text": "Kilns cool."}]},
    {"by": "reader", "doi": "10.1000/182", "authors": ["A. Potter"]},
    {"text": "A longer text about kilns and the tiles that are fired in them."},
    {},
)
"""Fields that records may have."""


PROTOCOLS = ("keywright-1", "kpg", "hulth2003-exact")  # protocols of several families
NAMES = (
    *(f"article.{ending}" for ending in (*ARTICLES, *FORMATS)),
    *FIXTURES,
    *("few.jsonl", "few.jsonl.gz", "few.csv", "few.xlsx", "few.parquet", "model", "calibrator", "vocabulary"),
    *("few.mrc", "few.marc.xml", "thesaurus.ttl", "thesaurus.rdf"),
    *(f"{kind} {protocol}" for kind in ("run", "gold") for protocol in PROTOCOLS),
)
"""Names of all samples."""


@dataclass(frozen=True)
class Sample:
    """Files that a command reads.

    Attributes:
        command: arguments of the program, run in the folder of the files.
        files: content by path; the first is damaged unless ``damaged`` names others.
        damaged: paths of which one is damaged.
        reseal: makes the hashes of the files right again after damage, as a forger would.
    """

    command: tuple[str, ...]
    files: Mapping[str, bytes]
    damaged: tuple[str, ...]
    reseal: Callable[[Path], None] | None = field(default=None)


def samples(folder: Path) -> dict[str, Sample]:
    """Return samples by name; ``folder`` is for what must be written first."""
    texts = {f"article.{ending}": (EXAMPLES / f"article.{ending}").read_bytes() for ending in ARTICLES}
    texts |= {f"article.{ending}": make_file(ending) for ending in FORMATS}
    texts |= {name: (SMALL / name).read_bytes() for name in FIXTURES if name != "two.mbox"}
    texts["two.mbox"] = b"\n".join(MAILBOX + texts[name] for name in ("answer.eml", "page_in_mail.eml"))
    labelled = (EXAMPLES / "labelled.jsonl").read_bytes()
    records = [json.loads(line) | FIELDS[place] for place, line in enumerate(labelled.splitlines()[:6])]
    few = "".join(json.dumps(record) + "\n" for record in records).encode()
    texts |= {"few.jsonl": few, "few.jsonl.gz": gzip.compress(few, mtime=0)}
    made = {name: _documents(name, data) for name, data in texts.items()}
    made |= {name: _table(name, data) for name, data in _tables(records).items()}
    made |= {name: _documents(name, data) for name, data in _catalogue(folder, few).items()}
    return made | _trained(folder, labelled) | _vocabulary(folder) | _thesauri() | _scored(few)


def _documents(name: str, data: bytes) -> Sample:
    return Sample(("extract", name, "--json"), {name: data}, (name,))


def _table(name: str, data: bytes) -> Sample:
    return Sample(("extract", name, "--text-column", "abstract", "--json"), {name: data}, (name,))


def _tables(records: list[dict]) -> dict[str, bytes]:
    """Return a table as CSV, XLSX and Parquet."""
    rows = [(record["id"], record["title"], record["abstract"]) for record in records]
    head = ("id", "title", "abstract")
    sheet, book = io.BytesIO(), openpyxl.Workbook()
    for row in (head, *rows):
        book.active.append(row)
    book.save(sheet)
    parquet = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(dict(zip(head, zip(*rows, strict=True), strict=True))), parquet)
    quoted = "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in (head, *rows))
    return {"few.csv": quoted.encode(), "few.xlsx": sheet.getvalue(), "few.parquet": parquet.getvalue()}


def _trained(folder: Path, labelled: bytes) -> dict[str, Sample]:
    """Return a trained system and a calibrator."""
    data = folder / "labelled.jsonl"
    data.write_bytes(labelled)
    kw.train(TRAINED, data, folder / "model")
    kw.calibrate(kw.run("kpminer", data), data).calibrator.write(folder / "calibrator.json")
    note = {"note.txt": (EXAMPLES / "note.txt").read_bytes()}
    model = {f"model/{name}": (folder / "model" / name).read_bytes() for name in (CARD, VALUES, ARRAYS)}
    calibrator = {"calibrator.json": (folder / "calibrator.json").read_bytes()}
    command = ("extract", "note.txt", "--json", "--system")
    return {
        "model": Sample((*command, "model"), model | note, tuple(model), _reseal_model),
        "calibrator": Sample(
            (*command, "kpminer", "--calibrator", "calibrator.json"),
            calibrator | note,
            ("calibrator.json",),
            _reseal_calibrator,
        ),
    }


def _vocabulary(folder: Path) -> dict[str, Sample]:
    """Return an index of a vocabulary."""
    kw.build_vocabulary(["rain gardens", "storm water", "Größe", "IL-6", "quality of service"], folder / "terms")
    index = {f"terms/{path.name}": path.read_bytes() for path in sorted((folder / "terms").iterdir())}
    note = {"note.txt": (EXAMPLES / "note.txt").read_bytes()}
    command = ("extract", "note.txt", "--json", "--vocabulary", "terms")
    return {"vocabulary": Sample(command, index | note, tuple(index), _reseal_vocabulary)}


def _catalogue(folder: Path, few: bytes) -> dict[str, bytes]:
    """Return records of catalogues, as ISO 2709 and as XML."""
    records = []
    for line in few.splitlines():
        values, record = json.loads(line), pymarc.Record(force_utf8=True)
        record.add_field(pymarc.Field("001", data=values["id"]))
        for tag, text in (("245", values["title"]), ("520", values["abstract"])):
            field = pymarc.Field(tag, pymarc.Indicators(" ", " "), [pymarc.Subfield("a", text)])
            record.add_field(field)
        records.append(record)
    writer = pymarc.XMLWriter((folder / "few.marc.xml").open("wb"))
    for record in records:
        writer.write(record)
    writer.close()
    return {
        "few.mrc": b"".join(record.as_marc() for record in records),
        "few.marc.xml": (folder / "few.marc.xml").read_bytes(),
    }


def _thesauri() -> dict[str, Sample]:
    """Return a thesaurus in Turtle and in RDF/XML."""
    skos, rdf = "http://www.w3.org/2004/02/skos/core#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    labels = ("rain gardens", "storm water", "Größe", "IL-6", "quality of service")
    turtle = f"@prefix s: <{skos}> .\n" + "".join(
        f'<urn:{number}> a s:Concept ; s:prefLabel "{label}"@en ; s:broader <urn:{number // 2}> .\n'
        for number, label in enumerate(labels)
    )
    concepts = "".join(
        f'<s:Concept rdf:about="urn:{number}"><s:prefLabel xml:lang="en">{label}</s:prefLabel></s:Concept>\n'
        for number, label in enumerate(labels)
    )
    xml = f'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="{rdf}" xmlns:s="{skos}">\n{concepts}</rdf:RDF>\n'
    files = {"thesaurus.ttl": turtle.encode(), "thesaurus.rdf": xml.encode()}
    command = ("vocabulary", "build")
    return {name: Sample((*command, name, "-o", "index"), {name: data}, (name,)) for name, data in files.items()}


def _scored(labelled: bytes) -> dict[str, Sample]:
    """Return a run and gold, each to be damaged, under the protocols of several families."""
    records = [json.loads(line) for line in labelled.splitlines()]
    phrases = {record["id"]: [str(phrase) for phrase in record["keyphrases"]] for record in records}
    run = "".join(json.dumps({"id": name, "keyphrases": listed}) + "\n" for name, listed in phrases.items()).encode()
    files = {"run.jsonl": run, "gold.jsonl": labelled}
    command = ("score", "run.jsonl", "--gold", "gold.jsonl", "--json", "--protocol")
    return {
        f"{kind} {protocol}": Sample((*command, protocol), files, (f"{kind}.jsonl",))
        for kind in ("run", "gold")
        for protocol in PROTOCOLS
    }


def _reseal_model(folder: Path) -> None:
    """Write the hash of the files into the card of a trained system."""
    values = (folder / "model" / VALUES).read_text("utf-8")
    digest = hashlib.sha256(values.encode())
    with (folder / "model" / ARRAYS).open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        for name in sorted(arrays):
            array = np.ascontiguousarray(arrays[name])
            digest.update(f"{name}{array.dtype.str}{array.shape}".encode())
            digest.update(array.tobytes())
    card = json.loads((folder / "model" / CARD).read_text("utf-8"))
    (folder / "model" / CARD).write_text(json.dumps({**card, "sha256": digest.hexdigest()}), "utf-8")


def _reseal_vocabulary(folder: Path) -> None:
    """Write the hashes of the files into the card of an index."""
    place = folder / "terms"
    card = json.loads((place / CARD).read_text("utf-8"))
    digests = {name: hashlib.sha256((place / name).read_bytes()).hexdigest() for name in card["sha256"]}
    (place / CARD).write_text(json.dumps({**card, "sha256": digests}), "utf-8")


def _reseal_calibrator(folder: Path) -> None:
    """Write the hash of the rest into the card of a calibrator."""
    record = json.loads((folder / "calibrator.json").read_text("utf-8"))
    record["card"].pop("sha256", None)
    digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
    record["card"]["sha256"] = digest
    (folder / "calibrator.json").write_text(json.dumps(record), "utf-8")
