"""Bibliographic records as programs of libraries and publishers read them, from ordinary and from nasty documents."""

import io
import json
import re
import sys

import bibtexparser
import pymarc
import pyoxigraph
import pytest
import rispy
from lxml import etree
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

from keywright.core.errors import MissingExtra, TooLarge
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.citation_formats import CitationKeys, write_bibtex, write_csl_json, write_ris
from keywright.faces.outputs.metadata_formats import (
    LONGEST_FIELD,
    LONGEST_RECORD,
    encode_marc21,
    write_dublin_core,
    write_jats,
    write_json_ld,
    write_marcxml,
    write_turtle,
)

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
    library = bibtexparser.parse_string("".join(write_bibtex(OUTCOMES)))
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
    text = "".join(write_bibtex(OUTCOMES))
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
    first, second = rispy.loads("".join(write_ris(OUTCOMES)))
    assert (first["type_of_reference"], first["id"]) == ("JOUR", "papers/Café {1}.pdf")
    assert (first["title"], first["year"], first["doi"]) == (TITLE, "2019", "10.5555/a_b{c")
    assert first["authors"][:3] == ["García Márquez, Gabriel", "Sense and Sound, The Group", "ليلى حسن"]
    assert first["keywords"] == PHRASES
    assert second == {"type_of_reference": "GEN", "id": "papers/cafe {1}.pdf", "keywords": ["tides"]}


def test_json_ld():
    first, second = json.loads("".join(write_json_ld(OUTCOMES)))["@graph"]
    assert first["keywords"] == [
        {"@type": "DefinedTerm", "name": "R&D at 5 %", "probability": 0.5},
        {"@type": "DefinedTerm", "name": "IL-6, human", "probability": 0.25},
        {"@type": "DefinedTerm", "name": "أمن المعلومات"},
    ]
    assert first["author"][:2] == [
        {"@type": "Person", "name": "Gabriel García Márquez", "familyName": "García Márquez", "givenName": "Gabriel"},
        {"name": "Sense and Sound, The Group"},
    ]
    assert (first["@type"], first["name"], first["datePublished"]) == ("ScholarlyArticle", TITLE, "2019")
    assert first["isPartOf"] == {"@type": "Periodical", "name": "Science & Technology"}
    keywords = [{"@type": "DefinedTerm", "name": "tides"}]
    assert second == {"@type": "ScholarlyArticle", "identifier": "papers/cafe {1}.pdf", "keywords": keywords}


def test_jats():
    first, second = etree.fromstring("".join(write_jats(OUTCOMES)).encode()).findall("article")
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
    root = etree.fromstring("".join(write_dublin_core(OUTCOMES)).encode())
    first, second = (part for part in root if isinstance(part.tag, str))
    assert [subject.text for subject in first.findall(f"{DC}subject")] == PHRASES
    assert first.findtext(f"{DC}creator") == "García Márquez, Gabriel"
    assert first.findtext(f"{DC}identifier") == "https://doi.org/10.5555/a_b%7Bc"
    assert [part.tag.removeprefix(DC) for part in second] == ["subject", "identifier"]


def marc_values(record: pymarc.Record, *tags: str) -> list[str]:
    """Fields as a cataloguer writes them: tag, indicators with # for blanks, subfields after $."""
    return [
        f"{field.tag} {''.join(field.indicators).replace(' ', '#')} "
        + "".join(f"${code}{value}" for code, value in field.subfields)
        for field in record.get_fields(*tags)
    ]


def read_by_pymarc(kind: str) -> list[pymarc.Record]:
    if kind == "binary":
        return list(pymarc.MARCReader(encode_marc21(NASTY) + encode_marc21(BARE)))
    return pymarc.parse_xml_to_array(io.BytesIO("".join(write_marcxml(OUTCOMES)).encode()))


