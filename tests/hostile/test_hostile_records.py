"""Vocabularies in RDF and records in MARC by hostile hands: each ends with a message or is read, soon and in little."""

import json

import pymarc
import pytest
from tests.end_to_end.program import warm
from tests.hostile.cases import SECONDS, verdict

SKOS = "http://www.w3.org/2004/02/skos/core#"
ROOT = f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="{SKOS}">'
PREFIX = f"@prefix s: <{SKOS}> .\n"
OAK = '<s:Concept rdf:about="urn:oak"><s:prefLabel xml:lang="en">oaks</s:prefLabel></s:Concept>'
DEEP = 50_000  # elements in each other
HUGE = 30_000_000  # bytes of a literal


NOTE = f'<s:note rdf:parseType="Literal">{"<b>" * DEEP}{"</b>" * DEEP}</s:note>'
DEEP_JSON = f'{{"@context":{{"s":"{SKOS}"}},"s:prefLabel":"oaks","s:broader":{"[" * 200_000}{"]" * 200_000}}}'
LAUGHS = '<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {name} "{("&" + inner + ";") * 10}">' for inner, name in zip("abcdefgh", "bcdefghx", strict=True)
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/hostname">]>'


def entity(declared):
    return f"<!DOCTYPE r [{declared}]>{ROOT}{OAK.replace('oaks', '&x;')}</rdf:RDF>"


VOCABULARIES = {
    "deep.rdf": (
        ROOT
        + "".join(f'<s:Concept rdf:about="urn:{number}"><s:broader>' for number in range(DEEP))
        + OAK
        + "</s:broader></s:Concept>" * DEEP
        + "</rdf:RDF>",
        3,
        "more than 1,000 elements in each other",
    ),
    "deep-literal.rdf": (
        f'{ROOT}{OAK}<s:Concept rdf:about="urn:a">{NOTE}</s:Concept></rdf:RDF>',
        3,
        "more than 1,000 elements in each other",
    ),
    "deep.ttl": (
        f'{PREFIX}<urn:a> s:prefLabel "oaks" ; s:broader {"[ s:broader " * DEEP}<urn:b>{" ]" * DEEP} .',
        0,
        "",
    ),
    "deep-list.ttl": (f'{PREFIX}<urn:a> s:prefLabel "oaks" ; s:note {"(" * DEEP}{")" * DEEP} .', 0, ""),
    "deep.jsonld": (DEEP_JSON, 3, "Max stack size"),
    "circle.ttl": (
        PREFIX
        + '<urn:a> s:prefLabel "oaks" ; s:broader <urn:b>, <urn:a> .\n<urn:b> s:prefLabel "elms" ; s:broader <urn:a> .',
        0,
        "2 concepts are in circles",
    ),
    "unlabelled.ttl": (f"{PREFIX}<urn:a> a s:Concept .", 3, "holds no concepts with labels"),
    "languages.ttl": (
        f'{PREFIX}<urn:a> s:prefLabel "oaks"@english, "robles"@x-klingon, "Eichen"@de .',
        0,
        "2 labels have unknown languages",
    ),
    "broken-language.ttl": (
        f'{PREFIX}<urn:a> s:prefLabel "oaks"@en .\n<urn:b> s:prefLabel "elms"@123456789 .\n',
        1,
        "line 3",
    ),
    "huge.ttl": (f'{PREFIX}<urn:b> s:prefLabel "oaks" .\n<urn:a> s:prefLabel "{"x" * HUGE}" .', 1, "line 3"),
    "huge.rdf": (f"{ROOT}{OAK.replace('oaks', 'x' * HUGE)}{OAK}</rdf:RDF>", 1, "longer than 200 characters"),
    "outside.rdf": (entity('<!ENTITY x SYSTEM "file:///etc/hostname">'), 3, "declares entities"),
    "address.rdf": (entity('<!ENTITY x PUBLIC "x" "http://localhost:9/x">'), 3, "declares entities"),
    "laughs.rdf": (entity(LAUGHS), 3, "declares entities"),
    "parameter.rdf": (entity("<!ENTITY % p SYSTEM 'file:///etc/hostname'> %p;"), 3, "declares entities"),
    "context.jsonld": (
        json.dumps({"@context": "http://localhost:9/context", "@id": "urn:a", "s:prefLabel": "oaks"}),
        3,
        "takes its @context from another address",
    ),
}
"""Content, exit status, and words of the message, by file."""


