"""Pages whose text is in their description for search engines (JSON-LD), and pages that scripts write."""

import json

import pytest

from keywright.core.documents import Document
from keywright.reading.formats.html import read_html
from keywright.reading.limits import Limits

SHELL = "<html><head><title>A garden</title>{}</head><body><div id=app>Loading</div></body></html>"
SENTENCES = "Eelgrass meadows are home to young cod.", "They also keep the sand where it is."
NOTE = "the page shows less text than its description for search engines, which was read"
SCRIPTS = "scripts were not run: if a browser shows more text, save the page there"


def read(page: str) -> Document:
    return read_html(page.encode(), "a.html", Limits())


def describe(*things: object) -> str:
    data = (json.dumps(thing).replace("</", r"<\/") for thing in things)
    return "".join(f'<script type="application/ld+json">{each}</script>' for each in data)


@pytest.mark.parametrize(
    "thing",
    [
        {"@type": "NewsArticle", "articleBody": "\n".join(SENTENCES)},
        {"@graph": [{"@type": ["WebSite"], "description": "All about the sea."}, {"articleBody": " ".join(SENTENCES)}]},
        {"@type": "Recipe", "recipeInstructions": [{"@type": "HowToStep", "text": each} for each in SENTENCES]},
        {"@type": "JobPosting", "description": "&lt;p&gt;" + "&lt;/p&gt;&lt;p&gt;".join(SENTENCES)},
        {"@type": "FAQPage", "mainEntity": {"name": SENTENCES[0], "acceptedAnswer": {"text": SENTENCES[1]}}},
        [{"articleBody": f"<p>{SENTENCES[0]}</p><p>{SENTENCES[1]}<script>alert(1)</script></p>"}],
    ],
)
def test_texts_of_the_description_are_read(thing: object):
    document = read(SHELL.format(describe(thing)))
    assert [document.text.count(each) for each in SENTENCES] == [1, 1]
    assert "the sea" not in document.text
    assert "alert" not in document.text
    assert NOTE in document.warnings


def test_a_description_of_what_is_shown_is_not_read_again():
    shown = "".join(f"<p>{each}</p>" for each in SENTENCES)
    page = shown + describe({"articleBody": " ".join(SENTENCES)}, {"description": "Of cod."})
    assert read(page).text == "\n\n".join(SENTENCES)
    assert read(page).warnings == read(shown).warnings


def test_tags_of_a_description_do_not_make_it_longer_or_another_text():
    shown = "".join(f"<p>{each}</p>" for each in SENTENCES)
    marked = "".join(f"<p class='a-long-name-of-a-class'><span>{each}</span></p>" for each in SENTENCES)
    assert read(shown + describe({"description": marked})).text == "\n\n".join(SENTENCES)


def test_the_rest_of_a_text_is_read_once():
    page = f"<p>{SENTENCES[0]}</p>" + describe({"articleBody": SENTENCES[0]}, {"text": " ".join(SENTENCES[::-1])})
    assert read(page).text.count(SENTENCES[1]) == 1


@pytest.mark.parametrize("data", ['{"articleBody": ', "[" * 100_000, "", "3", '{"articleBody": 3, "text": null}'])
def test_a_damaged_description_costs_nothing(data: str):
    page = f'<script type="application/ld+json">{data}</script><p>{SENTENCES[0]}</p>'
    assert read(page).text == SENTENCES[0]
    assert not read(page).warnings


def test_a_page_that_scripts_write_says_so():
    shell = SHELL.format("<script src=app.js></script>")
    assert SCRIPTS in read(shell).warnings
    assert SCRIPTS not in read(SHELL.format("")).warnings
    long = "".join(f"<p>{' '.join(SENTENCES)} {number}</p>" for number in range(9))
    assert SCRIPTS not in read(shell.replace("Loading", long)).warnings
