"""Halves of characters in ids, texts and other data are replaced where documents are made, and lose no output."""

import io
import json
import zipfile

import pytest

import keywright as kw
from keywright.core.documents import Document
from keywright.core.errors import BrokenFile
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure
from keywright.core.records import FinishedRecord
from keywright.faces.outputs.output_formats import KEYPHRASES, REVIEWED
from keywright.faces.outputs.results import Writer
from keywright.reading.formats.jsonl import document_or_failure
from keywright.reading.limits import Limits
from keywright.reading.record_lines import JsonLine

HALF = "\ud800"
META = {"title": f"Tides {HALF}", f"k{HALF}": [f"v{HALF}"], "authors": [f"A. {HALF} Bee"], "year": 1998}
DOCUMENT = Document(f"a{HALF}", f"Tide gauges {HALF} drift. Tide gauges rise.", meta=META)
FAILURE = Failure.from_error(f"b{HALF}", BrokenFile(f"{HALF} is broken", f"mend {HALF}"))


def test_they_are_replaced_once_and_told():
    assert (DOCUMENT.id, DOCUMENT.text[12], DOCUMENT.meta["title"]) == ("a\ufffd", "\ufffd", "Tides \ufffd")
    assert DOCUMENT.warnings == tuple(
        f"characters in its {name} that no encoding has were replaced by \ufffd"
        for name in ("id", "text", "other data")
    )
    assert DOCUMENT.add_warnings("another").warnings[3:] == ("another",)
    assert (FAILURE.document_id, FAILURE.message, FAILURE.hint) == ("b\ufffd", "\ufffd is broken", "mend \ufffd")


@pytest.mark.parametrize("depth", [10, 600, 900, 5_000])
def test_other_data_that_is_nested_costs_its_record(depth):
    line = b'{"id": "a", "text": "Tides.", "m": ' + b'{"a":' * depth + b"1" + b"}" * depth + b"}"
    outcome = document_or_failure(JsonLine("x", 1, line), Limits())
    assert isinstance(outcome, Document if depth == 10 else Failure)


def test_whole_characters_stay():
    text = "Tide 🌊 gauges, 潮位"
    assert Document(text, text).text == text
    assert Document(text, text).warnings == ()


WRITTEN = [form for form in dict.fromkeys((*KEYPHRASES, *REVIEWED)) if form.name != "pdf"]
"""All formats but that which marks the phrases in the PDF that was read."""


@pytest.mark.parametrize("form", WRITTEN, ids=lambda form: form.name)
def test_every_format_is_written(form):
    prediction = kw.extract(DOCUMENT, top=2)
    results = [(DOCUMENT, prediction), (None, FAILURE)]
    if form.records:
        results = [FinishedRecord(each.document_id, to_json(each.to_dict())) for _, each in results]
    writer = Writer("system", keep=("title", "k\ufffd"), reviewed="reader" if form in REVIEWED else "")
    pieces = list(writer.write(results, form))
    content = b"".join(piece.encode("utf-8") if isinstance(piece, str) else piece for piece in pieces)
    if content.startswith(b"PK"):
        content = zipfile.ZipFile(io.BytesIO(content)).read("xl/worksheets/sheet1.xml")
    assert b"Tide gauges" in content
    assert b"\\ud800" not in content


def test_every_way_in_is_clean(tmp_path):
    record = tmp_path / "a.jsonl"
    record.write_text('{"id": "a\\ud800", "text": "Tide gauges \\udfff drift.", "k\\ud800": "v"}\n')
    name = tmp_path / "caf\udce9.txt"  # a name in Latin-1
    name.write_text("Tide gauges drift.")
    predictions = kw.extract([record, name], errors="keep")
    assert [prediction.document_id[-1] for prediction in predictions] == ["\ufffd", "t"]
    json.dumps([prediction.to_dict() for prediction in predictions], ensure_ascii=False).encode("utf-8")
    assert all("replaced by" in " ".join(prediction.warnings) for prediction in predictions)
    assert kw.extract(f"Tide gauges {HALF} drift.").document_id == "text"


def test_halves_of_characters_are_answered_and_other_escapes_stay():
    """The SDK for assistants answers nothing to a line that has one."""
    server = pytest.importorskip("keywright.faces.assistants.server")
    lines = [r'"\ud800" "\\ud800" "\uD83D\uDE00" "\udc00\ud800"', r'"\n\u00e9\ud83d\ud83d\ude00"']
    stream = io.BytesIO("\n".join(lines).encode())
    read = [*iter(server._WholeCharacters(stream, encoding="utf-8").readline, "")]
    assert [line.rstrip("\n") for line in read] == [
        r'"\ufffd" "\\ud800" "\uD83D\uDE00" "\ufffd\ufffd"',
        r'"\n\u00e9\ufffd\ud83d\ude00"',
    ]
    assert server._make_result({"a": ["\ud800"]}).structured_content == {"a": ["\ufffd"]}
