"""Keyphrases that are there already: exports of libraries and of other programs, tables, results of ``extract``."""

import json

import pytest

import keywright as kw
from keywright.core.errors import EmptyInput


def counts(collection):
    return {phrase.text: phrase.documents for phrase in collection.phrases}


RIS = """TY  - JOUR
ID  - r1
TI  - Soils
PY  - 2019/03/05
KW  - soil moisture
KW  - sensors
ER  -
TY  - JOUR
ID  - r2
KW  - Sensor
ER  -
"""
WOS = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Li, W
TI Soils
DE soil moisture; sensors;
   networks
PY 2019
UT WOS:1
ER

PT J
DE Sensor
PY 2020
UT WOS:2
ER

EF
"""
NBIB = "PMID- 1\nDP  - 2019 Mar\nTI  - Soils\nOT  - soil moisture\nOT  - sensors\n\nPMID- 2\nMH  - *Sensor\n"
BIB = """@article{b1, title={Soils}, year=2019, keywords={soil moisture, sensors}}
@article{b2, keywords={Sensor}}
@article{b3, broken}
"""
SCOPUS = """"Authors","Title","Year","Author Keywords","EID"
"Li","Soils",2019,"soil moisture; sensors",e1
"Li","",2020,"Sensor",e2
"""
WOS_TABLE = """PT\tAU\tTI\tDE\tID\tPY\tUT
J\tLi\tSoils\tsoil moisture; sensors\tX\t2019\tW1
J\tLi\t\tSensor\tY\t2020\tW2
"""
LONG = "id,rank,keyphrase,score,probability\na,1,soil moisture,2,0.5\na,2,sensors,1,0.5\nb,1,Sensor,1,0.5\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("export.ris", RIS), ("savedrecs.txt", WOS), ("pubmed.nbib", NBIB), ("refs.bib", BIB), ("scopus.csv", SCOPUS),
        ("table.txt", WOS_TABLE), ("keyphrases.csv", LONG),
    ],
)  # fmt: skip
def test_finished_keyphrases_of_other_programs_are_counted(tmp_path, name, text):
    (tmp_path / name).write_text(text, "utf-8")
    collection = kw.collection(tmp_path / name)
    assert collection.documents == 2
    assert counts(collection)["Sensor"] == 2
    assert counts(collection)["soil moisture"] == 1
    assert collection.failed == (name == "refs.bib")


def test_keywords_of_ris_stand_on_lines_of_their_own(tmp_path):
    """EndNote and CNKI write a tag before the first keyword only; other values go on, with blanks or without."""
    records = "TY  - JOUR\nTI  - A title\nthat goes on\nKW  - 信息素养\n行动素养\n行动素养联盟\nPY  - 2016\nER  - \n\n"
    records += "TY  - JOUR\nKW  - neural networks and\n      other machines\nloss\nER  - \n"
    path = tmp_path / "cnki.ris"
    path.write_text(records, "utf-8")
    names = ["信息素养", "行动素养", "行动素养联盟", "neural networks and other machines", "loss"]
    assert counts(kw.collection(path)) == dict.fromkeys(sorted(names, key=names.index), 1)


@pytest.mark.parametrize(
    ("fields", "column", "phrases"),
    [  # as Web of Science and Scopus write them
        (
            "Keywords-Plus = {{CITATION}}, Author-Keywords = {{h-index; Google\n   Scholar}}",
            None,
            ["Google Scholar", "h-index"],
        ),
        ("author_keywords={Bibliometrics;  R package}, keywords={Mapping}", None, ["Bibliometrics", "R package"]),
        ("author_keywords={Bibliometrics}, keywords={Mapping}", "keywords", ["Mapping"]),
        (r"keywords = {r{\'e}sum{\'e}, R\&D}", None, ["R&D", "résumé"]),
    ],
)
def test_bibtex_names_keywords_in_several_ways(tmp_path, fields, column, phrases):
    path = tmp_path / "export.bib"
    path.write_text(f"@article{{a, title = {{A}}, {fields}, year = {{2009}}}}", "utf-8")
    assert sorted(counts(kw.collection(path, phrases_column=column))) == phrases


def test_results_of_extract_are_counted(tmp_path):
    predictions = kw.extract([kw.read("examples/note.txt"), "Rain gardens hold water. A rain garden holds water."])
    collection = kw.collection(predictions)
    file = tmp_path / "results.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in predictions.to_dict()), "utf-8")
    assert kw.collection(file).to_dict() == collection.to_dict()
    (tmp_path / "results.json").write_text(json.dumps(predictions.to_dict()), "utf-8")
    assert kw.collection(tmp_path / "results.json").to_dict() == collection.to_dict()


def test_a_table_without_known_columns_names_those_it_has(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(EmptyInput) as caught:
        kw.collection(tmp_path / "t.csv")
    assert "--phrases-column" in caught.value.hint
