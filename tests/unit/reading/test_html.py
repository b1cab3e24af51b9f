"""Main text of pages without trafilatura: declared elements, and the decision tree on pages without any."""

from pathlib import Path

import pytest

from keywright.core.documents import SectionKind as Kind
from keywright.core.documents import cover_sections
from keywright.reading.formats import html
from keywright.reading.formats.html import read_html
from keywright.reading.limits import Limits

EXAMPLES = Path(__file__).parents[3] / "examples"
WORDS = "Sand filters the water that runs from roofs before it reaches the garden and the drain below"  # 17 words
CLAY = "Clay keeps the water of the last storm for weeks and feeds the roots of every young tree"  # 18 words


@pytest.fixture
def plainly(monkeypatch):
    monkeypatch.setattr(html, "has_trafilatura", lambda: False)


def page(body: str) -> list[str]:
    """Return the blocks of the main text of a page: those that are not notices."""
    document = read_html(f"<html><body>{body}</body></html>".encode(), "x.html", Limits())
    sections = (section for section in cover_sections(document) if section.kind != Kind.NOTICE)
    text = "".join(document.text[section.start : section.end] for section in sections)
    return [block for block in text.split("\n\n") if block]


def link(words: str) -> str:
    return f'<p><a href="x">{words}</a></p>'


@pytest.mark.usefixtures("plainly")
def test_the_example_is_read_without_menus_and_notes():
    document = read_html((EXAMPLES / "article.html").read_bytes(), "article.html", Limits())
    for word in ("tracking", "color", "All issues", "newsletter", "Weight"):
        assert word not in document.text
    assert (document.section(Kind.ABSTRACT) or "").startswith("When libraries")
    assert (document.section(Kind.CONCLUSION) or "").startswith("Duplicate detection")
    assert document.section(Kind.CAPTION) == "Figure 1: Sizes of blocks in the union catalogue."
    assert '".[html]"' in document.warnings[-1]


@pytest.mark.usefixtures("plainly")
def test_a_page_that_is_read_whole_has_no_warning():
    assert read_html(b"<p>Just this.", "x.html", Limits()).warnings == ()


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize(
    "furniture",
    [
        '<div role="navigation"><p>{}</p></div>', '<div class="page-sidebar"><p>{}</p></div>',
        '<div id="cookieBanner"><p>{}</p></div>', "<div hidden><p>{}</p></div>", "<footer><p>{}</p></footer>",
        '<div aria-hidden="true"><p>{}</p></div>',
    ],
)  # fmt: skip
def test_parts_with_the_role_or_name_of_furniture_are_left_out(furniture):
    assert page(f"<p>{WORDS}</p><p>{WORDS}</p>{furniture.format('We ' + WORDS)}") == [WORDS, WORDS]


@pytest.mark.usefixtures("plainly")
def test_a_frame_around_everything_is_not_furniture_whatever_its_name():
    assert page(f'<div class="with-sidebar"><p>{WORDS}</p></div>') == [WORDS]


@pytest.mark.usefixtures("plainly")
def test_short_items_of_an_article_stay_and_its_lists_of_links_do_not():
    article = f"<article><p>{WORDS}</p><p>Sand</p><p>Two</p><ul><li>{link('Other article')}</li></ul></article>"
    assert page(f"<p>Home page</p>{article}") == [WORDS, "Sand", "Two"]


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize(
    ("blocks", "text"),
    [
        # words: above 16 content by itself; a short one is content after 5 words or before 16.
        ([WORDS, "one two"], [WORDS, "one two"]),
        (["one two", WORDS], ["one two", WORDS]),
        ([WORDS, "one two three four", "one two"], [WORDS, "one two three four"]),
        # after a block of links: content with 41 words itself, or with 18 words in the next block.
        ([WORDS, "", CLAY], [WORDS]),
        ([WORDS, "", f"{CLAY} {CLAY} {CLAY}"], [WORDS, f"{CLAY} {CLAY} {CLAY}"]),
        (["", WORDS, CLAY], [WORDS, CLAY]),
    ],
)
def test_the_decision_tree(blocks, text):
    assert page("".join(f"<p>{words}</p>" if words else link("Read more") for words in blocks)) == text


@pytest.mark.usefixtures("plainly")
def test_a_page_too_small_for_a_main_text_is_read_whole():
    assert page("<p>One.</p><p>Two.</p>") == ["One.", "Two."]
