"""Records of library catalogues become documents: by hand, from both serialisations, damaged and hostile ones."""

import io
import sys

import pymarc
import pytest
from pymarc import Field, Indicators, Subfield

import keywright as kw
from keywright.core.documents import Document
from keywright.core.errors import BadRecord, BrokenFile, MissingExtra
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.metadata_formats import encode_marc21, write_marcxml
from keywright.reading.formats import MARC, MARCXML, format_of
from keywright.reading.formats.marc import read_marc, read_marcxml
from keywright.reading.limits import Limits

ABSTRACT = "Tide gauges measure sea level. Мы измеряем уровень моря."


def record(name="b1234", title="Tide gauges :", abstract=ABSTRACT):
    made = pymarc.Record(force_utf8=True)
    made.add_field(Field("001", data=name), Field("008", data="200101s1998    gw ||||| |||| 00| 0 ger d"))
    for tag, indicators, *subfields in (
        ("024", "7 ", ("a", "10.5555/tides"), ("2", "doi")),
        ("100", "1 ", ("a", "Virtanen, Aino,"), ("e", "author.")),
        ("245", "10", ("a", title), ("b", "a history /"), ("c", "by Aino Virtanen.")),
        ("505", "0 ", ("a", "Gauges -- Floats")),
        ("520", "3 ", ("a", abstract)),
        ("650", " 7", ("a", "sea level."), ("2", "yso/fin")),
        ("653", "  ", ("a", "mareographs")),
        ("773", "0 ", ("t", "Journal of Tides.")),
    ):
        made.add_field(
            Field(tag, Indicators(*indicators), [Subfield(*subfield) for subfield in subfields if subfield[1]])
        )
    return made


def as_xml(written):
    nodes = pymarc.record_to_xml(written)
    return b'<?xml version="1.0"?><collection xmlns="http://www.loc.gov/MARC21/slim">' + nodes + b"</collection>"


@pytest.mark.parametrize("form", [MARC, MARCXML])
def test_a_record_is_a_document(form):
    data = record().as_marc() if form is MARC else as_xml(record())
    assert format_of(data, "export") is form
    (document,) = form.load()(data, "export", Limits())
    assert document.id == "b1234"
    assert document.text == f"Tide gauges: a history\n\n{ABSTRACT}\n\nGauges -- Floats"
    assert [section.kind.value for section in document.sections] == ["title", "abstract"]
    assert document.language == "de"
    assert document.meta == {
        "title": "Tide gauges: a history",
        "authors": ["Virtanen, Aino"],
        "doi": "10.5555/tides",
        "journal": "Journal of Tides",
        "year": 1998,
        "author_keywords": ["sea level", "mareographs"],
    }


def test_records_of_both_kinds_are_read_as_they_were_written():
    prediction = Prediction(
        "papers/Café.pdf",
        (Keyphrase("R&D at 5 %", 1.0), Keyphrase("أمن المعلومات", 0.5)),
        language="en",
        meta={"title": "Sets", "authors": ["Sand, A."], "doi": "10.5555/a_b{c", "journal": "J", "year": 2019},
    )
    (first,) = read_marc(encode_marc21(prediction), "x.mrc", Limits())
    (second,) = read_marcxml("".join(write_marcxml([prediction])).encode(), "x.marc.xml", Limits())
    assert first == second
    assert (first.id, first.text, first.language) == ("papers/Café.pdf", "Sets", "en")
    assert first.meta == prediction.meta  # keyphrases that a machine made are not the document's own
    (reviewed,) = read_marc(encode_marc21(prediction, reviewed=True), "x.mrc", Limits())
    assert reviewed.meta["author_keywords"] == list(prediction.texts)


def test_marc_8_is_read():
    data = record(title="Maree /").as_marc().replace(b"Maree", b"Mar\xe2e")  # a combining acute before the letter
    data = data[:9] + b" " + data[10:]
    (document,) = read_marc(data, "x.mrc", Limits())
    assert document.meta["title"].startswith("Maré")


def test_a_damaged_record_costs_itself_and_one_without_words_too():
    good = record().as_marc()
    damaged = good[:12] + b"99999" + good[17:]  # the fields begin behind the end
    bare = record("b2", title="", abstract="").as_marc().replace(b"a history /", b".......... ")
    bare = bare.replace(b"Gauges -- Floats", b"." * 16)
    outcomes = list(read_marc(good + damaged + bare + good, "x.mrc", Limits()))
    assert [type(outcome) for outcome in outcomes] == [Document, Failure, Failure, Document]
    assert (outcomes[1].document_id, outcomes[1].code) == ("x.mrc:2", "bad_record")
    assert (outcomes[2].document_id, outcomes[2].code) == ("b2", "empty_input")


def test_a_file_that_ends_within_a_record_says_so(tmp_path):
    whole = record().as_marc()
    (tmp_path / "x.mrc").write_bytes(whole + whole[:-40])
    first, second = kw.read_all([tmp_path / "x.mrc"])
    assert (first.id, second.code) == ("b1234", "bad_record")
    with pytest.raises(BadRecord, match=r"record 2 of .* is damaged"):
        kw.read(tmp_path / "x.mrc")


def test_a_wrong_length_costs_its_record_only():
    first, second = record("a").as_marc(), record("b").as_marc()
    for wrong in (b"00000", b"-0099", b"abcde", b"00010"):
        damaged, document = read_marc(wrong + first[5:] + second, "x.mrc", Limits())
        assert (damaged.document_id, damaged.code, document.id) == ("x.mrc:1", "bad_record", "b")


def test_line_ends_between_records_are_not_records():
    data = record("a").as_marc() + b"\r\n" + record("b").as_marc() + b"\n"
    assert [document.id for document in read_marc(data, "x.mrc", Limits())] == ["a", "b"]


def test_hostile_xml_is_refused_as_in_other_formats():
    bomb = b'<!DOCTYPE x [<!ENTITY a "tides">]>' + as_xml(record()).partition(b"?>")[2]
    with pytest.raises(BrokenFile, match="declares entities"):
        list(read_marcxml(bomb, "x", Limits()))


def test_bytes_have_a_type():
    assert kw.read(record().as_marc(), type="marc").id == "b1234"
    assert kw.read(io.BytesIO(as_xml(record())), type="application/marcxml+xml").id == "b1234"


def test_without_pymarc_one_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymarc", None)
    with pytest.raises(MissingExtra, match="MARC needs the package pymarc"):
        list(read_marc(b"00000", "x.mrc", Limits()))


def test_odd_indicators_are_read_without_a_word_on_standard_error(capfd):
    data = record().as_marc().replace(b"\x1e0 \x1ftJournal", b"\x1e00 \x1ftJourna")
    (document,) = read_marc(data, "x.mrc", Limits())
    assert document.meta["journal"].startswith("Journa")
    assert capfd.readouterr() == ("", "")