def marc(leader="", text="Tides rise."):
    """Return a record in ISO 2709; its leader begins with other characters where some are given."""
    record = pymarc.Record(force_utf8=True)
    record.add_field(pymarc.Field("001", data="tides"))
    for tag, value in (("245", "Tides"), ("520", text)):
        record.add_field(pymarc.Field(tag, pymarc.Indicators(" ", " "), [pymarc.Subfield("a", value)]))
    data = record.as_marc()
    return leader.encode() + data[len(leader) :]


MARCXML = '<collection xmlns="http://www.loc.gov/MARC21/slim"><record>{}</record></collection>'
RECORDS = {
    "cut.mrc": (marc()[:-20], "bad_record"),
    "cut-leader.mrc": (marc() + b"000", "bad_record"),
    "shorter.mrc": (marc("00010") + marc(), "bad_record"),
    "longer.mrc": (marc("99999") + marc(), "bad_record"),
    "letters.mrc": (marc("abcde") + marc(), "bad_record"),
    "negative.mrc": (marc("-0099") + marc(), "bad_record"),
    "zero.mrc": (marc("00000") + marc(), "bad_record"),
    "directory.mrc": (marc().replace(b"245000", b"2459999", 1), ""),
    "not-utf8.mrc": (marc(text="Tides rise.").replace(b"rise", b"r\xffse"), "bad_record"),
    "marc8-said.mrc": (marc(text="Größe der Gezeiten").replace(b"a22", b" 22", 1), ""),
    "many.mrc": (b"00025nam a2200025 a 4500\x1d" * 20_000, ""),
    "deep.marc.xml": (MARCXML.format("<record>" * DEEP + "</record>" * DEEP).encode(), ""),
    "entity.marc.xml": (f"{OUTSIDE}{MARCXML.format('&x;')}".encode(), "broken_file"),
    "utf16-said.marc.xml": (b'<?xml version="1.0" encoding="UTF-16"?>' + MARCXML.format("").encode(), "broken_file"),
}
"""Content, and the code of a failure among the documents, by file; empty where any end without a defect will do."""


@pytest.fixture
def program():
    return warm()


def finished(program, folder, *command: str):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8", "NO_COLOR": "1"}
    return program.run(("keywright", *command), b"", str(folder), environment, seconds=SECONDS)


@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_hostile_vocabulary(name, program, tmp_path):
    content, status, words = VOCABULARIES[name]
    (tmp_path / name).write_text(content, "utf-8")
    end = finished(program, tmp_path, "vocabulary", "build", name, "-o", "index")
    errors = end.stderr.decode()
    assert verdict(end) == "", errors[-2000:]
    assert end.returncode == status, errors[-2000:]
    assert words in errors + end.stdout.decode()
    assert (tmp_path / "index").is_dir() == (status < 3)
    with (tmp_path / "note.txt").open("w", encoding="utf-8") as note:
        note.write("Old oaks grow in the park. Oaks are trees.")
    if status < 3:
        end = finished(program, tmp_path, "extract", "note.txt", "--vocabulary", "index", "--broader", "--json")
        assert (end.returncode, verdict(end)) == (0, ""), end.stderr.decode()[-2000:]


@pytest.mark.parametrize("name", RECORDS)
def test_hostile_records_of_catalogues(name, program, tmp_path):
    content, code = RECORDS[name]
    (tmp_path / name).write_bytes(content)
    end = finished(program, tmp_path, "extract", name, "--json")
    assert verdict(end) == "", end.stderr.decode()[-2000:]
    assert "localhost" not in end.stdout.decode()
    if code:
        codes = [record["error"]["code"] for record in json.loads(end.stdout) if "error" in record]
        assert code in codes, end.stdout.decode()[-2000:]
    if name in {"shorter.mrc", "letters.mrc", "negative.mrc", "zero.mrc"}:
        assert json.loads(end.stdout)[1]["id"] == "tides", "the record behind is read"
