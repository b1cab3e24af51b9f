"""Thesauri in SKOS and in tables become columns of concepts."""

import gzip

import pyoxigraph
import pytest

from keywright.core.errors import BadParameter, BrokenFile, EmptyInput, UnsupportedFormat
from keywright.core.keyphrases import Concept
from keywright.extraction.vocabularies.concept_tables import is_concept_table, read_concept_table
from keywright.extraction.vocabularies.skos import rdf_format, read_skos

TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix ex: <http://ex.org/> .
ex:scheme a skos:ConceptScheme ; skos:prefLabel "Gardens"@en .
ex:trees a skos:Concept ; skos:prefLabel "trees"@en, "puut"@fi ; skos:altLabel "woody  plants"@en ;
  skos:hiddenLabel "tres"@en ; skos:notation "T1" ; skos:inScheme ex:scheme .
ex:oaks a skos:Concept ; xl:prefLabel ex:label ; skos:broader ex:trees .
ex:label xl:literalForm "oaks"@en .
ex:trees skos:narrower ex:oaks, ex:elms .
ex:elms skos:prefLabel "elms" ; skos:broader ex:missing .
ex:gone a skos:Concept ; skos:prefLabel "gone"@en ; owl:deprecated true .
ex:bare a skos:Concept .
[] a skos:Concept ; skos:prefLabel "nameless"@en .
"""
FORMATS = {
    "ttl": pyoxigraph.RdfFormat.TURTLE,
    "nt": pyoxigraph.RdfFormat.N_TRIPLES,
    "rdf": pyoxigraph.RdfFormat.RDF_XML,
    "jsonld": pyoxigraph.RdfFormat.JSON_LD,
}


def written(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path, languages=()):
    return read_skos(path, rdf_format(path.name), frozenset(languages))


def labels_of(read, uri):
    place = list(read.concepts.uris).index(uri)
    first, end = read.concepts.label_offsets[place : place + 2]
    return read.labels[first:end]


@pytest.fixture(params=[*FORMATS, "ttl.gz"])
def thesaurus(request, tmp_path):
    form = request.param.removesuffix(".gz")
    content = pyoxigraph.serialize(pyoxigraph.parse(TURTLE, pyoxigraph.RdfFormat.TURTLE), format=FORMATS[form])
    return written(tmp_path / f"garden.{request.param}", gzip.compress(content) if ".gz" in request.param else content)


def test_every_format_gives_the_same_concepts(thesaurus):
    result = read(thesaurus)
    concepts = result.concepts
    assert sorted(concepts.uris) == ["http://ex.org/elms", "http://ex.org/oaks", "http://ex.org/trees"]
    assert labels_of(result, "http://ex.org/trees") == ["trees", "puut", "woody plants", "tres"]
    assert labels_of(result, "http://ex.org/oaks") == ["oaks"]
    places = {uri: place for place, uri in enumerate(concepts.uris)}
    trees = concepts.name_concept(places["http://ex.org/trees"], result.labels, ["fi"])
    assert trees == Concept("http://ex.org/trees", "puut", "fi", "T1", "http://ex.org/scheme")
    oaks = concepts.name_concept(places["http://ex.org/oaks"], result.labels, ["fi", "sv"])
    assert oaks == Concept("http://ex.org/oaks", "oaks", "en", broader=("http://ex.org/trees",))
    elms = concepts.name_concept(places["http://ex.org/elms"], result.labels, ["fi"])
    assert (elms.label, elms.language, elms.broader) == ("elms", "", ("http://ex.org/trees",))
    assert result.left_out == {
        "concepts that are deprecated": 1,
        "concepts without a URI": 1,
        "concepts without a label": 1,
        "links to broader concepts that are not there": 1,
    }
    assert result.first["concepts without a label"] == "http://ex.org/bare"
    assert result.refused == 2


def test_labels_of_other_languages_can_be_left_out(tmp_path):
    result = read(written(tmp_path / "garden.ttl", TURTLE), ["fi"])
    assert list(result.labels) == ["puut", "elms"]
    assert result.left_out["labels in other languages"] == 7
    assert result.left_out["concepts without a label"] == 2  # the bare one, and the oaks in English


def test_repeated_and_impossible_labels_are_counted(tmp_path):
    content = (
        TURTLE
        + """ex:elms skos:prefLabel "elms" ; skos:altLabel "elms", "--", "x"@english .
    ex:oaks skos:broader ex:trees . ex:trees skos:broader ex:oaks ."""
    )
    result = read(written(tmp_path / "garden.ttl", content))
    assert labels_of(result, "http://ex.org/elms") == ["elms", "x"]
    assert result.left_out["labels there before"] == 2
    assert result.left_out["labels without letter or digit"] == 1
    assert result.first["labels without letter or digit"] == "--"
    unknown, circles = result.notes
    assert unknown == "1 labels have unknown languages, and are taken as labels without one: 'english'"
    assert circles == "2 concepts are in circles of broader concepts, which are kept: http://ex.org/trees"


@pytest.mark.parametrize(
    ("name", "damage", "first", "lost"),
    [
        ("a.ttl", b'ex:bad skos:prefLabel "unclosed@en .\n', "line 15: ", 1),
        ("a.ttl", b"ex:bad skos:prefLabel none at all .\n", "line 15: ", 1),
        ("a.ttl", b'ex:bad skos:prefLabel "\xff" .\n', "line 15: ", 1),
        ("a.nt", b"this is not a triple\n<http://ex.org/bad> .\n", "line 1: ", 2),
    ],
)
def test_broken_statements_cost_themselves(tmp_path, name, damage, first, lost):
    if name.endswith(".nt"):
        whole = pyoxigraph.serialize(pyoxigraph.parse(TURTLE, FORMATS["ttl"]), format=FORMATS["nt"])
        content = damage + whole
    else:
        content = TURTLE.encode() + damage + b'ex:after skos:prefLabel "after"@en .\n'
    result = read(written(tmp_path / name, content))
    assert result.left_out["statements that cannot be read"] == lost
    assert result.first["statements that cannot be read"].startswith(first)
    assert "http://ex.org/oaks" in list(result.concepts.uris)
    assert name.endswith(".nt") or "after" in list(result.labels)


XML = """<?xml version="1.0"?>{doctype}
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
<skos:Concept rdf:about="http://ex.org/a"><skos:prefLabel xml:lang="en">{label}</skos:prefLabel></skos:Concept>{end}"""


def test_entities_of_xml(tmp_path):
    usual = XML.format(doctype='<!DOCTYPE r [<!ENTITY x "oak">]>', label="&x; trees", end="</rdf:RDF>\n<!-- end -->\n")
    assert list(read(written(tmp_path / "a.rdf", usual)).labels) == ["oak trees"]
    for doctype in (
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE r [<!ENTITY a "aaaaaaaa"><!ENTITY x "&a;&a;&a;&a;">]>',
        "<!DOCTYPE r [<!ENTITY % x \"<!ENTITY y SYSTEM 'file:///etc/hostname'>\">]>",
    ):
        hostile = XML.format(doctype=doctype, label="&x;", end="</rdf:RDF>")
        with pytest.raises(BrokenFile, match="declares entities"):
            read(written(tmp_path / "b.rdf", hostile))


@pytest.mark.parametrize(
    ("name", "content", "error", "said"),
    [
        ("a.rdf", XML.format(doctype="", label="oak", end=""), BrokenFile, "ends before </rdf:RDF>"),
        ("a.rdf", XML.format(doctype="", label="<b", end=""), BrokenFile, "cannot be read as RDF/XML"),
        ("a.rdf", "no markup", BrokenFile, "no element of XML"),
        ("a.jsonld", '{"@context": "http://ex.org/c", "@id": "http://a"}', UnsupportedFormat, "nothing is downloaded"),
        ("a.jsonld", '{"@id": "http://a", ', BrokenFile, "cannot be read as JSON-LD: line 1"),
        ("a.ttl", "<http://a> <http://b> <http://c> .", EmptyInput, "no concepts with labels in 1 statements"),
        ("a.ttl", "", EmptyInput, "is an empty file"),
        ("a.nt", "nothing\n", EmptyInput, "1 statements that cannot be read, first line 1"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, content, error, said):
    with pytest.raises(error, match=said):
        read(written(tmp_path / name, content))


ROWS = """uri,label,language,kind,broader,notation,scheme,deprecated,shelf
http://ex.org/1,Records,en,preferred,,R1,http://ex.org/s,,
<http://ex.org/2>,"Records, Medical",en,,http://ex.org/1|http://ex.org/9,,,,
http://ex.org/2,Patient files,en,,,,,,
http://ex.org/2,Potilaskertomukset,fi,prefLabel,,,,,
http://ex.org/3,Old,en,,,,,true,
,Nothing,en,,,,,,
http://ex.org/2,Files,en,odd,,,,,
"""


def test_a_table_with_a_row_for_each_label(tmp_path):
    path = written(tmp_path / "records.csv", ROWS)
    assert is_concept_table(path)
    result = read_concept_table(path)
    assert list(result.labels) == ["Records", "Records, Medical", "Patient files", "Potilaskertomukset"]
    assert result.concepts.kinds.tolist() == [0, 0, 1, 0]
    medical = result.concepts.name_concept(1, result.labels, ["en"])
    assert medical == Concept("http://ex.org/2", "Records, Medical", "en", broader=("http://ex.org/1",))
    assert result.concepts.name_concept(0, result.labels, []).scheme == "http://ex.org/s"
    assert result.notes == ("records.csv: columns that are not read: shelf",)
    assert result.left_out == {
        "rows without a URI": 1,
        "labels of an unknown kind": 1,
        "concepts that are deprecated": 1,
        "links to broader concepts that are not there": 1,
    }
    assert result.first["labels of an unknown kind"] == "records.csv:8: odd"


def test_a_table_with_a_column_for_each_language(tmp_path):
    content = "uri,notation,label_fi,label_en\nhttp://ex.org/1,1.2,puut,trees\n"
    result = read_concept_table(written(tmp_path / "trees.csv", content), frozenset({"fi"}))
    assert list(result.labels) == ["puut"]
    assert result.concepts.name_concept(0, result.labels, ["en"]) == Concept("http://ex.org/1", "puut", "fi", "1.2")


def test_tables_without_labels(tmp_path):
    with pytest.raises(BadParameter, match="no column of labels"):
        read_concept_table(written(tmp_path / "a.csv", "uri,title\nhttp://a,x\n"))
    with pytest.raises(EmptyInput, match="no concepts with labels"):
        read_concept_table(written(tmp_path / "b.csv", "uri,label\nhttp://a,\n"))
    assert not is_concept_table(written(tmp_path / "c.csv", "label\nx\n"))
