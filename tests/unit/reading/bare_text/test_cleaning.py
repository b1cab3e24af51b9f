"""What is no part of words goes from bare texts and cells, and everything else stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import keywright as kw
from keywright.reading.bare_text.cleaning import clean_text, join_unspaced
from keywright.reading.blocks import drop_invisible
from keywright.reading.formats.html import read_html
from keywright.reading.formats.markdown import read_markdown
from keywright.reading.limits import Limits
from keywright.reading.sources import Unread
from keywright.reading.tables.rows import TableColumns

CHINESE = "储能电池系统的研究很重要，因为它的能量密度"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("The borehole heat exchan-\nger is filled.\nNow", "The borehole heat exchanger\nis filled.\nNow"),
        ("an exchan-\n   ger.\n\nNext", "an exchanger.\n\nNext"),
        ("an exchan-\nger", "an exchanger"),
        ("real time, a world, a real-\nworld case", "real time, a world, a real-world\ncase"),  # both halves are words
        ("a real-world case, a real-\nworld case", "a real-world case, a real-world\ncase"),
        ("pre-\nand post-processing", "pre- and\npost-processing"),
        ("CoNLL-\n2003 and 3-\n4 and a -\nb", "CoNLL-\n2003 and 3-\n4 and a -\nb"),
        ("ex\u00adchan\u00ad\nger of\u200b heat\ufeff\u2060 and co\u200d-op", "exchanger of heat and co-op"),
        ("می\u200cخواهم क्\u200dष 👩\u200d🔬", "می\u200cخواهم क्\u200dष 👩\u200d🔬"),
        (f"{CHINESE}\n高\n很重要", f"{CHINESE}高很重要"),
        (f"标题是储能\n{CHINESE}\n{CHINESE}", f"标题是储能\n{CHINESE}{CHINESE}"),
        ("The heat&nbsp;pump &amp; the <b>brine</b>", "The heat pump & the brine"),
        ("&amp;lt;i&amp;gt;H<sub>2</sub>O&#8217;s caf&eacute;", "H2O’s café"),
        ("<p class='x'>One.</p><br/>Two", "\nOne.\n\nTwo"),
        ("AT&T; a<b and c>d; <T> in List<String> &none;", "AT&T; a<b and c>d; <T> in List<String> &none;"),
        ("$\\alpha$-stable \\emph{random walks}~\\cite[p. 3]{a,b}.", "α-stable random walks."),
        ("$k$-means \\textbf{of \\emph{all}} $\\foo$kinds", "k-means of all kinds"),
        ("The $k$-means of $n$ points.", "The k-means of n points."),
        ("<h2>Pumps</h2><p>They <kbd>run</kbd>:</p><pre><code>a()</code></pre>", "\nPumps\n\nThey run:\n\na()\n"),
        ("$\\ell_1$ norms, $L_{2}$, $CO_2$, $H_2O$", "ℓ1 norms, L2, CO2, H2O"),
        ("$x_i$ in $O(n)$ for $5 or $10, or \\$a$", "$x_i$ in $O(n)$ for $5 or $10, or \\$a$"),
        ("It costs $5 and $10 in C:\\Users\\me", "It costs $5 and $10 in C:\\Users\\me"),
        ("\\section{A}\\emph{b}", "\\section{A}\\emph{b}"),  # source is read by its marks
        ("a\r\nb\rc", "a\nb\nc"),
    ],
)  # fmt: skip
def test_texts_lose_what_is_no_part_of_words(text, clean):
    assert clean_text(text) == clean


@given(st.text(alphabet="ab é储能。.-\n\u00ad\u200b\u200c&;<>pbr/\\{}$"))
def test_letters_stay_in_order_and_cleaning_is_done_once(text):
    """Letters that are no part of tags, entities and commands are never lost."""
    clean = clean_text(text)
    assert clean_text(clean) == clean or not {*"<&\\$-"}.isdisjoint(text)
    if {*"<&\\"}.isdisjoint(text):
        assert [letter for letter in clean if letter.isalnum()] == [letter for letter in text if letter.isalnum()]


@given(st.text(alphabet="ab c\n.", min_size=1))
def test_plain_texts_stay_as_they_are(text):
    assert clean_text(text) == text
    assert drop_invisible(text) is text
    assert join_unspaced(text) is text


def test_spans_are_places_in_the_text_of_the_document():
    document = kw.document(
        "The heat&nbsp;pump warms an exchan-\nger. A heat pump needs <b>brine</b>, and brine an exchanger."
    )
    keyphrases = kw.extract(document).keyphrases
    assert {"heat pump needs", "exchanger"} <= {keyphrase.text for keyphrase in keyphrases}
    for keyphrase in keyphrases:
        for start, end in keyphrase.spans:
            assert document.text[start:end].lower() == keyphrase.text.lower()


def test_cells_and_records_are_cleaned(tmp_path):
    (tmp_path / "cells.csv").write_text("id,text\n1,The heat&nbsp;pump &amp; the <b>brine</b>\n", "utf-8-sig")
    (tmp_path / "records.jsonl").write_text(
        '{"id": "1", "text": "The heat&nbsp;pump &amp; the <b>brine</b>"}\n', "utf-8-sig"
    )
    columns = TableColumns(text="text", id="id")
    (row,) = Unread(tmp_path / "cells.csv", "cells.csv", columns=columns).documents()
    (record,) = kw.read_all(tmp_path / "records.jsonl")
    assert row.text == record.text == "The heat pump & the brine"


def test_lines_of_chinese_join_in_pages_and_markdown():
    assert read_html(f"<p>{CHINESE}\n 高 \n</p>".encode(), "x.html", Limits()).text == f"{CHINESE}高"
    assert read_markdown(f"{CHINESE}\n高\n".encode(), "x.md", Limits()).text == f"{CHINESE}高"
    assert read_html("<p>heat\npump 高</p>".encode(), "x.html", Limits()).text == "heat pump 高"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a borehole ex- \nchanger works", "a borehole exchanger\nworks"),
        ("a borehole ex¬\nchanger works", "a borehole exchanger\nworks"),
        ("a bore\u200ehole\u200f exchanger\u202c", "a borehole exchanger"),
        ("\x1b[31ma borehole\x1b[0m exchanger", "a borehole exchanger"),
    ],
)
def test_signs_at_line_ends_marks_of_direction_and_colours_are_no_part_of_words(raw: str, text: str):
    assert clean_text(raw) == text
