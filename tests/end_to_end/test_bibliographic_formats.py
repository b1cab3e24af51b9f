"""Bibliographic records as programs of libraries and publishers read them, from ordinary and from nasty documents."""

import json

import bibtexparser
import pytest
import rispy
from lxml import etree
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

from keywright.core.predictions import Failure, Keyphrase, Prediction
from keywright.faces.bibliography.bibtex import CitationKeys, bibtex
from keywright.faces.bibliography.json_ld import articles
from keywright.faces.bibliography.ris import ris
from keywright.faces.bibliography.xml_records import dublin_core, jats

DC = "{http://purl.org/dc/elements/1.1/}"
NASTY = Prediction(
    "papers/Café {1}.pdf",
    (Keyphrase("R&D at 5 %", 2.0, 0.5), Keyphrase("IL-6, human", 1.0, 0.25), Keyphrase("أمن المعلومات", 0.5)),
    language="en",
    meta={
        "title": "Sets {a, b}\n with x_1 < $2 & 3 # \\alpha ~ ^\x07\nER  - \nTY  - BOOK",
        "authors": ["García Márquez, Gabriel", {"name": "Sense and Sound, The Group"}, "ليلى حسن", "Sand, Anders and"],
        "doi": "10.5555/a_b{c",
        "journal": "Science & Technology",
        "year": 2019,
    },
)
BARE = Prediction("papers/cafe {1}.pdf", (Keyphrase("tides", 1.0),))
FAILURE = Failure("b -->.pdf", "broken_file", "it is --- damaged @article{x,\n}", "get it again")
OUTCOMES = (NASTY, FAILURE, BARE)
TITLE = "Sets {a, b} with x_1 < $2 & 3 # \\alpha ~ ^ ER - TY - BOOK"
PHRASES = ["R&D at 5 %", "IL-6, human", "أمن المعلومات"]


def test_bibtex():
    library = bibtexparser.parse_string("".join(bibtex(OUTCOMES)))
    assert library.failed_blocks == []
    first, second = library.entries
    assert (first.entry_type, first.key) == ("article", "papers-Cafe-1-.pdf")
    fields = {field.key: field.value for field in first.fields}
    assert fields == {
        "title": "Sets \\textbraceleft{}a, b\\textbraceright{} with x\\_1 < \\$2 \\& 3 \\# \\textbackslash{}alpha "
        "\\textasciitilde{} \\textasciicircum{} ER - TY - BOOK",
        "author": "García Márquez, Gabriel and {Sense and Sound, The Group} and ليلى حسن and {Anders and Sand}",
        "journal": "Science \\& Technology",
        "year": "2019",
        "doi": "10.5555/a_b%7Bc",
        "language": "en",
        "document": "papers/Café \\textbraceleft{}1\\textbraceright{}.pdf",
        "keywords": "R\\&D at 5 \\%, {IL-6, human}, أمن المعلومات",
    }
    assert (second.entry_type, second.key) == ("misc", "papers-cafe-1-.pdf-2")
    assert [field.key for field in second.fields] == ["document", "keywords"]


def test_braces_of_bibtex_balance():
    text = "".join(bibtex(OUTCOMES))
    assert text.count("{") == text.count("}")
    assert "% b -->.pdf: it is --- damaged (at)article{x, }\n" in text


def test_citation_keys():
    keys = CitationKeys()
    ids = ["a.pdf", "A.pdf", "أطروحة", "论文", "a/b c.pdf", "a-b-c.pdf", "", "10.5555/x(1)", "a.pdf-2"]
    made = [keys.key(name) for name in ids]
    assert made == [
        "a.pdf", "A.pdf-2", "document", "document-2", "a-b-c.pdf", "a-b-c.pdf-2", "document-3", "10.5555-x-1",
        "a.pdf-2-2",
    ]  # fmt: skip


def test_ris():
    first, second = rispy.loads("".join(ris(OUTCOMES)))
    assert (first["type_of_reference"], first["id"]) == ("JOUR", "papers/Café {1}.pdf")
    assert (first["title"], first["year"], first["doi"]) == (TITLE, "2019", "10.5555/a_b{c")
    assert first["authors"][:3] == ["García Márquez, Gabriel", "Sense and Sound, The Group", "ليلى حسن"]
    assert first["keywords"] == PHRASES
    assert second == {"type_of_reference": "GEN", "id": "papers/cafe {1}.pdf", "keywords": ["tides"]}


