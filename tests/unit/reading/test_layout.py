"""Columns, reading order, page edges, debris and paragraphs on lines made by hand."""

from typing import Any

import pytest

from keywright.reading.layout.columns import divide_page, find_common_gutters, find_gutters, join_rows
from keywright.reading.layout.debris import classify_lines, find_running
from keywright.reading.layout.lines import (
    Line,
    Region,
    Setting,
    find_line_numbers,
    join_touching,
    measure_setting,
    measure_text_size,
)
from keywright.reading.layout.paragraphs import assign_levels, paragraphs_of
from keywright.reading.page_numbers import PRINT

PITCH = 12.0


def line(text: str, left: float, row: float, width: float = 240, **more: Any) -> Line:
    """A line of 10-point type: row 0 is the first of the page, rows are 12 points apart."""
    values = {"page": 0, "size": 10.0, **more}
    top = 100 + PITCH * row
    return Line(text, left=left, right=left + width, top=top, bottom=top + 10, **values)


def column(name: str, left: float, rows: range) -> list[Line]:
    return [line(f"{name} {row}", left, row) for row in rows]


def said(found: tuple[Region, ...]) -> list[str]:
    return [each.text for region in found for each in region.lines]


# Columns


def test_a_page_of_one_column_has_no_gutter():
    assert find_gutters([line("a full line", 50, row, 500) for row in range(30)]) == ()


def test_two_columns_part_in_the_middle_of_the_white_between_them():
    assert find_gutters(column("left", 50, range(20)) + column("right", 310, range(20))) == (300.0,)


def test_three_columns_have_two_gutters():
    page = [line("text", left, row, 150) for left in (50, 220, 390) for row in range(20)]
    assert find_gutters(page) == (210.0, 380.0)


@pytest.mark.parametrize(("lines", "expected"), [(PRINT.fewest_lines - 1, ()), (PRINT.fewest_lines, (300.0,))])
def test_a_column_needs_enough_lines(lines, expected):
    page = column("left", 50, range(20)) + column("right", 310, range(lines))
    assert find_gutters(page) == expected


def test_wide_lines_may_cross_a_gutter_but_not_too_many():
    page = column("left", 50, range(10, 30)) + column("right", 310, range(10, 30))
    assert find_gutters(page + [line("title", 50, row, 500) for row in range(6)]) == (300.0,)
    assert find_gutters(page + [line("title", 50, row, 500) for row in range(10)]) == ()


def test_columns_are_read_one_after_the_other():
    left, right = column("left", 50, range(5)), column("right", 310, range(5))
    mixed = [piece for pair in zip(left, right, strict=True) for piece in pair]
    assert said(divide_page(mixed, (300.0,))) == [piece.text for piece in left + right]


def test_a_line_over_both_columns_parts_what_is_above_from_what_is_below():
    page = column("left", 50, range(2)) + column("right", 310, range(2)) + [line("wide table", 50, 3, 500)]
    page += [line("left below", 50, 5), line("right below", 310, 5)]
    expected = ["left 0", "left 1", "right 0", "right 1", "wide table", "left below", "right below"]
    assert said(divide_page(page, (300.0,))) == expected


def test_a_line_that_sticks_out_a_little_stays_in_its_column():
    page = [line("long", 50, 0, 258), line("right", 310, 0), line("next", 50, 1)]
    assert said(divide_page(page, (300.0,))) == ["long", "next", "right"]


def test_short_pieces_beside_a_wide_one_are_a_row_with_it():
    row = [line("Baseline", 100, 0, 60), line("Surrogate", 240, 0, 120), line("Both", 420, 0, 60)]
    page = row + column("left", 50, range(2, 4)) + column("right", 310, range(2, 4))
    assert said(divide_page(page, (300.0,))) == ["Baseline Surrogate Both", "left 2", "left 3", "right 2", "right 3"]


def test_no_pieces_have_no_regions():
    assert divide_page((), ()) == ()
    assert find_gutters(()) == ()
    assert find_common_gutters([]) == ()


def test_sparse_pages_take_the_usual_gutters():
    assert find_common_gutters([(300.0,), (302.0,), ()]) == (301.0,)
    assert find_common_gutters([(300.0,), (), (), ()]) == ()


def test_pieces_at_one_height_become_a_line_in_order():
    pieces = [line("world", 120, 0, 40), line("hello", 50, 0, 40), line("below", 50, 1, 40)]
    first, second = join_rows(pieces)
    assert (first.text, first.cells) == ("hello world", 2)
    assert second.text == "below"