@pytest.mark.parametrize("kind", ["binary", "xml"])
def test_marc(kind):
    first, second = read_by_pymarc(kind)
    assert [field.data for field in (first["001"], second["001"])] == ["papers/Café {1}.pdf", "papers/cafe {1}.pdf"]
    leaders = [str(record.leader) for record in (first, second)]
    assert [leader[5:12] + leader[17:] for leader in leaders] == ["naa a223u 4500", "nam a223u 4500"]
    assert marc_values(first, "024", "041", "100", "245", "264", "773") == [
        "024 7# $a10.5555/a_b{c$2doi",
        "041 #7 $aen$2iso639-1",
        "100 1# $aGarcía Márquez, Gabriel",
        f"245 10 $a{TITLE}",
        "264 #1 $c2019",
        "773 0# $tScience & Technology",
    ]
    assert marc_values(first, "653", "883") == [
        "653 ## $81\\p$aR&D at 5 %",
        "653 ## $82\\p$aIL-6, human",
        "653 ## $83\\p$aأمن المعلومات",
        "883 0# $81\\p$akeywright 0.2.0$c0.5000",
        "883 0# $82\\p$akeywright 0.2.0$c0.2500",
        "883 0# $83\\p$akeywright 0.2.0",
    ]
    assert marc_values(first, "700", "720") == [
        "700 1# $aSand, Anders and",
        "720 ## $aSense and Sound, The Group",
        "720 ## $aليلى حسن",
    ]
    assert [field.tag for field in second.fields] == ["001", "653", "883"]


def test_a_record_that_is_too_long_for_marc_is_refused_and_fits_in_xml():
    # 2 bytes of indicators, $8 with 5 bytes, $a with 2, and a terminator: 10 bytes beside the text
    longest = "x" * (LONGEST_FIELD - 10)
    (record,) = pymarc.MARCReader(encode_marc21(Prediction("a", (Keyphrase(longest, 1.0),))))
    assert record["653"]["a"] == longest
    with pytest.raises(TooLarge, match=r"^field 653 would have 10,000 bytes; ISO 2709 allows 9,999"):
        encode_marc21(Prediction("a", (Keyphrase(longest + "x", 1.0),)))
    many = Prediction("a", tuple(Keyphrase(f"{number} " + "é" * 4_000, 1.0) for number in range(20)))
    with pytest.raises(TooLarge, match=r"^the MARC record would have 16\d,\d{3} bytes; ISO 2709 allows 99,999"):
        encode_marc21(many)
    (record,) = pymarc.parse_xml_to_array(io.BytesIO("".join(write_marcxml([many])).encode()))
    assert [field["a"] for field in record.get_fields("653")] == list(many.texts)
    assert len(encode_marc21(Prediction("a", many.keyphrases[:11]))) <= LONGEST_RECORD


def test_delimiters_of_marc_within_a_text_are_no_fields():
    (record,) = pymarc.MARCReader(encode_marc21(Prediction("a\x1eb", (Keyphrase("tide\x1fa gauge\x1e653\x1d", 1.0),))))
    assert (record["001"].data, record["653"]["a"]) == ("ab", "tidea gauge653")


def test_csl_json():
    first, second = json.loads("".join(write_csl_json(OUTCOMES)))
    assert (first["type"], first["title"], first["DOI"]) == ("article-journal", TITLE, "10.5555/a_b{c")
    assert first["author"] == [
        {"family": "García Márquez", "given": "Gabriel"},
        {"literal": "Sense and Sound, The Group"},
        {"literal": "ليلى حسن"},
        {"family": "Sand", "given": "Anders and"},
    ]
    assert (first["issued"], first["container-title"]) == ({"date-parts": [[2019]]}, "Science & Technology")
    assert first["keyword"] == "R&D at 5 %; IL-6, human; أمن المعلومات"
    assert first["custom"]["keyphrases"][:2] == [
        {"text": "R&D at 5 %", "probability": 0.5},
        {"text": "IL-6, human", "probability": 0.25},
    ]
    custom = {"keyphrases": [{"text": "tides", "probability": None}]}
    assert second == {"id": "papers/cafe {1}.pdf", "type": "document", "keyword": "tides", "custom": custom}