def test_json_ld():
    first, second = json.loads(json.dumps(list(articles(OUTCOMES))))
    assert first["keywords"] == [
        {"@type": "DefinedTerm", "name": "R&D at 5 %", "probability": 0.5},
        {"@type": "DefinedTerm", "name": "IL-6, human", "probability": 0.25},
        {"@type": "DefinedTerm", "name": "أمن المعلومات"},
    ]
    assert first["author"][:2] == [
        {
            "@type": "Person",
            "name": "Gabriel García Márquez",
            "familyName": "García Márquez",
            "givenName": "Gabriel",
        },
        {"name": "Sense and Sound, The Group"},
    ]
    assert (first["@type"], first["name"], first["datePublished"]) == ("ScholarlyArticle", TITLE, "2019")
    assert first["isPartOf"] == {"@type": "Periodical", "name": "Science & Technology"}
    keywords = [{"@type": "DefinedTerm", "name": "tides"}]
    assert second == {"@type": "ScholarlyArticle", "identifier": "papers/cafe {1}.pdf", "keywords": keywords}


def test_jats():
    first, second = etree.fromstring("".join(jats(OUTCOMES)).encode()).findall("article")
    meta = first.find("front/article-meta")
    assert [part.tag for part in meta] == [
        *("article-id", "article-id", "title-group", "contrib-group", "pub-date", "kwd-group")
    ]
    assert meta.findtext("title-group/article-title") == TITLE
    assert [kwd.text for kwd in meta.iter("kwd")] == PHRASES
    assert meta.findtext("contrib-group/contrib/name/surname") == "García Márquez"
    assert meta.find("kwd-group").attrib == {
        "kwd-group-type": "generated",
        "{http://www.w3.org/XML/1998/namespace}lang": "en",
    }
    assert first.findtext("front/journal-meta/journal-title-group/journal-title") == "Science & Technology"
    assert [part.text for part in second.find("front/article-meta").iter("article-id", "kwd")] == [
        *("papers/cafe {1}.pdf", "tides")
    ]


def test_dublin_core():
    root = etree.fromstring("".join(dublin_core(OUTCOMES)).encode())
    first, second = (part for part in root if isinstance(part.tag, str))
    assert [subject.text for subject in first.findall(f"{DC}subject")] == PHRASES
    assert first.findtext(f"{DC}creator") == "García Márquez, Gabriel"
    assert first.findtext(f"{DC}identifier") == "https://doi.org/10.5555/a_b{c"
    assert [part.tag.removeprefix(DC) for part in second] == ["subject", "identifier"]


def test_failures_in_xml_are_comments():
    root = etree.fromstring("".join(dublin_core(OUTCOMES)).encode())
    comments = [part.text for part in root if part.tag is etree.Comment]
    assert comments == [" b - ->.pdf: it is - - - damaged @article{x, } "]


@pytest.mark.parametrize("write", [bibtex, ris, jats, dublin_core])
def test_no_document_at_all(write):
    text = "".join(write([]))
    assert not text or len(etree.fromstring(text.encode())) == 0


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("out.bib", "@article{"),
        ("out.ris", "TY  - JOUR\n"),
        ("out.jsonld", '{"@context": ["https://schema.org"'),
        ("out.jats.xml", "<?xml"),
        ("out.dc.xml", "<?xml"),
    ],
)
def test_the_ending_decides_and_failures_are_told(tmp_path, name, start):
    files = [ROOT / "examples" / "article.jats.xml", tmp_path / "none.txt"]
    done = keywright("extract", *files, "-s", "firstphrases", "-n", "2", "-o", tmp_path / name)
    assert (done.returncode, b"none.txt" in done.stderr) == (1, True)
    text = (tmp_path / name).read_text("utf-8")
    assert text.startswith(start)
    assert ("none.txt" in text) == (name in {"out.bib", "out.jats.xml", "out.dc.xml"})
    if name == "out.jsonld":
        assert [node["datePublished"] for node in json.loads(text)["@graph"]] == ["2019"]


def test_xml_alone_does_not_say_the_format(tmp_path):
    note = ROOT / "examples" / "note.txt"
    done = keywright("extract", note, "-o", tmp_path / "out.xml", "-s", "firstphrases")
    assert done.returncode == 2
    assert b"add --format jats or --format dc, or end the name in .jats.xml or .dc.xml" in done.stderr
    done = keywright("extract", note, "-o", tmp_path / "out.xml", "-f", "dc", "-s", "firstphrases")
    assert (done.returncode, b"<oai_dc:dc>" in (tmp_path / "out.xml").read_bytes()) == (0, True)
    assert keywright("extract", note, "-f", "xml").returncode == 2
    assert keywright("extract", note, "-f", "md", "-s", "firstphrases").stdout.startswith(b"| rank")
