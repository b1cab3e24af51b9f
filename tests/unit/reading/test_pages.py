"""Pages of PDFs: each sentence of boxes, notes, cells and large letters is whole in the text, and in its order."""

import importlib.util
from pathlib import Path

import pytest

from keywright.reading.formats.pdf import read_pdf
from keywright.reading.limits import Limits

_SPECIFICATION = importlib.util.spec_from_file_location("small_pdf", Path(__file__).parent / "small_pdf.py")
small = importlib.util.module_from_spec(_SPECIFICATION)
_SPECIFICATION.loader.exec_module(small)
PITCH, LETTER = 12, 5  # points between lines; mean width of a letter of ten points

BODY = [
    "The borehole heat exchanger is filled with a brine of glycol, and its pump runs at night when power is cheap.",
    "A buffer tank keeps the floor warm until the late morning, when the sun reaches the panels on the roof.",
    "Most of the houses in this street share one deep well, whose meter reports every fault of the valve to all.",
    "Old radiators need hotter water than the new ones do, which is why many owners change them after some years.",
    "A careful owner reads the meter twice a year, and writes the numbers on a sheet of paper beside the boiler.",
]
BOX = [
    "Ask the town for a grant before the first hole is drilled, as later claims are refused.",
    "Keep the bill of the driller for ten years.",
]


def set_lines(left: float, top: float, width: float, text: str, size: float = 10) -> tuple[str, float]:
    """Operators that print a text in lines of a width, and the height below them."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width / (LETTER * size / 10):
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    drawn = (small.text(left, top - PITCH * row, line, size) for row, line in enumerate(lines))
    return "".join(drawn), top - PITCH * len(lines)


def read(operators: str, **more: object) -> tuple[str, tuple[str, ...]]:
    document = read_pdf(small.small_pdf([operators], **more), "x.pdf", Limits())
    return " ".join(document.text.split()), document.warnings


def draw_all(*parts: tuple[float, float, float, str]) -> str:
    return "".join(set_lines(*part)[0] for part in parts)


def find_faults(text: str, sentences: list[str]) -> list[str]:
    """Sentences that are not whole, or come before one that they follow."""
    places = [text.find(sentence) for sentence in sentences]
    return [each for n, each in enumerate(sentences) if places[n] < max([0, *places[:n]])]


@pytest.mark.parametrize(("left", "side"), [(50, 390), (210, 50)])
@pytest.mark.parametrize("place", [0, 2, 4])
def test_text_goes_on_around_a_box(place: int, left: int, side: int):
    above, top = set_lines(50, 700, 500, " ".join(BODY[:2]))
    beside, bottom = set_lines(left, top, 330, " ".join(BODY[2:4]))
    parts = [above, beside, set_lines(50, bottom, 500, " ".join(BODY[4:]))[0], "", ""]
    box, _ = set_lines(side, top, 150, BOX[0])
    text, _ = read("".join([*parts[:place], box, *parts[place:]]))
    assert find_faults(text, BODY) == find_faults(text, BOX[:1]) == []


def test_columns_go_on_around_a_box_between_them():
    def set_column(left: float, shift: float) -> str:
        above, top = set_lines(left, 700, 235, " ".join(BODY[:2]))
        beside, bottom = set_lines(left + shift, top, 160, " ".join(BODY[2:4]))
        return above + beside + set_lines(left, bottom, 235, BODY[4])[0]

    box = draw_all((225, 622, 130, " ".join(BOX)))
    text, _ = read(set_column(50, 0) + box + set_column(315, 75))
    middle = text.find(BODY[-1]) + len(BODY[-1])
    assert find_faults(text[:middle], BODY) == find_faults(text[middle:], BODY) == find_faults(text, BOX) == []


@pytest.mark.parametrize("cells", [2, 3])
def test_each_cell_of_several_lines_is_whole_and_rows_are_in_order(cells: int):
    width = 480 / cells
    sentences = [f"{sentence[:-1]}, says note {n}." for n, sentence in enumerate(BODY + BODY[1:2])]
    rows = [sentences[:cells], sentences[-cells:]]
    first = "".join(set_lines(50 + width * n, 600, width - 20, cell)[0] for n, cell in enumerate(rows[0]))
    second = "".join(set_lines(50 + width * n, 460, width - 20, cell)[0] for n, cell in enumerate(rows[1]))
    around = draw_all((50, 760, 500, BODY[0] * 4)) + first + second + draw_all((50, 300, 500, BODY[0] * 4))
    text, _ = read(around)
    assert find_faults(text, [*rows[0], *rows[1]]) == []


def test_words_beside_words_that_a_file_draws_in_turns_stay_one_line():
    names = "".join(small.text(x, 700 - 12 * row, f"name {row} of it") for row in range(3) for x in (50, 250))
    text, _ = read(draw_all((50, 600, 500, " ".join(BODY))) + names)
    assert "name 1 of it name 1 of it" in text


def test_a_note_that_a_person_typed_on_the_page_is_read():
    note = "<</Type/Annot/Subtype/FreeText/Rect[50 100 400 140]/Contents(This was typed by hand.)/DA(/F 10 Tf)/F {}>>"
    operators = draw_all((50, 700, 500, " ".join(BODY)))
    text, _ = read(operators, extra=[note.format(4).encode()], page="/Annots[6 0 R]")
    assert "This was typed by hand." in text
    hidden, _ = read(operators, extra=[note.format(2).encode()], page="/Annots[6 0 R]")
    assert "typed" not in hidden


@pytest.mark.parametrize(("initial", "rest"), [("T", BODY[0][1:]), ("A", BODY[1][2:])])
def test_a_large_initial_begins_the_word_behind_it(initial: str, rest: str):
    text, _ = read(small.text(50, 676, initial, 40) + draw_all((85, 700, 400, rest), (50, 640, 500, BODY[2])))
    assert text.startswith(BODY[0] if initial == "T" else BODY[1])


def test_headings_set_letter_by_letter_have_words():
    spaced = "BT /B 16 Tf 6 Tc 50 740 Td (Geothermal heating) Tj 0 Tc ET\n"
    text, _ = read(spaced + draw_all((50, 700, 500, " ".join(BODY))))
    assert text == f"Geothermal heating {' '.join(BODY)}"


def test_a_page_put_into_a_page_is_text_and_a_drawing_is_not():
    def put(lines: str) -> str:
        form = f"/Type/XObject/Subtype/Form/BBox[0 0 400 200]/Resources<</Font<</F 3 0 R>>>>/Length {len(lines)}"
        page = f"<<{form}>>stream\n{lines}\nendstream"
        operators = draw_all((50, 700, 500, " ".join(BODY))) + "q 1 0 0 1 60 300 cm /X Do Q\n"
        return read(operators, extra=[page.encode()], page="/Resources<</XObject<</X 6 0 R>>/Font<</F 3 0 R>>>>")

    text, _ = put(set_lines(10, 150, 280, " ".join(BODY[::-1]), 9)[0])
    assert " ".join(BODY[::-1]) in text
    labels = "".join(small.text(10 + 90 * n, 20 + 40 * n, f"valve {n}", 9) for n in range(4))
    assert put(labels)[1] == ("left out: labels in figures (4 lines)",)


def test_the_short_end_of_a_small_paragraph_is_no_label():
    small_print, _ = set_lines(50, 500, 150, "Each grant is paid once, and only after the bill.", 7)
    text, warnings = read(draw_all((50, 700, 500, " ".join(BODY))) + small_print)
    assert "Each grant is paid once, and only after the bill." in text
    assert warnings == ()
