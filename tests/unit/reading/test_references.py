"""Bibliographies: RIS, MEDLINE, Web of Science and BibTeX, whose records are documents with keywords and citations."""

from pathlib import Path

import pytest

import keywright as kw
from keywright.core.documents import SectionKind
from keywright.core.errors import EmptyInput
from keywright.reading.sources import Unread

ABSTRACT = "Reefs bleach in marine heatwaves, and recover slowly."
RIS = f"""TY  - JOUR
AU  - Lee, Ann
AU  - Roy, Jo
TI  - Coral bleaching
 and heat
AB  - {ABSTRACT}
KW  - corals
KW  - heat
PY  - 2020/03/01
LA  - en
JO  - Reef Studies
DO  - 10.1000/x
ER  -
"""
NBIB = f"""PMID- 17
TI  - Coral bleaching
      and heat
AB  - {ABSTRACT[:22]}
      {ABSTRACT[23:]}
FAU - Lee, Ann
AU  - Lee A
FAU - Roy, Jo
LA  - eng
DP  - 2020 Mar
JT  - Reef Studies
DO  - 10.1000/x
OT  - corals
OT  - heat
"""
WOS = f"""FN Clarivate Analytics Web of Science
VR 1.0
PT J
AF Lee, Ann
   Roy, Jo
TI Coral bleaching
   and heat
AB {ABSTRACT}
DE corals; heat
LA English
SO Reef Studies
PY 2020
DI 10.1000/x
ER

EF
"""
BIB = rf"""% Encoding: UTF-8
@article{{lee2020, title = {{{{C}}oral bleaching and heat}}, author = {{Lee, Ann and
  Roy, Jo}}, abstract = {{{ABSTRACT}}}, keywords = {{corals, heat}}, year = 2020, journal = {{Reef Studies}},
  doi = {{10.1000/x}}, language = {{en}}}}
"""
FILES = {"a.ris": RIS, "a.nbib": NBIB, "savedrecs.txt": WOS, "a.bib": BIB, "a.ciw": WOS, "references": BIB[18:]}


@pytest.mark.parametrize("name", FILES)
def test_a_record_is_a_document_with_its_keywords_and_citation(tmp_path: Path, name: str):
    path = tmp_path / name
    path.write_text(FILES[name], "utf-8")
    document = kw.read(path)
    assert document.text == f"Coral bleaching and heat\n\n{ABSTRACT}"
    assert document.section(SectionKind.ABSTRACT) == ABSTRACT
    assert document.language in {"en", None}
    assert document.meta["author_keywords"] == ["corals", "heat"]
    assert document.meta["authors"] == ["Lee, Ann", "Roy, Jo"]
    cited = {key: document.meta[key] for key in ("title", "journal", "year", "doi")}
    assert cited == {"title": "Coral bleaching and heat", "journal": "Reef Studies", "year": 2020, "doi": "10.1000/x"}


def test_each_record_has_its_own_keyphrases_and_a_broken_one_costs_itself(tmp_path: Path):
    (tmp_path / "a.bib").write_text(f"{BIB}@book{{b2, title = {{Soil moisture}}}}\n@article{{b3, broken}}\n", "utf-8")
    failure, first, second = Unread(tmp_path / "a.bib", "a.bib").documents()
    assert (failure.document_id, failure.message) == ("a.bib:6", "a.bib:6: the entry cannot be read")
    assert (first.id, second.id, second.text) == ("lee2020", "b2", "Soil moisture")


def test_what_stands_before_the_first_entry_is_a_remark(tmp_path: Path):
    (tmp_path / "a.bib").write_text(f"Written by a program.\n\n{BIB}", "utf-8")
    assert kw.read(tmp_path / "a.bib").id


def test_a_mark_before_web_of_science_and_a_note_on_a_patient(tmp_path: Path):
    (tmp_path / "savedrecs.txt").write_text(WOS, "utf-8-sig")
    assert {phrase.text for phrase in kw.collection(tmp_path / "savedrecs.txt").phrases} == {"corals", "heat"}
    (tmp_path / "note.txt").write_text("PT A was seen today. FN unknown.", "utf-8")
    assert kw.read(tmp_path / "note.txt").text == "PT A was seen today. FN unknown."


def test_a_column_that_is_no_list_of_phrases_costs_nothing(tmp_path: Path):
    (tmp_path / "a.bib").write_text(BIB, "utf-8")
    assert kw.collection(tmp_path / "a.bib", phrases_column="year").documents == 1


def test_records_without_words_say_so(tmp_path: Path):
    (tmp_path / "a.ris").write_text("TY  - JOUR\nKW  - corals\nER  - \n", "utf-8")
    prediction = kw.extract(kw.read(tmp_path / "a.ris"))
    assert not prediction.keyphrases
    assert "no keyphrase" in prediction.warnings[0]


def test_keywords_of_records_are_counted_and_others_extracted(tmp_path: Path):
    (tmp_path / "a.ris").write_text(f"{RIS}TY  - JOUR\nTI  - Soil moisture\nER  -\n", "utf-8")
    collection = kw.collection(tmp_path / "a.ris")
    assert {phrase.text for phrase in collection.phrases} == {"corals", "heat", "Soil moisture"}


def test_an_older_encoding_is_told(tmp_path: Path):
    (tmp_path / "a.ris").write_bytes("TY  - JOUR\nTI  - Die Größe der Bäume über dem Moor\nER  -\n".encode("cp1252"))
    document = kw.read(tmp_path / "a.ris")
    assert document.text == "Die Größe der Bäume über dem Moor"
    assert document.warnings == ("it is not UTF-8 and was read as cp1252",)


@pytest.mark.parametrize("name", ["a.ris", "a.bib"])
def test_a_file_without_records(tmp_path: Path, name: str):
    (tmp_path / name).write_text("No record here.\n", "utf-8")
    with pytest.raises(EmptyInput, match="holds no record"):
        kw.read(tmp_path / name)
