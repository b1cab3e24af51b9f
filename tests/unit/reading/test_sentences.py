"""No sentence is lost in silence, whatever is around it, and marks are no text: JATS, TEI, subtitles, Markdown."""

import pytest

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
    ],
)
def test_front_matter_of_each_kind_is_not_text(matter: str, title: str):
    document = read_markdown(f"{matter}\n\n{SENTENCES[0]}\n".encode(), "a.md", LIMITS)
    assert document.text == f"{title}\n\n{SENTENCES[0]}"


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("The pump[^1] runs.", "The pump runs."), ("[^1]: The tank is warm.", "The tank is warm."),
        ("- [x] The pump runs.", "The pump runs."), ("> [!NOTE]\n> The pump runs.", "The pump runs."),
        ("~~The pump~~ runs.", "The pump runs."), ("[![build](a.svg)](b) The pump runs.", "The pump runs."),
    ],
)  # fmt: skip
def test_marks_of_markdown_are_no_text(marked: str, plain: str):
    assert read_markdown(marked.encode(), "a.md", LIMITS).text == plain