def test_a_raised_sign_is_set_to_its_word():
    raised = Line("3", page=0, left=90, right=94, top=98, bottom=104, size=6)
    assert [piece.text for piece in join_touching([line("O(n", 50, 0, 40), raised, line("), as", 94, 0, 30)])] == [
        "O(n3), as"
    ]


def test_numbers_of_lines_rise():
    rising = [line(str(row), 40, row, 5) for row in (1, 2, 4, 5)]
    assert find_line_numbers([line("text", 50, 0), *rising]) == {1, 2, 3, 4}
    assert find_line_numbers(rising[:3]) == set()
    assert find_line_numbers([line(str(value), 40, row, 5) for row, value in enumerate((3, 1, 4, 1))]) == set()


def test_text_size_is_that_of_most_characters():
    assert measure_text_size([line("some long text of the body", 50, 0), line("note", 50, 1, size=8.0)]) == 10.0


# Page edges: 842 points high, so that the edges are above 84.2 and below 757.8


def at(text: str, top: float, **more: Any) -> Line:
    return Line(text, **{"page": 0, "left": 50, "right": 250, "top": top, "bottom": top + 10, "size": 10, **more})


BODY = at("Text of the page, in several words.", 400)


def test_a_head_repeated_at_its_height_is_dropped_whatever_its_number():
    pages = [[at(f"Journal of Wells {number}", 70), BODY] for number in (17, 18)]
    assert find_running(pages, [842, 842]) == [{0}, {0}]


def test_the_same_words_at_another_height_stay():
    pages = [[at("Results", 70), BODY], [at("Results", 80), BODY]]
    assert find_running(pages, [842, 842]) == [set(), set()]


def test_repeated_words_right_above_the_text_stay():
    pages = [[at("Table heads", 70), at("first row", 82), BODY] for _ in range(2)]
    assert find_running(pages, [842, 842]) == [set(), set()]


def test_page_numbers_rise_with_the_pages():
    pages = [[BODY, at(str(84 + number), 785)] for number in range(2)]
    assert find_running(pages, [842, 842]) == [{1}, {1}]


@pytest.mark.parametrize("number", ["7", "- 7 -", "Page 3 of 12", "xii", "A4"])
def test_a_lone_number_apart_from_the_text_is_a_page_number(number):
    assert find_running([[BODY, at(number, 770)]], [842]) == [{1}]


def test_a_number_right_under_the_text_is_text():
    assert find_running([[BODY, at("the measured value was", 758), at("17", 770)]], [842]) == [set()]


def test_what_stands_beyond_a_page_number_goes_with_it():
    pages = [[BODY, at("84", 776), at("Proceedings of a conference", 793)], [BODY, at("85", 776)]]
    assert find_running(pages, [842, 842]) == [{1, 2}, {1}]


def test_a_lone_head_at_the_very_edge_is_dropped_but_no_sentence():
    assert find_running([[at("Lindqvist et al: Sensing", 36), BODY]], [842]) == [{0}]
    assert find_running([[at("and so the sentence went on.", 36), BODY]], [842]) == [set()]


# Debris


def kinds(*lines: Line, figures=()) -> list[str | None]:
    return classify_lines(Region(tuple(lines), 50, 290), 10.0, figures)


def test_rows_of_three_cells_are_a_table_with_the_words_between_them():
    found = kinds(
        line("Dataset Rows Error", 60, 0, 150, cells=3),
        line("two-block", 60, 1, 60),
        line("sick 3772 6.40", 60, 2, 150, cells=3),
        line("The table shows that the error is small.", 50, 6),
    )
    assert found == ["table", "table", "table", None]


def test_a_full_line_with_loose_blanks_is_text():
    assert kinds(line("Entity relations. While mention edges", 50, 0, 240, cells=3)) == [None]


def test_close_set_numbers_are_a_table_but_the_end_of_a_reference_is_none():
    assert kinds(line("Baseline 84.2 54.2", 90, 0, 100)) == ["table"]
    assert kinds(line("48(264):789–798, 1953.", 60, 0, 100)) == [None]


def test_formulas_stand_apart_and_sentences_may_end_with_one():
    assert kinds(line("r(z) = n(z) / d(z)", 120, 0, 90)) == ["formula"]
    full = line("so that the error of the second is given by the sum", 50, 0)
    assert kinds(full, line("m2 → m1.", 50, 1, 40)) == [None, None]


def test_labels_in_a_picture_go_but_whole_lines_of_text_over_one_stay():
    figure = ((50.0, 90.0, 290.0, 300.0),)
    label = line("mention", 100, 1, 40)
    text = line("A whole line of running text that happens to stand over a large picture", 50, 3)
    assert kinds(label, text, figures=figure) == ["figure", None]


