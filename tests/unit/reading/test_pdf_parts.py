"""Front matter, flow over columns, and ligatures without names, on values made by hand."""

from typing import Any

import numpy as np
import pytest

from keywright.core.documents import SectionKind
from keywright.reading.headings import is_prose, split_keywords
from keywright.reading.layout.characters import FF, FFI, FFL, FI, FL, restore_ligatures
from keywright.reading.layout.flow import join_broken, place_blocks
from keywright.reading.layout.lines import Line, Paragraph
from keywright.reading.layout.pipeline import find_title_lines, mark_front_matter


def line(text: str, row: float = 0, **more: Any) -> Line:
    top = 100 + 12 * row
    values = {"page": 0, "left": 50.0, "right": 290.0, "top": top, "bottom": top + 10, "size": 10.0, **more}
    return Line(text, **values)


def body(text: str, **more: Any) -> Paragraph:
    return Paragraph("body", (line(text, **more),), right=290.0)


# Front matter

ABSTRACT = "We show that the wells of a village are clean. " * 5


def test_the_title_is_the_largest_type():
    lines = [
        line("Journal", 0),
        line("A Study of", 2, size=16),
        line("Village Wells", 4, size=16),
        line("A. Author", 6),
    ]
    assert find_title_lines(lines, 10.0, 842) == (lines[1], lines[2])
    assert find_title_lines(lines[:1], 10.0, 842) == ()


def test_a_declared_title_is_found_in_plain_type():
    lines = [
        line("JOURNAL OF WELLS", 0, size=18),
        line("A study of village", 2),
        line("wells", 3),
        line("A. Author", 4),
    ]
    assert find_title_lines(lines, 10.0, 842, declared="A Study of Village Wells") == (lines[1], lines[2])


def test_what_stands_before_the_first_section_is_about_the_authors_or_an_abstract():
    title = line("A Study of Wells", size=16)
    found = [Paragraph("heading", (title,)), Paragraph("heading", (line("A. Author", 2),)), body(ABSTRACT)]
    found += [Paragraph("heading", (line("1 Introduction", 9),)), body("The text begins.")]
    assert [paragraph.kind for paragraph in mark_front_matter(found, (title,))] == [
        SectionKind.TITLE,
        SectionKind.AUTHORS,
        SectionKind.ABSTRACT,
        "heading",
        "body",
    ]


def test_without_a_title_nothing_changes():
    found = [body("A letter."), body("It goes on.")]
    assert mark_front_matter(found, ()) == found


def test_addresses_are_no_prose():
    assert is_prose(ABSTRACT)
    assert not is_prose(
        "Department of Wells, Institute for the Water of the North, University of Norrvik and others; " * 5
    )
    assert not is_prose("We are few words.")


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("", []),
        ("wells", ["wells"]),
        ("wells; water, clean; villages.", ["wells", "water, clean", "villages"]),
        ("wells, clean water, 1,2-diol", ["wells", "clean water", "1,2-diol"]),
        ("wells · clean water · villages", ["wells", "clean water", "villages"]),
        ("wells — clean water", ["wells", "clean water"]),
    ],
)
def test_keywords_are_parted(text, keywords):
    assert split_keywords(text) == keywords


# Flow


def texts(*groups: list[Paragraph]) -> list[str]:
    return [paragraph.text for paragraph in join_broken(groups)]


def test_a_sentence_goes_on_in_the_next_column():
    assert texts([body("the depth of the")], [body("well was measured.")]) == ["the depth of the well was measured."]
    assert texts([body("named after Professor")], [body("Okafor of Norrvik.")]) == [
        "named after Professor Okafor of Norrvik."
    ]


def test_a_finished_sentence_does_not():
    assert texts([body("It was deep.")], [body("Then it rained.")]) == ["It was deep.", "Then it rained."]


def test_a_short_line_before_a_formula_does_not_take_in_a_new_sentence():
    assert len(texts([body("We define the depth", right=150.0)], [body("Given two wells, we")])) == 2


def test_captions_and_footnotes_come_after_the_sentence_that_they_break():
    caption = Paragraph("caption", (line("Figure 1: A well."),))
    found = texts([body("the depth of"), caption], [body("the well.")])
    assert found == ["the depth of the well.", "Figure 1: A well."]


def test_headings_are_never_gone_over():
    heading = Paragraph("heading", (line("2 Methods"),))
    assert texts([body("an open end")], [heading, body("small letters")]) == [
        "an open end",
        "2 Methods",
        "small letters",
    ]


def test_blocks_know_where_their_pages_begin():
    (entry,) = place_blocks(join_broken([[body("the depth of the")], [body("well was measured.", page=1)]]))
    assert entry.block.text == "the depth of the well was measured."
    assert entry.pages == ((0, 0), (1, 17))


def test_run_in_headings_are_parted_from_their_text():
    found = place_blocks([body("Abstract— We show wells."), body("Keywords: wells; water")])
    assert [(entry.block.kind, entry.block.text) for entry in found] == [
        (SectionKind.HEADING, "Abstract"),
        (SectionKind.ABSTRACT, "We show wells."),
        (SectionKind.HEADING, "Keywords"),
        (SectionKind.KEYWORDS, "wells; water"),
    ]


def test_notices_are_apart():
    (entry,) = place_blocks([body("Permission to make digital copies is granted.")])
    assert entry.block.kind == SectionKind.NOTICE


# Ligatures without names: f is 3 wide, i and l 2.5, other letters 5; a ligature is as wide as its letters


@pytest.mark.parametrize(
    ("before", "ligature", "width", "after"),
    [
        ("speci", FI, 5.5, "c"),
        ("", FI, 5.5, "eld"),
        ("o", FF, 6.0, "er"),
        ("di", FFI, 8.5, "cult"),
        ("re", FL, 5.5, "ect"),
        ("", FL, 5.5, "ow"),
        ("shu", FFL, 8.5, "ed"),
        ("identi", FI, 5.5, "able"),
        ("s", 0, 12.0, "t"),  # too wide for any
    ],
)
def test_ligatures_are_known_by_width_and_neighbours(before, ligature, width, after):
    known = "if "  # the page has both letters somewhere else
    codes = np.array([ord(letter) for letter in known + before] + [0] + [ord(letter) for letter in after])
    widths = [{"f": 3.0, "i": 2.5, "l": 2.5}.get(chr(code), 5.0) if code else width for code in codes]
    right = np.cumsum(widths)
    boxes = np.stack((right - widths, np.zeros(len(codes)), right, np.full(len(codes), 12.0)), axis=1)
    unknown = np.flatnonzero(codes == 0)
    assert restore_ligatures(codes, boxes, unknown)[unknown].tolist() == [ligature]
