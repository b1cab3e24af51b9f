"""Marks on a copy of a PDF: at every mention, with a list before the first page and in its note."""

import ctypes
import io

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT
from tests.unit.reading.small_pdf import small_pdf, text

import keywright as kw
from keywright.core.documents import Document
from keywright.core.errors import BrokenFile
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction
from keywright.reading.pdf_marks import find_mentions, mark_pdf, squeeze_letters

ARTICLE = ROOT / "examples" / "article.pdf"


def notes(file, number):
    """Return kind and text of the annotations of a page, in the order of the file."""
    texts = []
    for index in range(pdfium.FPDFPage_GetAnnotCount(file[number])):
        mark = pdfium.FPDFPage_GetAnnot(file[number], index)
        size = pdfium.FPDFAnnot_GetStringValue(mark, b"Contents", None, 0)
        units = (ctypes.c_ushort * (size // 2))()
        pdfium.FPDFAnnot_GetStringValue(mark, b"Contents", units, size)
        texts.append((pdfium.FPDFAnnot_GetSubtype(mark), bytes(units).decode("utf-16-le").rstrip("\0")))
    return texts


def test_every_mention_has_a_mark_and_the_list_comes_first():
    document = kw.read(ARTICLE)
    prediction = kw.extract(document, top=5)
    marked, warnings = mark_pdf(ARTICLE.read_bytes(), document, prediction)
    copy, original = pypdfium2.PdfDocument(marked), pypdfium2.PdfDocument(ARTICLE)
    assert warnings == ()
    assert len(copy) == len(original) + 1
    for number in range(len(original)):
        assert copy[number + 1].get_textpage().get_text_range() == original[number].get_textpage().get_text_range()
    listed = copy[0].get_textpage().get_text_range()
    ((kind, note),) = notes(copy, 0)
    assert kind == pdfium.FPDF_ANNOT_TEXT
    for rank, keyphrase in enumerate(prediction.keyphrases, 1):
        assert f"{rank}. {keyphrase.text} ({keyphrase.probability:.0%})" in " ".join(listed.split())
        assert f"{rank}.  {keyphrase.text}" in note


def test_marks_are_at_all_mentions_of_a_page_its_keywords_among_them():
    # Counted on paper: on page 1 in abstract, keywords and section 2.
    document = kw.read(ARTICLE)
    phrases = [each for each in kw.extract(document, top=10).keyphrases if each.text == "temperature drift"]
    marked, warnings = mark_pdf(ARTICLE.read_bytes(), document, Prediction("a", tuple(phrases)))
    assert warnings == ()
    copy = pypdfium2.PdfDocument(marked)
    assert [len(notes(copy, number)) for number in (1, 2)] == [3, 4]


def test_acronyms_are_marked_in_capitals_only():
    it = Keyphrase("IT", 1.0, spans=((0, 2),))
    document = Document("a", "IT", meta={"pages": [0]})
    marked, _ = mark_pdf(small_pdf([text(50, 700, "IT is what it is, and IT")]), document, Prediction("a", (it,)))
    assert len(notes(pypdfium2.PdfDocument(marked), 1)) == 2


@pytest.mark.parametrize(
    ("surface", "text", "mentions"),
    [
        ("sensor network", "A low-\r\ncost sensor net-\r\nwork. Sensor\r\nNetworks", ["sensor net-\r\nwork"]),
        ("low-cost sensor", "low-\r\ncost sensor, lowcost sensor", ["low-\r\ncost sensor"]),
        ("calibration", "calibra\x02tion recalibration calibrations", ["calibra\x02tion"]),
        ("file", "ﬁle profile", ["ﬁle"]),
        ("therapist", "the rapist", []),
        ("潮位", "海面潮位計", ["潮位"]),
        ("", "text", []),
    ],
)
def test_mentions_are_found_over_lines_hyphens_and_ligatures(surface, text, mentions):
    assert [text[start:end] for start, end in find_mentions(surface, text, *squeeze_letters(text))] == mentions


def test_what_is_not_on_its_page_and_what_cannot_be_printed_is_said():
    document = Document("ä.pdf", "屋根瓦 roof", meta={"pages": [0]})
    phrases = (Keyphrase("屋根瓦", 2.0, spans=((0, 3),)), Keyphrase("tiles", 1.0))
    marked, warnings = mark_pdf(ARTICLE.read_bytes(), document, Prediction("ä.pdf", phrases))
    assert [warning.partition(" ")[0] for warning in warnings] == ["1", "1"]
    copy = pypdfium2.PdfDocument(marked)
    assert "屋根瓦" in notes(copy, 0)[0][1]
    assert "2. tiles not in the text" in " ".join(copy[0].get_textpage().get_text_range().split())


def test_a_long_list_takes_several_pages():
    phrases = tuple(Keyphrase(f"phrase {number}", 1.0) for number in range(100))
    marked, _ = mark_pdf(ARTICLE.read_bytes(), Document("a", ""), Prediction("a", phrases))
    copy = pypdfium2.PdfDocument(io.BytesIO(marked))
    assert len(copy) > len(pypdfium2.PdfDocument(ARTICLE)) + 1
    assert "phrase 99" in copy[len(copy) - 3].get_textpage().get_text_range()


def test_a_broken_file_is_an_error():
    with pytest.raises(BrokenFile, match="'a' cannot be marked"):
        mark_pdf(b"%PDF-1.4 broken", Document("a", ""), Prediction("a", ()))


def test_the_command_writes_one_marked_copy(tmp_path):
    done = keywright("extract", ARTICLE, "--top", "3", "-o", "marked.pdf", cwd=tmp_path)
    assert done.returncode == 0
    assert len(pypdfium2.PdfDocument(tmp_path / "marked.pdf")) == len(pypdfium2.PdfDocument(ARTICLE)) + 1
    for inputs in ([ARTICLE.parent], [ARTICLE, ARTICLE], [ARTICLE.parent / "note.txt"]):
        done = keywright("extract", *inputs, "-o", "other.pdf", cwd=tmp_path)
        assert done.returncode == 2
        assert b"one PDF file in" in done.stderr
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    done = keywright("extract", "broken.pdf", "-o", "other.pdf", cwd=tmp_path)
    assert (done.returncode, (tmp_path / "other.pdf").exists()) == (3, False)
