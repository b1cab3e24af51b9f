"""Lines from right to left, syllables of several glyphs, pages in the direction of their text, and values of forms."""

import numpy as np
import pytest
from tests.unit.reading import small_pdf as small

from keywright.reading.formats import format_of
from keywright.reading.formats.pdf import read_pdf
from keywright.reading.layout import directions
from keywright.reading.limits import Limits

LIMITS = Limits()
UNICODE = (
    b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def "
    b"1 begincodespacerange <00> <FF> endcodespacerange %s endcmap end end"
)


def mapped(*ranges: bytes) -> dict[str, object]:
    """Return a font of which bytes are letters of other scripts: ranges as in <41> <5A> <05D0>."""
    mapping = UNICODE % (b"%d beginbfrange %s endbfrange" % (len(ranges), b" ".join(ranges)))
    stream = b"<</Length %d>>stream\n%s\nendstream" % (len(mapping), mapping)
    return {"font": small.HELVETICA.replace(b">>", b"/ToUnicode 6 0 R>>"), "extra": [stream]}


HEBREW = mapped(b"<41> <5A> <05D0>", b"<30> <39> <0030>", b"<28> <29> <0028>", b"<20> <2F> <0020>")


@pytest.mark.parametrize(
    ("seen", "is_main", "read"),
    [
        ("םולש", True, "שלום"),
        ("1948 םלוע לש", True, "של עולם 1948"),
        ("XML 1.5 ץבוק", True, "קובץ XML 1.5"),
        ("12.5% לש", True, "של 12.5%"),
        ("(םולש) רמא", True, "אמר (שלום)"),
        ("he said םלוע םולש to all", False, "he said שלום עולם to all"),
        ("plain text 1948", True, "plain text 1948"),
        ("ﻰﻠﻋ", True, "على"),
        ("ﺔﻣﻼﺳ", True, "سلامة"),
        ("بَتَكَ", True, "كَتَبَ"),
    ],
)
def test_pieces_are_read_from_right(seen: str, is_main: bool, read: str):  # noqa: FBT001 - a row of the table
    assert directions.read_from_right(seen, is_main=is_main) == read


def test_a_page_in_hebrew_is_read_from_right_whatever_its_order_in_the_file():
    # As they are seen, line by line: letters A to Z stand for alef to tav and the final forms between them.
    lines = [small.text(300, 700 - 12 * row, words) for row, words in enumerate(("MIE CBA", "TSR QPO", "KJI HGF"))]
    document = read_pdf(small.small_pdf(["".join(lines)], **HEBREW), "a.pdf", LIMITS)
    letters = {chr(code): chr(0x5D0 + code - 65) for code in range(65, 91)}
    expected = " ".join("".join(letters[letter] for letter in word) for word in "ABC EIM OPQ RST FGH IJK".split())
    assert document.text == expected


def test_columns_of_a_page_from_right_are_read_from_right():
    rows = [small.text(left, 700 - 14 * row, word * 8) for row in range(12) for left, word in ((60, "BA"), (330, "DC"))]
    document = read_pdf(small.small_pdf(["".join(rows)], **HEBREW), "a.pdf", LIMITS)
    first, second = document.text.find("ג"), document.text.find("א")
    assert 0 <= first < second


def test_a_mark_follows_the_letter_that_it_is_set_to():
    codes = np.array([0x5D1, 0x5B8, 0x5D0])  # bet, qamats, alef, as seen from left to right
    boxes = np.array([[10.0, 0, 16, 10], [12.0, 8, 14, 10], [16.0, 0, 22, 10]])
    order = directions._order_seen(codes, boxes, boxes[:, :2], np.arange(3))
    assert order.tolist() == [0, 1, 2]
    assert boxes[1].tolist() == boxes[0].tolist()