def test_code_goes_but_an_address_at_the_end_of_a_paragraph_stays():
    code = line("x = range(1, 10)", 60, 0, 100, mono=True)
    assert kinds(code, line("lines(x)", 60, 1, 50, mono=True)) == ["code", "code"]
    assert kinds(line("www.semanticscholar.org.", 50, 0, 120, mono=True)) == [None]


# Paragraphs


def split(*lines: Line, references: bool = False) -> list[tuple[str, str]]:
    region = Region(tuple(lines), 50, 290)
    return [(each.kind, each.text) for each in paragraphs_of(region, Setting(10, 1.2), references=references)]


def test_an_indent_begins_a_paragraph_after_a_full_stop():
    found = split(line("One is over.", 50, 0), line("Two begins here", 60, 1, 230), line("and goes on.", 50, 2, 60))
    assert found == [("body", "One is over."), ("body", "Two begins here and goes on.")]


def test_a_short_last_line_ends_a_paragraph_without_indent():
    found = split(line("A first paragraph that", 50, 0), line("ends.", 50, 1, 30), line("A second one", 50, 2))
    assert [text for _, text in found] == ["A first paragraph that ends.", "A second one"]


@pytest.mark.parametrize(("row", "count"), [(1.2, 1), (1.4, 2)])
def test_white_space_ends_a_paragraph(row, count):
    assert len(split(line("One line of text", 50, 0), line("another line of text", 50, row))) == count


@pytest.mark.parametrize(
    ("heading", "more"),
    [
        ("2.1 Node Types", {"bold": True}),
        ("Structure of the Graph", {"size": 12.0, "bold": True}),
        ("REFERENCES", {}),
        ("III. THE METHOD", {}),
    ],
)
def test_headings_are_large_bold_known_or_numbered(heading, more):
    found = split(line("It ends here.", 50, 0, 60), line(heading, 50, 2, 100, **more), line("Text goes on", 50, 4))
    assert [kind for kind, _ in found] == ["body", "heading", "body"]


def test_headings_of_two_lines_are_one():
    first = line("3.3 A heading that fills its line and", 50, 0, 230, size=12.0, bold=True)
    assert split(first, line("goes on", 70, 1.2, 60, size=12.0, bold=True)) == [
        ("heading", "3.3 A heading that fills its line and goes on")
    ]


def test_many_large_lines_are_no_heading():
    assert split(*[line(f"large words {row}", 50, row, 230, size=12.0, bold=True) for row in range(5)])[0][0] == "body"


def test_captions_begin_with_a_name_and_a_number_but_sentences_may_too():
    assert split(line("Figure 1: A pole plot.", 50, 0))[0][0] == "caption"
    assert split(line("Table 2 shows the errors", 50, 0))[0][0] == "body"
    assert split(line("the errors that are shown in", 50, 0), line("Table 2. The others", 50, 1))[0][0] == "body"


def test_footnotes_stand_last_in_small_type():
    found = split(line("Text of the column.", 50, 0), line("1See the appendix", 50, 3, size=8.0))
    assert found == [("body", "Text of the column."), ("footnote", "1See the appendix")]


def test_labelled_references_begin_with_the_number_that_follows():
    found = split(
        line("[1] A. Smith. A title. Journal, 10:", 50, 0),
        line("35. doi:10.1/x", 64, 1, 80),
        line("[2] B. Jones. Another.", 50, 2),
        references=True,
    )
    assert [text[:3] for _, text in found] == ["[1]", "[2]"]


def test_hanging_references_begin_at_the_edge():
    rows = [("Smith, A. A title that", 50), ("is long. 2017.", 62), ("Jones, B. Another", 50), ("one. 2018.", 62)]
    found = split(*[line(text, left, row, 200) for row, (text, left) in enumerate(rows)], references=True)
    assert [text for _, text in found] == ["Smith, A. A title that is long. 2017.", "Jones, B. Another one. 2018."]


def test_levels_follow_numbers_and_type():
    lines = [("1 Introduction", 12.0), ("1.1 Aims", 11.0), ("References", 12.0)]
    found = [
        paragraphs_of(Region((line(text, 50, 0, 80, size=size, bold=True),), 50, 290), Setting(10))[0]
        for text, size in lines
    ]
    assert [heading.level for heading in assign_levels(found)] == [1, 2, 1]


def test_the_pitch_is_the_usual_distance_of_lines():
    assert measure_setting([Region(tuple(column("text", 50, range(9))), 50, 290)], 10.0) == Setting(10.0, 1.2)
    assert measure_setting([], 10.0) == Setting(10.0, 1.2)
