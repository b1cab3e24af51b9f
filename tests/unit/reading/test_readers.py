"""What each reader makes of the examples and of the sample documents; plain text, notebooks and subtitles."""

import base64
import json
import time
from pathlib import Path

import pytest

from keywright.core.documents import Document
from keywright.core.documents import SectionKind as Kind
from keywright.core.errors import BrokenFile, EmptyInput, TooLarge
from keywright.reading.formats.html import read_html
from keywright.reading.formats.jats import read_jats
from keywright.reading.formats.markdown import read_markdown, read_notebook
from keywright.reading.formats.plain import document_of_text, read_plain
from keywright.reading.formats.subtitles import read_subtitles
from keywright.reading.formats.tei import read_tei
from keywright.reading.limits import Limits
from keywright.reading.sources import read_source

EXAMPLES = Path(__file__).parents[3] / "examples"
LIMITS = Limits()


def only(path: Path) -> Document:
    (document,) = read_source(path)
    return document


def check_sections(document: Document) -> None:
    """Sections are trimmed and say what they hold; no double blanks, no glued stops."""
    for section in document.sections:
        text = document.text[section.start : section.end]
        assert text == text.strip()
        assert text
    assert document.coverage
    assert document.coverage.read <= document.coverage.given
    assert "  " not in document.text.replace("\n", "")