def test_a_syllable_that_is_given_again_over_its_first_one_is_repeated():
    ma, u = 0x9AE, 0x9C2
    codes = np.array([ma, u, 0x9B9, ma, u, ma, u])
    boxes = np.array(
        [
            *([10.0, 0, 14, 10], [14.0, 0, 18, 10], [18.0, 0, 24, 10], [14.0, 8, 17, 12], [17.0, 8, 20, 12]),
            *([24.0, 0, 28, 10], [28.0, 0, 32, 10]),  # the same syllable once more, which is text
        ]
    )
    origins = np.array([[10.0, 10], [10, 10], [18, 10], [18, 10], [18, 10], [24, 10], [24, 10]])
    assert directions._find_repeated(codes, boxes, origins, np.arange(7)).tolist() == [3, 4]


@pytest.mark.parametrize("width", [3.0, 0.0])
def test_a_gap_that_a_glyph_fills_holds_no_blank_unless_it_has_no_ink(width: float):
    boxes = np.array([[10.0, 0, 16, 10], [19.0, 0, 25, 10]])
    drawn = np.array([[10.0, 0, 16, 10], [16.0, 0, 16 + width, 10], [19.0, 0, 25, 10], [90.0, 10, 90, 10]])
    printed = directions._find_printed_gaps(drawn, boxes, boxes[:, :2], np.arange(2), np.zeros(2, bool))
    assert printed.tolist() == [width > 0]


@pytest.mark.parametrize(("matrix", "step"), [("0 1 -1 0", (12, 0)), ("-1 0 0 -1", (0, 12)), ("0 -1 1 0", (-12, 0))])
def test_pages_whose_content_is_turned_are_read_in_the_direction_of_their_text(matrix: str, step: tuple[int, int]):
    lines = [
        f"BT /F 10 Tf {matrix} {300 + row * step[0]} {400 + row * step[1]} Tm ({words}) Tj ET\n"
        for row, words in enumerate(("A first line that", "has a second one."))
    ]
    assert read_pdf(small.small_pdf(["".join(lines)]), "a.pdf", LIMITS).text == "A first line that has a second one."


def test_pages_that_are_pictures_are_told_with_their_number():
    scan = "q 600 0 0 800 0 0 cm /I Do Q\n"
    document = read_pdf(small.small_pdf([small.text(50, 700, "The cover sheet."), *[scan] * 9]), "a.pdf", LIMITS)
    (warning,) = document.warnings
    assert warning.startswith("9 of 10 pages have no text, only pictures: 2, 3, 4,")
    assert "OCR" in warning


def test_values_of_forms_are_read_beside_their_labels():
    field = b"<</Type/Annot/Subtype/Widget/FT/Tx/T(n)/V(Ada Example)/Rect[100 695 300 715]/P 7 0 R>>"
    data = small.small_pdf([small.text(50, 700, "Name:")], extra=[field], page="/Annots[6 0 R]")
    data = data.replace(b"/Type/Catalog", b"/Type/Catalog/AcroForm<</Fields[6 0 R]>>")
    document = read_pdf(data, "a.pdf", LIMITS)
    assert document.text == "Name: Ada Example"
    assert (document.coverage.read, document.coverage.given) == (15, 15)


def test_an_error_page_that_is_named_as_a_paper_is_told():
    page = b"<!DOCTYPE html><html><body><p>The paper that you wanted is not here any more.</p></body></html>"
    (document,) = format_of(page, "paper.pdf").read(page, "paper.pdf", LIMITS)
    assert document.text == "The paper that you wanted is not here any more."
    assert "it is named as PDF, and was read as HTML" in document.warnings


def test_a_mark_ends_where_its_letter_does():
    codes = np.array([0x915, 0x943, 0x924])  # ka, vowel sign r below it, ta
    boxes = np.array([[10.0, 0, 18, 10], [13.0, 8, 16, 10], [18.0, 0, 24, 10]])
    directions._widen_marks(codes, boxes, np.arange(3))
    assert boxes[:, 2].tolist() == [18, 18, 24]
