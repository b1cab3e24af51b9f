"""Which kind of section a heading opens."""

import time

import pytest

from keywright.core.documents import SectionKind as Kind
from keywright.reading.blocks import Block, Heading, blocks_under
from keywright.reading.headings import kind_of_heading, run_in_heading, split_keywords

KINDS = {
    "ABSTRACT": Kind.ABSTRACT,
    "A B S T R A C T": Kind.ABSTRACT,
    "Zusammenfassung": Kind.ABSTRACT,
    "Keywords": Kind.KEYWORDS,
    "Key words:": Kind.KEYWORDS,
    "Index Terms": Kind.KEYWORDS,
    "Categories and Subject Descriptors": Kind.METADATA,
    "General Terms": Kind.METADATA,
    "Data availability": Kind.METADATA,
    "1. INTRODUCTION": Kind.INTRODUCTION,
    "I. Introduction and Motivation": Kind.INTRODUCTION,
    "1Introduction": Kind.INTRODUCTION,
    "2 Related Work": Kind.RELATED,
    "2. BACKGROUND AND RELATED WORK": Kind.RELATED,
    "Comparison with previous work": Kind.RELATED,
    "5. CONCLUSIONS AND FUTURE WORK": Kind.CONCLUSION,
    "Discussion and conclusions": Kind.CONCLUSION,
    "VI. CONCLUDING REMARKS": Kind.CONCLUSION,
    "Summary": Kind.CONCLUSION,
    "8. CONCLUSION AND RELATED WORK": Kind.CONCLUSION,
    "Acknowledgments": Kind.ACKNOWLEDGEMENTS,
    "7. ACKNOWLEDGEMENT": Kind.ACKNOWLEDGEMENTS,
    "References": Kind.REFERENCES,
    "10. REFERENCES": Kind.REFERENCES,
    "Literaturverzeichnis": Kind.REFERENCES,
    "Bibliography": Kind.REFERENCES,
}


@pytest.mark.parametrize(("heading", "kind"), KINDS.items())
def test_known_headings(heading: str, kind: Kind):
    assert kind_of_heading(heading) == kind


@pytest.mark.parametrize(
    "heading",
    ["", "3. METHOD", "Discussion", "Abstract interpretation", "A Summary Tree", "Keyword search", "Appendix", "4.2",
     "Background subtraction", "Referencing papers", "In this section we draw the conclusion that " + "x " * 40],
)  # fmt: skip
def test_ordinary_headings(heading: str):
    assert kind_of_heading(heading) is None


def test_text_may_follow_a_heading_on_its_line():
    assert run_in_heading("Abstract—We show that") == (Kind.ABSTRACT, 9)
    assert run_in_heading("Keywords: grid, cloud") == (Kind.KEYWORDS, 10)
    assert run_in_heading("Index Terms - grid") == (Kind.KEYWORDS, 14)
    assert run_in_heading("Index Terms-- grid") == (Kind.KEYWORDS, 14)
    assert run_in_heading("Additional Key Words and Phrases: grid") == (Kind.KEYWORDS, 34)
    assert run_in_heading("Abstract machines run") is None


def test_body_takes_the_kind_of_the_heading_above_it():
    body = Kind.BODY
    parts = [
        Block(body, "a"), Heading("Introduction"), Block(body, "b"), Heading("Aims", 2), Block(body, "c"),
        Block(Kind.CAPTION, "d"), Heading("Method"), Block(body, "e"), Heading("References", 2), Block(body, "f"),
        Heading("Appendix"), Block(body, "g"),
    ]  # fmt: skip
    found = {block.text: block.kind for block in blocks_under(parts) if block.kind != Kind.HEADING}
    assert found == {
        "a": body, "b": Kind.INTRODUCTION, "c": Kind.INTRODUCTION, "d": Kind.CAPTION, "e": body,
        "f": Kind.REFERENCES, "g": body,
    }  # fmt: skip


def test_hostile_lines_take_no_time():
    began = time.process_time()
    for line in ("1." * 40, "and " * 22, "related " * 11, "summary and " * 7, " " * 80 + "x", "abstract " * 100_000):
        kind_of_heading(line)
        run_in_heading(line)
    assert time.process_time() - began < 0.5


PRINTED = {
    "Keywords: grid computing; peer-to-peer, structured; caching.": [
        "grid computing",
        "peer-to-peer, structured",
        "caching",
    ],
    "soil moisture, wireless sensor\nnetworks, irrigation": ["soil moisture", "wireless sensor networks", "irrigation"],
    "Index Terms—graphs, paths": ["graphs", "paths"],
    "parsing • tagging • parsing": ["parsing", "tagging"],
    "first phrase\nsecond phrase": ["first phrase", "second phrase"],
    "关键词一，关键词二": ["关键词一", "关键词二"],
    "": [],
    "; ; .": [],
}


@pytest.mark.parametrize("printed", PRINTED)
def test_split(printed: str):
    assert split_keywords(printed) == PRINTED[printed]
