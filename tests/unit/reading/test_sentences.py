"""No sentence is lost in silence, whatever is around it, and marks are no text: JATS, TEI, subtitles, Markdown."""

import pytest

from keywright.core.documents import SectionKind
from keywright.reading.formats import format_of
from keywright.reading.formats.html import read_html
from keywright.reading.formats.jats import read_jats
from keywright.reading.formats.markdown import read_markdown
from keywright.reading.formats.subtitles import read_subtitles
from keywright.reading.formats.tei import read_tei
from keywright.reading.limits import Limits

LIMITS = Limits()
SENTENCES = ("The pump runs at night.", "The tank keeps the floor warm.", "The valve is old.")


@pytest.mark.parametrize(
    "body",
    [
        "<sec><title>Heat</title>{0}<p>{1}</p>{2}</sec>", "<sec><my-block><p>{0}</p></my-block><p>{1} {2}</p></sec>",
        "<alternatives><p>{0}</p></alternatives><def-list><def-item><term>{1}</term><def>{2}</def></def-item></def-list>",
        "<sec><bio>{0} <bold>{1}</bold> {2}</bio></sec>", "<list><list-item>{0}</list-item></list><p>{1} {2}</p>",
    ],
)  # fmt: skip
def test_no_sentence_of_jats_is_lost_whatever_is_around(body: str):
    article = f"<article><front/><body>{body.format(*SENTENCES)}</body></article>"
    assert " ".join(SENTENCES) in " ".join(read_jats(article.encode(), "a.xml", LIMITS).text.split())


def test_articles_inside_an_article_are_told():
    inner = f"<sub-article><body><p>{SENTENCES[1]}</p></body></sub-article>"
    article = f"<article><front/><body><p>{SENTENCES[0]}</p></body>{inner}</article>"
    document = read_jats(article.encode(), "a.xml", LIMITS)
    assert (document.text, document.warnings) == (SENTENCES[0], ("left out: 1 sub-article",))


@pytest.mark.parametrize(
    "body",
    ["<div>{0}<p>{1}</p>{2}</div>", "<div><div>{0}</div><u>{1}</u></div><ab>{2}</ab>", "<p>{0} {1}</p><div>{2}</div>"],
)
def test_no_sentence_of_tei_is_lost_beside_paragraphs(body: str):
    text = f"<TEI><text><body>{body.format(*SENTENCES)}</body></text></TEI>"
    assert " ".join(SENTENCES) in " ".join(read_tei(text.encode(), "a.xml", LIMITS).text.split())


@pytest.mark.parametrize(
    "credit",
    [
        "Subtitles by the Amara.org community", "Sync and corrections by n17t01", "Untertitel von Stephanie Geiges",
        "Sous-titrage ST' 501", "Translated by Anna Roy", "Support us and become VIP member", "Субтитры Анна",
    ],
)  # fmt: skip
def test_those_who_made_subtitles_are_not_of_the_text(credit: str):
    cues = f"1\n00:00:01,000 --> 00:00:02,000\n{SENTENCES[0]}\n\n2\n00:00:02,000 --> 00:00:03,000\n{credit}\n"
    document = read_subtitles(cues.encode(), "a.srt", LIMITS)
    assert (document.text, document.warnings) == (SENTENCES[0], ("left out: 1 credit",))


@pytest.mark.parametrize(
    ("matter", "title"),
    [
        ('+++\ntitle = "Heat"\ntags = ["pump"]\n+++', "Heat"),
        ("---\ntitle: >-\n  Heat in\n  wells\n---", "Heat in wells"),
        ("---\ntitle: Heat\n...", "Heat"),
        ("\n--- \n'title' : Heat\n---  ", "Heat"),
        ('{\n "title": "Heat",\n "tags": ["pump", "well"]\n}', "Heat"),
    ],
)
def test_front_matter_of_each_kind_is_not_text(matter: str, title: str):
    document = read_markdown(f"{matter}\n\n{SENTENCES[0]}\n".encode(), "a.md", LIMITS)
    assert document.text == f"{title}\n\n{SENTENCES[0]}"