EXPECTED = {
    "article.md": ("Estimating Bicycle Traffic", "Cities count", "Planning a cycle lane", ("code block", "table")),
    "article.html": ("Finding Duplicate Records", "When libraries", "A union catalogue", ("1 table",)),
    "article.jats.xml": ("Acoustic Monitoring", "Songbirds are", "Bird counts", ("1 formula", "1 table")),
    "article.tei.xml": ("Layout Analysis", "Parish registers", "Handwriting recognition", ("1 formula",)),
    "article.docx": ("Predicting Failures", "Doors cause", "Maintenance by", ("1 table",)),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_examples(name: str):
    title, abstract, introduction, left_out = EXPECTED[name]
    document = only(EXAMPLES / name)
    check_sections(document)
    assert document.id == (EXAMPLES / name).as_posix()
    assert document.language == "en"
    assert (document.section(Kind.TITLE) or "").startswith(title)
    assert (document.section(Kind.ABSTRACT) or "").startswith(abstract)
    assert (document.section(Kind.INTRODUCTION) or "").startswith(introduction)
    assert document.section(Kind.CONCLUSION)
    assert 3 <= len(document.meta["author_keywords"]) <= 4
    assert all(any(thing in warning for warning in document.warnings) for thing in left_out)


def test_keywords_that_only_the_file_declares_stay_out_of_the_text():
    for name in ("article.md", "article.html", "article.docx"):
        assert only(EXAMPLES / name).section(Kind.KEYWORDS) is None
    printed = only(EXAMPLES / "article.jats.xml")
    assert printed.section(Kind.KEYWORDS) == "acoustic monitoring; songbirds; urban ecology; Turdus merula"


def test_markdown_inline_marks_and_code():
    source = b"# A *small* title\n\nSome `code` and **bold** [link](http://x.example)\nnext.\n\n```\nsecret\n```\n\n<div>raw</div>\n"
    document = read_markdown(source, "x.md", LIMITS)
    assert document.text == "A small title\n\nSome code and bold link next.\n\nraw"
    assert document.section(Kind.TITLE) == "A small title"
    assert document.warnings == ("left out: 1 code block",)
    assert document.coverage
    assert document.coverage.given > document.coverage.read


def test_markdown_keywords_in_the_text():
    document = read_markdown(b"# T\n\n**Keywords:** grid, cloud computing\n\nText follows.\n", "x.md", LIMITS)
    assert document.section(Kind.KEYWORDS) == "Keywords: grid, cloud computing"
    assert document.meta["author_keywords"] == ["grid", "cloud computing"]


def test_markdown_front_matter_lists():
    document = read_markdown(b"---\nkeywords:\n  - grid\n  - 'cloud'\n---\nText.\n", "x.md", LIMITS)
    assert document.meta["author_keywords"] == ["grid", "cloud"]
    assert document.text == "Text."


def test_html_leaves_scripts_navigation_and_notes_out():
    document = only(EXAMPLES / "article.html")
    for word in ("tracking", "color", "All issues", "newsletter", "Weight"):
        assert word not in document.text
    assert "editions of one work." in document.text  # the raised 1 is gone
    assert document.section(Kind.CAPTION) == "Figure 1: Sizes of blocks in the union catalogue."


def test_html_blocks_do_not_run_together():
    page = (
        b"<html><body><article><h1>Title here</h1><p>One sentence that is long enough to be main text of a page.</p>"
        b"<ul><li>First item of the list on this page</li><li>Second item of the list on this page</li></ul>"
        b"<p>m<sup>2</sup> is an area; it<br>breaks here, says the page that goes on.</p></article></body></html>"
    )
    text = read_html(page, "x.html", LIMITS).text
    assert "page.\n\nFirst item of the list on this page\n\nSecond" in text
    assert "m2 is an area; it breaks here" in text


def test_small_html_pages():
    for page in (b"<p>Just this.", b"<html><body>Just this.</body></html>", b"<div>Just <b>this</b>.</div>"):
        assert read_html(page, "x.html", LIMITS).text == "Just this."


def test_signs_of_line_breaks_are_no_text_and_joiners_of_letters_are():
    page = read_html("<p>Soft&shy;ware\u200b \u2060tests.</p><p>\u0645\u06cc\u200c\u062e</p>".encode(), "page", LIMITS)
    assert page.text == "Software tests.\n\n\u0645\u06cc\u200c\u062e"
    paper = read_markdown("# Key\u00adphrases\n\nOf docu\u00adments.\n".encode(), "paper", LIMITS)
    assert paper.text == "Keyphrases\n\nOf documents."


def test_jats_citations_formulas_and_references():
    document = only(EXAMPLES / "article.jats.xml")
    assert document.section(Kind.AUTHORS) == "Ana Ferreira, Petr Novak"
    assert "on the hour. Acoustic" in document.text
    assert "(Turdus merula)." in document.text
    assert "log_" not in document.text
    assert document.section(Kind.ACKNOWLEDGEMENTS) == "We thank the park wardens."
    assert (document.section(Kind.REFERENCES) or "").startswith("Hill K 2009 Observers differ Bird Notes\n\nSousa, M.")


def test_jats_of_other_tag_sets():
    for kwds in (b"<kwd-group><kwd>a</kwd></kwd-group>", b'<kwd-group kwd-group-type="jel"><kwd>C1</kwd></kwd-group>'):
        source = (
            b"<article><front><article-meta>"
            + kwds
            + b"</article-meta></front><body><p>Text here.</p></body></article>"
        )
        keywords = read_jats(source, "x.xml", LIMITS).meta.get("author_keywords")
        assert keywords == (["a"] if b"<kwd>a" in kwds else None)


def test_tei_without_header():
    document = read_tei(
        b'<TEI><text xml:lang="fr"><body><head>Un titre</head><p>Un texte.</p></body></text></TEI>', "x", LIMITS
    )
    assert document.text == "Un titre\n\nUn texte."
    assert document.language == "fr"


@pytest.mark.data
def test_sample_jats(mirror: Path):
    document = only(mirror / "docs_sample" / "PMC6398430_jats.xml")
    check_sections(document)
    assert document.meta["author_keywords"] == [
        "Corvus corone", "crows", "fission", "fusion dynamics", "group size", "population structure",
    ]  # fmt: skip
    abstract = document.section(Kind.ABSTRACT) or ""
    assert abstract.count("\n\n") >= 1  # the abstract and the teaser
    references = document.section(Kind.REFERENCES) or ""
    assert references.count("\n\n") + 1 == 80
    assert references.startswith("Albert DM, Bowyer RT 1991")
    assert len([found for found in document.sections if found.kind == Kind.CAPTION]) >= 6
    assert "4 tables" in document.warnings[0]


@pytest.mark.data
def test_sample_tei(mirror: Path):
    document = only(mirror / "docs_sample" / "acl_N18-3011.tei.xml")
    check_sections(document)
    assert document.section(Kind.TITLE) == "Construction of the Literature Graph in Semantic Scholar"
    assert "author_keywords" not in document.meta
    assert (document.section(Kind.REFERENCES) or "").count("\n\n") + 1 == 27
    assert len((document.section(Kind.AUTHORS) or "").split(", ")) == 23


@pytest.mark.data
def test_sample_html_and_docx(mirror: Path):
    keywords = ["quick tips", "machine learning", "deep learning", "artificial intelligence"]
    for name in ("deep_rules.html", "deep_rules.docx"):
        document = only(mirror / "docs_sample" / name)
        check_sections(document)
        assert document.section(Kind.TITLE) == "Ten Quick Tips for Deep Learning in Biology"
        assert document.meta["author_keywords"] == keywords
        assert document.section(Kind.KEYWORDS) is None
        assert "SCRIPT_BODY_REMOVED" not in document.text
        assert "STYLE_BODY_REMOVED" not in document.text
        tips = [found for found in document.sections if document.text[found.start :].startswith("Tip ")]
        assert len([found for found in tips if found.kind == Kind.HEADING]) == 10
        assert (document.section(Kind.REFERENCES) or "").startswith("1. Lillicrap")


def test_line_ends_and_mark():
    document = read_plain(b"\xef\xbb\xbfA title\r\n\r\nSome text\rhere.", "x.txt", LIMITS)
    assert document.text == "A title\n\nSome text\nhere."


@pytest.mark.parametrize("text", ["", " \n\t ", "--- ... ---"])
def test_no_words(text: str):
    with pytest.raises(EmptyInput, match="no words"):
        document_of_text(text, "note")


@pytest.mark.parametrize("text", ["word", "no sentences here at all just words", "漢字だけ"])
def test_little_text(text: str):
    document = document_of_text(text, "note")
    assert document.text == text
    assert document.sections == ()


def test_fifty_megabytes_of_text():
    with pytest.raises(TooLarge, match="50,000,000 characters of text; at most 20,000,000"):
        read_plain(b"word " * 10_000_000, "x.txt", LIMITS)


def test_language_tags_become_two_letters():
    assert document_of_text("A text.", "x", language="en-GB").language == "en"
    assert document_of_text("A text.", "x", language="deu").language == "de"
    assert document_of_text("A text.", "x", language="und").language is None


FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize("place", ["metadata", "cell"])
def test_the_title_of_a_notebook_in_its_metadata_or_first_cell(place: str):
    cells = [{"cell_type": "raw", "source": "---\ntitle: Heat\n---"}] if place == "cell" else []
    cells.append({"cell_type": "markdown", "source": ["It flows."]})
    data = json.dumps({"cells": cells, "metadata": {"title": "Heat"} if place == "metadata" else {}}).encode()
    document = read_notebook(data, "a.ipynb", LIMITS)
    assert document.section(Kind.TITLE) == "Heat"
    assert document.text == "Heat\n\nIt flows."


def test_a_notebook():
    document = read_notebook((FIXTURES / "notebook.ipynb").read_bytes(), "a.ipynb", LIMITS)
    assert document.text == "Heat pumps\n\nThe brine flows. x\n\nResults\n\nThe pump works."
    assert document.section(Kind.TITLE) == "Heat pumps"
    assert document.warnings == ("left out: 1 code cell, 1 output",)
    assert document.coverage
    assert document.coverage.given > document.coverage.read


def test_cells_of_the_third_version():
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Brine"]},
        {"cell_type": "markdown", "source": "It flows."},
    ]
    document = read_notebook(json.dumps({"worksheets": [{"cells": cells}]}).encode(), "a.ipynb", LIMITS)
    assert document.text == "Brine\n\nIt flows."


