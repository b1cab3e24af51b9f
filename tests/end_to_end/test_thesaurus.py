"""A thesaurus from its file to concepts in every kind of output."""

import csv
import io
import json

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter

ARTICLE = ROOT / "examples" / "article.txt"
TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix ex: <http://ex.org/> .
ex:moisture skos:prefLabel "soil moisture"@en, "maaperän kosteus"@fi ; skos:notation "S1" ; skos:broader ex:water .
ex:water skos:prefLabel "hydrology"@en .
ex:sensors skos:prefLabel "Networks, sensor"@en ; skos:altLabel "wireless sensor networks"@en .
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("thesaurus")
    (place / "soil.ttl").write_text(TURTLE, "utf-8")
    built = keywright("vocabulary", "build", "soil.ttl", "-o", "soil", cwd=place)
    assert built.stderr.decode().splitlines() == ["3 concepts, 5 labels, keys for 'en', 'fi': soil"]
    assert built.returncode == 0
    return place


def extracted(folder, *options: str):
    done = keywright("extract", ARTICLE, "--vocabulary", "soil", "--only-vocabulary", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_json_has_concepts_and_python_the_same(folder):
    (record,) = json.loads(extracted(folder, "--json", "--label-language", "fi", "--broader", "--quiet"))
    sensors, moisture, water = record["keyphrases"]
    assert moisture["concept"] == {
        "uri": "http://ex.org/moisture",
        "label": "maaperän kosteus",
        "language": "fi",
        "notation": "S1",
        "scheme": None,
        "broader": ["http://ex.org/water"],
    }
    assert (sensors["concept"]["label"], sensors["text"]) == ("Networks, sensor", "wireless sensor network")
    assert (water["text"], water["probability"], water["present"]) == ("hydrology", None, False)
    assert record["warnings"] == ["2 of 3 concepts have no label in 'fi': shown in en"]
    vocabulary = kw.load_vocabulary(folder / "soil")
    wanted = {"only_vocabulary": True, "label_language": "fi", "broader": True}
    prediction = kw.extract(kw.read(ARTICLE), vocabulary=vocabulary, **wanted)
    assert prediction.to_dict()["keyphrases"] == record["keyphrases"]
    extraction = kw.prepare(vocabulary=folder / "soil", **wanted)
    in_processes = [outcome for _, outcome in kw.extract_files(extraction, [ARTICLE, ARTICLE], jobs=2)]
    assert [each.keyphrases for each in in_processes] == [prediction.keyphrases] * 2
    frame = prediction.to_frame()
    assert frame["label"].tolist() == ["Networks, sensor", "maaperän kosteus", "hydrology"]


def test_tables_have_a_column_of_concepts(folder):
    rows = list(csv.DictReader(io.StringIO(extracted(folder, "--format", "csv"))))
    assert [(row["concept"], row["label"]) for row in rows] == [
        ("http://ex.org/sensors", "Networks, sensor"),  # two of its labels are in the text
        ("http://ex.org/moisture", "soil moisture"),
    ]
    wide = list(csv.DictReader(io.StringIO(extracted(folder, "--format", "csv", "--wide"))))
    assert wide[0]["concepts"] == "http://ex.org/sensors; http://ex.org/moisture"
    assert "Networks, sensor" in extracted(folder)
    assert "http://ex.org/sensors" in extracted(folder, "--format", "markdown")
    assert '<a href="http://ex.org/sensors">' in extracted(folder, "--format", "html")
    plain = keywright("extract", ARTICLE, "--format", "csv", cwd=folder).stdout.decode()
    assert "concept" not in plain.splitlines()[0]


@pytest.mark.parametrize(
    ("form", "content"),
    [
        ("jsonld", '"@id": "http://ex.org/moisture", "termCode": "S1"'),
        ("turtle", "dcterms:subject <http://ex.org/sensors>, <http://ex.org/moisture>"),
        ("marcxml", '<subfield code="0">http://ex.org/moisture</subfield>'),
        ("jats", '<kwd vocab-term-identifier="http://ex.org/sensors">Networks, sensor</kwd>'),
        ("csl", '"uri": "http://ex.org/moisture"'),
        ("ris", "KW  - Networks, sensor"),
    ],
)
def test_records_have_labels_and_uris(folder, form, content):
    assert content in extracted(folder, "--format", form)


def test_parts_of_tables_have_concepts(folder):
    done = keywright(
        "extract", ARTICLE, "--vocabulary", "soil", "--parts", "-o", "parts", "--format", "jsonl", "-q", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    (part,) = (folder / "parts").glob("*.jsonl")
    record = json.loads(part.read_text("utf-8"))
    assert record["keyphrases"][0]["concept"]["uri"] == "http://ex.org/sensors"
    (folder / "texts.csv").write_text(f'text\n"{ARTICLE.read_text("utf-8").replace(chr(34), "")}"\n', "utf-8")
    frame = kw.extract_table(folder / "texts.csv", text="text", vocabulary=folder / "soil", only_vocabulary=True)
    assert frame["concept"].tolist() == ["http://ex.org/sensors", "http://ex.org/moisture"]


def test_options_need_concepts(folder):
    with pytest.raises(BadParameter, match="label_language without a vocabulary of concepts"):
        kw.extract("Tides rise.", vocabulary=["tides"], label_language="fi")
    with pytest.raises(BadParameter, match="'finnish' is not the code of a label language; did you mean 'fi'"):
        kw.extract("Tides rise.", vocabulary=folder / "soil", label_language="finnish")


def test_a_damaged_column_is_refused(folder):
    path = folder / "soil" / "broader.i4"
    content = path.read_bytes()
    try:
        path.write_bytes(b"\xff" * len(content))
        done = keywright("extract", ARTICLE, "--vocabulary", "soil", cwd=folder)
        assert done.returncode == 3
        assert b"broader does not fit the other columns" in done.stderr
    finally:
        path.write_bytes(content)