def test_turtle():
    store = pyoxigraph.Store()
    store.load("".join(write_turtle(OUTCOMES)), format=pyoxigraph.RdfFormat.TURTLE)
    about = """
        PREFIX dc: <http://purl.org/dc/elements/1.1/> PREFIX dcterms: <http://purl.org/dc/terms/>
        PREFIX schema: <https://schema.org/>
        SELECT ?value WHERE { ?document dcterms:identifier "%s" ; %s ?value }"""

    def values(document: str, path: str) -> set[str]:
        return {str(row["value"]) for row in store.query(about % (document, path))}

    assert values("papers/Café {1}.pdf", "dc:subject") == {f'"{phrase}"@en' for phrase in PHRASES}
    assert values("papers/Café {1}.pdf", "dcterms:title") == {f'"{TITLE}"'.replace("\\", "\\\\")}
    assert values("papers/Café {1}.pdf", "schema:keywords/<urn:keywright:probability>") == {
        '"0.5"^^<http://www.w3.org/2001/XMLSchema#double>',
        '"0.25"^^<http://www.w3.org/2001/XMLSchema#double>',
    }
    assert values("papers/Café {1}.pdf", "dcterms:issued") == {'"2019"^^<http://www.w3.org/2001/XMLSchema#gYear>'}
    assert values("papers/cafe {1}.pdf", "dc:subject") == {'"tides"'}
    article = "https://schema.org/ScholarlyArticle"
    nodes = {str(row["node"]) for row in store.query(f"SELECT ?node WHERE {{ ?node a <{article}> }}")}
    assert "<https://doi.org/10.5555/a_b%7Bc>" in nodes
    assert len(nodes) == 2


def test_a_quote_or_a_damaged_language_ends_no_literal():
    phrase = 'tides" . <urn:x> <urn:y> "z\\'
    text = "".join(write_turtle([Prediction("a", (Keyphrase(phrase, 1.0),), language="en . <urn:x>")]))
    objects = {quad.object.value for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)}
    assert phrase in objects
    assert not any(
        str(quad.subject) == "<urn:x>" for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)
    )


def test_without_pymarc_one_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymarc", None)
    with pytest.raises(MissingExtra, match=r"^MARC needs the package pymarc, which is not installed"):
        "".join(write_marcxml([]))


def test_failures_in_xml_are_comments():
    root = etree.fromstring("".join(write_dublin_core(OUTCOMES)).encode())
    comments = [part.text for part in root if part.tag is etree.Comment]
    assert comments == [" b - ->.pdf: it is - - - damaged @article{x, } "]


@pytest.mark.parametrize("write", [write_bibtex, write_ris, write_marcxml, write_jats, write_dublin_core])
def test_no_document_at_all(write):
    text = "".join(write([]))
    assert not text or len(etree.fromstring(text.encode())) == 0


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("out.bib", "@article{"),
        ("out.ris", "TY  - JOUR\n"),
        ("out.jsonld", '{"@context": ["https://schema.org"'),
        ("out.csl.json", '[\n{"id": '),
        ("out.ttl", "@prefix dc: "),
        ("out.mrc", "00"),
        ("out.marc.xml", "<?xml"),
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
    assert ("none.txt" in text) == (name in {"out.bib", "out.ttl", "out.marc.xml", "out.jats.xml", "out.dc.xml"})
    if name == "out.jsonld":
        assert [node["datePublished"] for node in json.loads(text)["@graph"]] == ["2019"]


def test_xml_alone_does_not_say_the_format(tmp_path):
    note = ROOT / "examples" / "note.txt"
    done = keywright("extract", note, "-o", tmp_path / "out.xml", "-s", "firstphrases")
    assert done.returncode == 2
    assert b"add --format marcxml or --format jats or --format dc, or end the name in .marc.xml" in done.stderr
    done = keywright("extract", note, "-o", tmp_path / "out.xml", "-f", "dc", "-s", "firstphrases")
    assert (done.returncode, b"<oai_dc:dc>" in (tmp_path / "out.xml").read_bytes()) == (0, True)
    assert keywright("extract", note, "-f", "xml").returncode == 2
    assert keywright("extract", note, "-f", "md", "-s", "firstphrases").stdout.startswith(b"| rank")


def test_a_document_that_does_not_fit_in_marc_is_told_and_costs_itself_only(tmp_path):
    records = [
        {"id": "long", "title": "T" * 10_000, "abstract": "Tide gauges."},
        {"id": "short", "text": "Tide gauges."},
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, records)), "utf-8")
    done = keywright("extract", tmp_path / "in.jsonl", "-s", "firstphrases", "-o", tmp_path / "out.mrc")
    message = re.sub(r"\s+", " ", done.stderr.decode())
    assert (done.returncode, "long: field 245 would have 10,005 bytes; ISO 2709 allows 9,999" in message) == (1, True)
    (record,) = pymarc.MARCReader((tmp_path / "out.mrc").read_bytes())
    assert record["001"].data == "short"