def test_megabytes_of_pictures_take_little_time():
    picture = base64.b64encode(bytes(range(256)) * 20_000).decode()
    cells = [
        {"cell_type": "markdown", "source": f"Before\n\n![a picture](data:image/png;base64,{picture})\n\nAfter it."},
        {"cell_type": "code", "source": "plot()", "outputs": [{"data": {"image/png": picture}}]},
    ]
    data = json.dumps({"cells": cells}).encode()
    start = time.process_time()
    assert read_notebook(data, "a.ipynb", LIMITS).text == "Before\n\na picture\n\nAfter it."
    assert time.process_time() - start < 5


@pytest.mark.parametrize("data", [b"{", b"[" * 100_000, b"\x00\x01\x02" * 99])
def test_what_is_no_notebook(data: bytes):
    with pytest.raises((BrokenFile, ValueError)):
        read_notebook(data, "a.ipynb", LIMITS)


@pytest.mark.parametrize("notebook", [[], {}, {"cells": 3}, {"cells": [3, None, {}, {"cell_type": "markdown"}]}])
def test_notebooks_without_text(notebook: object):
    with pytest.raises(EmptyInput):
        read_notebook(json.dumps(notebook).encode(), "a.ipynb", LIMITS)


def test_web_subtitles_that_roll():
    document = read_subtitles((FIXTURES / "talk.vtt").read_bytes(), "talk.vtt", LIMITS)
    spoken = "the heat pump is filled with brine & water and then it freezes."
    assert document.text == f"{spoken}\n\nLater it thaws."
    assert document.language == "en"
    assert document.warnings == ("left out: 1 description of a sound",)


def test_subtitles_with_tags_speakers_and_sounds():
    document = read_subtitles((FIXTURES / "talk.srt").read_bytes(), "talk.srt", LIMITS)
    assert document.text == "The heat pump is cold. Yes, brine. No."


@pytest.mark.parametrize(
    ("cues", "text"),
    [
        ("00:01.000 --> 00:02.000\nHeat\n\n00:02.000 --> 00:03.000\nHeat pump\n", "Heat pump"),
        ("00:01.000 --> 00:02.000\nHeat\n00:02.000 --> 00:03.000\npump", "Heat pump"),
        ("00:01.000 --> 00:02.000\n3 < 4 and 5\n", "3 < 4 and 5"),
        ("00:01.000 --> 00:02.000\n♪ la la ♪\n\n00:03.000 --> 00:04.000\nBrine --> water\n", "la la Brine --> water"),
    ],
)
def test_cues(cues: str, text: str):
    assert read_subtitles(f"WEBVTT\n\n{cues}".encode(), "a.vtt", LIMITS).text == text


def test_a_cue_of_subrip_may_have_blank_lines():
    cues = "1\n00:00:01,000 --> 00:00:02,000\nHeat\n\npumps\n\n2\n00:00:02,000 --> 00:00:03,000\nare warm\n\n42\n"
    assert read_subtitles(cues.encode(), "a.srt", LIMITS).text == "Heat pumps are warm 42"


def test_no_speech():
    with pytest.raises(EmptyInput):
        read_subtitles(b"WEBVTT\n\n00:01.000 --> 00:02.000\n[Music]\n", "a.vtt", LIMITS)
