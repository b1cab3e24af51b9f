"""HTML pages: one file that loads nothing, escaped, with titles for what cannot be read aloud."""

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.builders import run
from tests.unit.evaluation.publishing.small_runs import FIRST, ODD, PROTOCOL, comparison, scored

from keywright.core.errors import MissingExtra
from keywright.evaluation.publishing.writing import Publication, publish, publish_comparison

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Elements in their order, attributes, and whether all that opens closes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.balanced = True
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        self.balanced &= bool(self.open) and self.open.pop() == tag

    def all(self, name: str):
        return [attributes for tag, attributes in self.elements if tag == name]


@pytest.fixture(scope="module")
def pages():
    report, judged = scored(run({"A": ("tides", "数理 $x$"), "B": (ODD + "!",)}, "<b>odd</b> $x$|v0"))
    names = {ODD: FIRST, "<i>two</i>": FIRST}
    return {
        "report": publish([(report, judged), (report, judged)], [PROTOCOL, PROTOCOL], Publication.HTML),
        "comparison": publish_comparison(comparison(**names), Publication.HTML),
    }


@pytest.mark.parametrize("name", ["report", "comparison"])
def test_a_page_is_one_file_that_loads_nothing(pages, name):
    text = pages[name]
    assert not re.search(r"https?:|//[a-z]|@import|javascript:", text.replace("</script>", "").lower())
    page = Page(text)
    for tag, attributes in page.elements:
        assert tag not in {"script", "link", "img", "iframe", "object", "embed"}
        for attribute, value in attributes.items():
            assert not attribute.startswith("on")
            if attribute in {"href", "src", "xlink:href"}:
                assert value.startswith("#")
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)", text))


@pytest.mark.parametrize("name", ["report", "comparison"])
def test_a_page_is_whole_escaped_and_accessible(pages, name):
    page = Page(pages[name])
    assert page.balanced
    assert page.open == []
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("h1")) == len(page.all("main")) == 1
    assert page.all("b") == page.all("i") == []
    assert len(page.all("svg")) >= 2
    ids = [attributes["id"] for _, attributes in page.elements if attributes.get("id")]
    assert len(ids) == len(set(ids))
    for svg in page.all("svg"):
        assert svg["role"] == "img"
        assert svg["aria-labelledby"] in ids
    used = [attributes["xlink:href"][1:] for attributes in page.all("use")]
    assert set(used) <= set(ids)
    assert len(page.all("caption")) == len(page.all("table")) > 0
    assert all(attributes["scope"] == "col" for attributes in page.all("th"))


def test_the_report_shows_its_parts_and_its_mistakes(pages):
    text = pages["report"]
    for part in ("By kind of gold", "By category", "By length of phrase", "Present and absent", "Mistakes"):
        assert f"<h3>{part}</h3>" in text
    assert "数理 $x$" in text
    assert "&lt;script&gt;" in text
    assert "Predicted, but not in the gold: all 2." in text


def test_the_same_numbers_give_the_same_file(pages):
    assert publish_comparison(comparison(**{ODD: FIRST, "<i>two</i>": FIRST}), Publication.HTML) == pages["comparison"]


def test_plots_are_readable_without_colour(pages):
    for text in pages.values():
        for colour in re.findall(r"(?:fill|stroke): #([0-9a-f]{6})", text):
            assert colour[:2] == colour[2:4] == colour[4:]


def test_without_matplotlib_the_line_that_installs_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    report, judged = scored()
    with pytest.raises(MissingExtra, match=r'pip install "\.\[eval\]"'):
        publish([(report, judged)], [PROTOCOL], Publication.HTML)
    assert publish([(report, judged)], [PROTOCOL], Publication.CSV)


def test_a_report_without_texts_or_categories_has_no_such_parts():
    report, judged = scored()
    bare = tuple(replace(one, document=replace(one.document, text="", meta={})) for one in judged.labelled)
    text = publish([(report, replace(judged, labelled=bare))], [PROTOCOL], Publication.HTML)
    assert "By category" not in text
    assert "Present and absent" not in text