def test_text_between_lines_that_divide_it_is_no_front_matter():
    text = f"---\n\n{SENTENCES[0]}\n\n---\n\n{SENTENCES[1]}\n"
    assert read_markdown(text.encode(), "a.md", LIMITS).text == f"{SENTENCES[0]}\n\n{SENTENCES[1]}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.ass",
            (
                "[Script Info]\nTitle: x\n[V4+ Styles]\nStyle: Default,Arial,20\n[Events]\nFormat: Layer, Start\n"
                "Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ann,0,0,0,,{{\\i1}}{0}{{\\i0}}\n"
                "Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a remark\n"
                "Dialogue: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,The tank keeps\\Nthe floor warm.\n"
            ),
        ),
        ("a.sbv", "0:00:01.000,0:00:02.000\n{0}\n\n0:00:02.000,0:00:03.000\nThe tank keeps\nthe floor warm.\n"),
        ("a.lrc", "[ar:Ann]\n[00:01.00]{0}\n[00:02.00][00:09.00]<00:02.00>The tank <00:02.50>keeps the floor warm.\n"),
    ],
)
def test_subtitles_of_other_programs_are_their_words_alone(name: str, text: str):
    data = text.format(SENTENCES[0]).encode()
    (document,) = format_of(data, name).read(data, name, LIMITS)
    assert document.text == f"{SENTENCES[0]} {SENTENCES[1]}"


def test_names_of_those_who_speak_again_are_not_spoken():
    spoken = (
        f"Ann Roy: {SENTENCES[0]}",
        f"Bob: {SENTENCES[1]}",
        f"Ann Roy: {SENTENCES[2]}",
        "Note: It is warm.",
        "Bob: Yes.",
    )
    times = (f"00:0{at}.000 --> 00:0{at + 1}.000\n{line}" for at, line in enumerate(spoken))
    document = read_subtitles("\n\n".join(["WEBVTT", *times]).encode(), "a.vtt", LIMITS)
    assert document.text == f"{' '.join(SENTENCES)} Note: It is warm. Yes."


def test_the_front_of_a_book_of_project_gutenberg_is_a_notice_but_its_title():
    front = "The Project Gutenberg eBook of Heat, by Ann Roy\n\nTitle: Heat\n\nAuthor: Ann Roy\n\n"
    lines = "*** START OF THE PROJECT GUTENBERG EBOOK HEAT ***\n\n", "*** END OF THE PROJECT GUTENBERG EBOOK HEAT ***\n"
    text = f"{front}{lines[0]}{' '.join(SENTENCES)}\n\n{lines[1]}Licence.\n"
    (document,) = format_of(text.encode(), "a.txt").read(text.encode(), "a.txt", LIMITS)
    parts = [(part.kind, document.text[part.start : part.end].strip()) for part in document.sections]
    notices = [part for kind, part in parts if kind == SectionKind.NOTICE]
    assert [part for kind, part in parts if kind == SectionKind.TITLE] == ["Heat"]
    assert " ".join(notices).count("GUTENBERG") == 2
    assert not any(sentence in part for part in notices for sentence in SENTENCES)


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Heat</h1><noscript><p>{0}</p><p>{1}</p></noscript>",
        "<div>Loading…</div><noscript>{0} {1}</noscript>",
        "<nav><a href=x>Home</a></nav><main hidden><p>{0}</p><p>{1}</p></main><footer>Imprint</footer>",
        "<body style='display:none'><p>{0}</p><p>{1}</p>",
    ],
)
def test_a_page_that_hides_all_its_sentences_is_read(body: str):
    page = f"<html>{body.format(*SENTENCES)}"
    text = " ".join(read_html(page.encode(), "a.html", LIMITS).text.split())
    assert " ".join(SENTENCES[:2]) in text


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("The pump[^1] runs.", "The pump runs."), ("[^1]: The tank is warm.", "The tank is warm."),
        ("- [x] The pump runs.", "The pump runs."), ("> [!NOTE]\n> The pump runs.", "The pump runs."),
        ("[[wells|The pump]] runs. ^a-1", "The pump runs."), ("The pump runs.%%Check%% ![[a.png]]", "The pump runs."),
        ("| A | B |\n|---|---|\n| c | The pump runs at night. |", "A\n\nB\n\nc\n\nThe pump runs at night."),
        ("<p align=center>The pump</p>\n\n<!-- x -->\n\n<div>runs.</div>", "The pump\n\nruns."),
        ("~~The pump~~ runs.", "The pump runs."), ("[![build](a.svg)](b) The pump runs.", "The pump runs."),
    ],
)  # fmt: skip
def test_marks_of_markdown_are_no_text(marked: str, plain: str):
    assert read_markdown(marked.encode(), "a.md", LIMITS).text == plain


def test_cells_of_markdown_that_hold_a_sentence_are_read_line_by_line():
    table = f"# T\n\nText.\n\n| at | what |\n|---|---|\n| 8:10<br>{SENTENCES[0]}<br>bring cups | 2 |\n"
    assert SENTENCES[0] in read_markdown(table.encode(), "x.md", Limits()).text
    assert "one two" in read_markdown(b"one<br>two three.", "x.md", Limits()).text
