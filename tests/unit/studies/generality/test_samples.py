"""Samples of collections, read as plain text."""

import json
from hashlib import sha256

import pytest

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind, Style
from keywright.core.errors import BadParameter, UnknownName
from studies.generality.collections import COLLECTIONS, Collection, collection, documents, sample, whole
from studies.training_data.examples import as_plain_text

GOLD = (GoldKeyphrase(("grid",), "author"),)


def test_fields_become_paragraphs_that_the_reader_finds_again():
    text = "Grids.\nWe show grids.\ngrid, fair\nBody of grids."
    marked = (
        Section(SectionKind.TITLE, 0, 6),
        Section(SectionKind.ABSTRACT, 7, 21),
        Section(SectionKind.KEYWORDS, 22, 32),
    )
    plain = as_plain_text(Document("1", text, marked, language="en", meta={"source": "x"}))
    assert plain.text == "Grids.\n\nWe show grids.\n\nBody of grids."
    assert (plain.id, plain.language, dict(plain.meta)) == ("1", None, {})
    assert SectionKind.KEYWORDS not in {section.kind for section in plain.sections}


def test_bare_text_stays_as_it_is():
    text = "Grids\nA. Author\nAbstract\nWe show grids.\n\n\n\n1 Introduction\nGrids are fast."
    plain = as_plain_text(as_plain_text(Document("1", text)))
    assert plain.text == text
    assert plain.section(SectionKind.ABSTRACT) == "We show grids."


def test_a_sample_is_fixed_and_without_printed_keywords():
    part = Collection("x", (), "author", Style.AUTHOR, 2, {}, lists=False)
    texts = {"a": "Grids.", "b": "Palabras clave: grids", "c": "Grids.", "d": "Grids."}
    papers = [LabelledDocument(Document(name, text), GOLD) for name, text in texts.items()]
    expected = sorted("acd", key=lambda name: sha256(name.encode()).hexdigest())[:2]
    assert [paper.id for paper in sample(part, papers)] == expected
    assert [paper.id for paper in sample(part, papers[::-1])] == expected


def test_only_gold_of_the_kind_and_source_counts(tmp_path):
    lines = [
        {"id": "1", "text": "Grids.", "keyphrases": ["grid"], "source": "a"},
        {"id": "2", "text": "Grids.", "keyphrases": ["grid"], "source": "b"},
        {"id": "3", "text": "Grids.", "keyphrases": ["grid"], "by": "reader", "source": "a"},
    ]
    path = tmp_path / "papers.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    part = Collection("x", (str(path),), "author", Style.AUTHOR, None, {}, source="a")
    assert [paper.id for paper in whole(part)] == ["1"]


@pytest.mark.data
@pytest.mark.usefixtures("mirror")
def test_test_splits_are_refused():
    with pytest.raises(BadParameter, match="for reporting only"):
        whole(Collection("x", ("inspec/test",), "uncontr", Style.INDEXER, None, {}))
    assert not any("test" in name.rpartition("/")[2] for part in COLLECTIONS for name in part.data)


def test_collections_are_found_by_name():
    assert collection("nus").gold == "combined"
    assert len(documents("everyday")) == 15
    with pytest.raises(UnknownName, match="no collection of the study called 'duc'"):
        collection("duc")
