"""TEI, JATS and MARC as editors, archives and catalogues write them: readings, breaks in words, sets, marks."""

import pymarc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymarc import Field, Indicators, Subfield

import keywright as kw
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import EmptyInput
from keywright.core.predictions import Failure
from keywright.reading.formats import JATS, TEI, format_of
from keywright.reading.formats.jats import read_jats
from keywright.reading.formats.marc import read_marc
from keywright.reading.formats.tei import read_tei
from keywright.reading.limits import Limits

LIMITS = Limits()


def tei(body: str) -> Document:
    document = read_tei(f"<TEI><text><body>{body}</body></text></TEI>".encode(), "a.xml", LIMITS)
    assert isinstance(document, Document)
    return document


SHAPES = {  # within the sentence "The ... cools.": what is written, and what is shown
    "heat ex<lb break='no'/>changer": "heat exchanger",
    "heat ex-<lb break='no'/>changer": "heat exchanger",
    "heat ex-\n <lb n='2' break='no'/>\n changer": "heat exchanger",
    "heat ex<pb n='2'/><lb break='no'/>changer": "heat exchanger",
    "heat ex-<pb break='no'/><fw>Page 2</fw><lb/>changer": "heat exchanger",
    "heat <hi>ex-</hi><lb break='no'/>changer": "heat exchanger",
    "heat <hi><hi>ex</hi> </hi> <lb break='no'/><hi>changer</hi>": "heat exchanger",
    "heat<lb/>exchanger": "heat exchanger",
    "heat<pb/>exchanger": "heat exchanger",
    "<choice><sic>brnie</sic><corr>brine</corr></choice>": "brine",
    "<choice>\n <corr>brine</corr>\n <sic>brnie</sic>\n</choice>": "brine",
    "<choice><orig>bryne</orig><reg>brine</reg></choice>": "brine",
    "<choice><abbr>GHE</abbr><expan>ground heat exchanger</expan></choice>": "ground heat exchanger",
    "<choice><abbr>b<am>p</am></abbr><expan>b<ex>rine p</ex>ump</expan></choice>": "brine pump",
    "<choice><sic>x</sic><corr><choice><orig>bryne</orig><reg>brine</reg></choice></corr></choice>": "brine",
    "<choice><unclear>brine</unclear><unclear>bride</unclear></choice>": "brine",
    "<app><lem>brine</lem><rdg wit='#B'>bride</rdg></app>": "brine",
    "<app><rdg>brine</rdg><rdg>bride</rdg></app>": "brine",
    "<app><rdgGrp><rdg>brine</rdg></rdgGrp><rdg>bride</rdg></app>": "brine",
    "<del>bride</del><add>brine</add>": "brine",
    "br<subst>\n<del>e</del>\n<add>i</add></subst>ne": "brine",
    "<surplus>the </surplus>brine": "brine",
    "br<supplied>i</supplied><unclear>ne</unclear>": "brine",
    "<gap><desc>hole</desc></gap>brine": "brine",
    "<quote>brine</quote>": "brine",
    "<persName>Brine</persName>": "Brine",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_one_reading_is_shown(shape):
    assert tei(f"<p>The {shape} cools.</p>").text == f"The {SHAPES[shape]} cools."


@given(st.lists(st.sampled_from(sorted(SHAPES)), min_size=1, max_size=5))
def test_readings_beside_each_other(shapes):
    inner = ", ".join(shapes)
    assert tei(f"<div><p>{inner}.</p></div>").text == ", ".join(SHAPES[shape] for shape in shapes) + "."


BLOCKS = {
    "<p>One.</p>": ["One."],
    "<ab>One.</ab>": ["One."],
    "<quote>One.</quote>": ["One."],
    "<quote><p>One.</p><p>Two.</p></quote>": ["One.", "Two."],
    "<lg><l>One</l><l>Two</l></lg>": ["One", "Two"],
    "<list><item>One</item><item>Two</item></list>": ["One", "Two"],
    "<list><label>A</label><item><p>One</p></item></list>": ["A", "One"],
    "<list><item>One<list><item>Two</item></list></item></list>": ["One", "Two"],
    "<sp><speaker>ANNA</speaker><p>One.</p></sp>": ["ANNA", "One."],
    "<opener><salute>Dear <hi>Sir</hi>,</salute></opener><p>One.</p>": ["Dear Sir,", "One."],
    "<epigraph><quote>One.</quote></epigraph>": ["One."],
    "<floatingText><body><p>One.</p></body></floatingText>": ["One."],
    "<u who='#a'>One.</u><u>Two.</u>": ["One.", "Two."],
    "<castList><castItem>One</castItem><castItem>Two</castItem></castList>": ["One", "Two"],
    "<argument><p>One.</p></argument><trailer>End</trailer>": ["One.", "End"],
    "<p>He said <quote>one</quote> and <q>two</q>.</p>": ["He said one and two."],
    "<s>One.</s><s>Two.</s>": ["One.", "Two."],
}


@pytest.mark.parametrize("shape", BLOCKS)
def test_all_text_of_an_edition_is_read(shape):
    assert tei(f"<div><head>Title</head>{shape}</div>").text.split("\n\n") == ["Title", *BLOCKS[shape]]


def test_speakers_and_stage_directions_are_marked():
    document = tei("<div><stage>Enter Anna.</stage><sp><speaker>ANNA</speaker><l>Good brine.</l></sp></div>")
    assert [section.kind for section in document.sections] == [SectionKind.NOTICE]
    assert document.text == "Enter Anna.\n\nANNA\n\nGood brine."


def test_running_heads_and_notes_are_told():
    document = tei("<p>One<note>two</note>.</p><fw>Page</fw><p>Three <table><row><cell>x</cell></row></table></p>")
    assert document.text == "One.\n\nThree"
    assert document.warnings == ("left out: 1 page header, 1 note, 1 table",)


def test_a_corpus_gives_each_of_its_texts():
    text = "<TEI><text><body><p>{}</p></body></text></TEI>"
    data = f"<teiCorpus><teiHeader/>{text.format('Brine cools.')}{text.format('')}{text.format('Heat.')}</teiCorpus>"
    assert format_of(data.encode(), "x.xml") is TEI
    first, empty, last = read_tei(data.encode(), "x.xml", LIMITS)
    assert [(item.id, item.text) for item in (first, last)] == [("x.xml:1", "Brine cools."), ("x.xml:3", "Heat.")]
    assert isinstance(empty, Failure)


def test_a_corpus_without_texts_is_told():
    with pytest.raises(EmptyInput, match="a corpus without texts"):
        read_tei(b"<teiCorpus><teiHeader/></teiCorpus>", "x.xml", LIMITS)


ARTICLE = "<article article-type='a'><front><article-meta/></front><body><p>{}</p></body></article>"


@pytest.mark.parametrize("root", ["pmc-articleset", "articles", "OAI-PMH"])
def test_a_set_of_articles_gives_all_of_them(root, tmp_path):
    data = f"<?xml version='1.0'?><{root}>{ARTICLE.format('Brine cools.')}{ARTICLE.format('Heat.')}</{root}>".encode()
    assert format_of(data, "x.xml") is JATS
    (tmp_path / "x.xml").write_bytes(data)
    documents = list(kw.read_all([tmp_path / "x.xml"]))
    assert [document.text for document in documents] == ["Brine cools.", "Heat."]


def test_verses_and_speeches_of_articles_are_read():
    inner = "<verse-group><verse-line>One</verse-line></verse-group><speech><speaker>ANNA</speaker><p>Two.</p></speech>"
    data = ARTICLE.replace("<p>{}</p>", f"{inner}<p>Three <speech><p>four</p></speech></p>").encode()
    document = read_jats(data, "x.xml", LIMITS)
    assert document.text == "One\n\nANNA\n\nTwo.\n\nThree\n\nfour"
    assert [section.kind for section in document.sections] == [SectionKind.NOTICE]


def marc(title: str, *, flag: str = "a", encoding: str = "utf-8") -> Document:
    record = pymarc.Record(force_utf8=True)
    record.add_field(Field("245", Indicators("1", "4"), [Subfield("a", title)]))
    data = bytearray(record.as_marc())
    data[9] = ord(flag)
    (document,) = read_marc(bytes(data).decode("utf-8").encode(encoding), "x.mrc", LIMITS)
    return document


def test_records_in_utf8_that_say_they_are_in_marc8():
    document = marc("Café – Größe und Мера", flag=" ")
    assert document.text == "Café – Größe und Мера"
    assert document.warnings == ("the record says that it is in MARC-8, and was read as UTF-8, which its bytes are",)
    assert marc("Café").warnings == marc("Cafe", flag=" ").warnings == ()


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("\x98The \x9cheat pump", "The heat pump"),
        ("<<The>> heat pump", "The heat pump"),
        ("The heat pump ‡b a history", "The heat pump a history"),
        ("ǂa The heat pump", "The heat pump"),
        ("$a The heat pump", "The heat pump"),
        ("The |b heat pump", "The heat pump"),
        ("It costs $5 or a < b >> c", "It costs $5 or a < b >> c"),
    ],
)
def test_marks_of_filing_and_of_subfields_are_no_text(title, shown):
    assert marc(title).text == shown
