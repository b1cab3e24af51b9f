"""HTML pages: one file that loads nothing, escaped; and hits, mistakes and their costs in two documents, by hand."""

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.builders import run
from tests.unit.evaluation.publishing.small_runs import FIRST, LABELLED, ODD, PROTOCOL, comparison, scored

from keywright.core.errors import MissingExtra
from keywright.evaluation.answers import parse_answers
from keywright.evaluation.publishing.page_content import Part, Phrase, list_mistakes, list_phrases, make_view
from keywright.evaluation.publishing.writing import Publication, publish, publish_comparison
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats.pairing import pair_with_gold

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


# One hit more: 3 of 10 predictions and of 5 gold phrases, F .4 after .2667.
GAIN = 0.4 - 0.8 / 3


def test_phrases_of_both_sides():
    _, judged = scored()
    assert list_phrases(judged, PROTOCOL, "author", 5) == (
        Phrase("A", "tides", predicted=True, gold=True, present=True),
        Phrase("A", "storm", predicted=True, gold=False, present=False),
        Phrase("A", "deep sea", predicted=False, gold=True, present=True),
        Phrase("B", "storm", predicted=True, gold=True, present=True),
        Phrase("B", "rain gauge", predicted=False, gold=True, present=True),
        Phrase("B", ODD, predicted=False, gold=True, present=False),
    )


def test_only_predictions_up_to_the_cutoff_count():
    _, judged = scored()
    found = list_phrases(judged, PROTOCOL, "author", 1)
    assert [one.text for one in found if one.predicted] == ["tides", "storm"]
    assert [one.text for one in list_phrases(judged, PROTOCOL, "author", "M") if one.predicted] == [
        "tides",
        "storm",
        "storm",
    ]


def test_answers_are_shown_as_they_are():
    answers = pair_with_gold(FIRST, LABELLED, dict)
    lines = parse_answers(b"A : tide,storm\nB : storm\n", ByteMarks.KEPT)
    found = list_phrases(replace(answers, predictions=lines), PROTOCOL, "author", 5)
    assert [one.text for one in found if one.predicted and one.gold] == ["tide", "storm"]


def test_costs():
    report, judged = scored()
    found = list_phrases(judged, PROTOCOL, "author", 5)
    (wrong,) = list_mistakes(found, report.counts["author"], PROTOCOL, 5, missed=False)
    assert (wrong.text, wrong.documents, wrong.cost) == ("storm", ("A",), pytest.approx(GAIN))
    missed = list_mistakes(found, report.counts["author"], PROTOCOL, 5, missed=True)
    assert [one.text for one in missed] == [ODD, "deep sea", "rain gauge"]
    assert [one.cost for one in missed] == [pytest.approx(GAIN)] * 3


def test_a_mistake_in_more_documents_costs_more_and_none_where_nothing_can_be_gained():
    report, judged = scored(
        replace(
            FIRST,
            predictions=tuple(
                replace(one, keyphrases=(*one.keyphrases, replace(one.keyphrases[0], text="ice")))
                for one in FIRST.predictions
            ),
        )
    )
    found = list_phrases(judged, PROTOCOL, "author", 5)
    wrong = list_mistakes(found, report.counts["author"], PROTOCOL, 5, missed=False)
    # "ice" in both documents: 4 of 10 and of 5, F .5333.
    assert [(one.text, len(one.documents)) for one in wrong] == [("ice", 2), ("storm", 1)]
    assert wrong[0].cost == pytest.approx(1.6 / 3 - 0.8 / 3)


def test_views_of_parts():
    report, judged = scored()
    seen = make_view(report, judged, PROTOCOL)
    assert (seen.kind, seen.cutoff) == ("author", 5)
    assert seen.kinds == (Part("author", 2, 0.2, 0.4, pytest.approx(0.8 / 3)),)
    # air: document B, 1 hit of 5 and of 3; water: document A, 1 of 5 and of 2.
    assert seen.categories == (
        Part("air", 1, 0.2, pytest.approx(1 / 3), pytest.approx(0.25)),
        Part("water", 1, 0.2, 0.5, pytest.approx(2 / 7)),
    )
    # One word: 3 predicted, 2 in the gold, both hit. Two words: 2 in the gold. The odd one has many.
    assert seen.lengths[0] == Part("1 word", 3, pytest.approx(2 / 3), 1.0, pytest.approx(0.8))
    assert seen.lengths[1] == Part("2 words", 2, None, 0.0, 0.0)
    assert seen.lengths[2].name == "4 words or more"
    # Present: 2 predicted, 4 in the gold. Absent: 1 and 1.
    assert seen.presence == (Part("present", 4, 1.0, 0.5, pytest.approx(2 / 3)), Part("absent", 2, 0.0, 0.0, 0.0))
    assert seen.documents["author"] == (("A", pytest.approx(2 / 7)), ("B", pytest.approx(0.25)))
