"""The page of extracted keyphrases: escaped, self-contained, every mention marked."""

import re

import pytest
from lxml import html

from keywright.core.documents import Coverage, Document, Section, SectionKind
from keywright.core.keyphrases import Acronym, Grounds, Keyphrase, Place, Sentence
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.keyphrase_page import Article, render_page
from keywright.faces.outputs.keyphrase_page import render_article as article

TEXT = (
    "Tide gauges & <b>levels</b>\n\n1 Introduction\n\nA low tide gauge drifts.\nTide </mark> gauges.\n\n"
    "if x < 3:\n    y = 4\n\nThe end."
)
SECTIONS = (
    Section(SectionKind.TITLE, 0, 27),
    Section(SectionKind.HEADING, 29, 43),
    Section(SectionKind.INTRODUCTION, 45, 91),
    Section(SectionKind.CONCLUSION, TEXT.index("The end"), len(TEXT)),
)
DOCUMENT = Document('<i>"d".pdf', TEXT, SECTIONS, meta={"pages": [0, 40]})
AT = TEXT.index("A low")
GAUGE = Keyphrase(
    "tide gauge",
    2.0,
    0.64,
    ((0, 11), (AT + 6, AT + 16)),
    {"mentions": 2.0},
    Grounds(
        {"how often": ("mentions",)}, (Place(SectionKind.TITLE, 1, 1),), Sentence(TEXT[AT : AT + 24], (AT, AT + 24))
    ),
    Acronym("TG", "tide gauge"),
)
LOW = Keyphrase("low tide", 1.0, None, ((AT + 2, AT + 10),))
ABSENT = Keyphrase("altimetry", 0.5)
PREDICTION = Prediction(
    DOCUMENT.id, (GAUGE, LOW, ABSENT), None, Coverage(90, 1000), ("page 3 <is> a picture",), "en", ("tides", "R&D")
)


def parsed(*articles: Article, failures=()):
    text = render_page(articles, failures, "toy|<v1>")
    assert text.encode("utf-8")
    return text, html.document_fromstring(text)


def words(node):
    return " ".join(node.text_content().split())


def spaced(node):
    """As ``words``, parts of the page apart."""
    return " ".join(" ".join(node.itertext()).split())


def test_everything_given_is_escaped_and_nothing_is_loaded():
    text, tree = parsed(article(DOCUMENT, PREDICTION, 1), failures=[Failure("<b>", "x", "<script>", "")])
    assert not tree.xpath("//script | //link | //img | //iframe | //i | //*[@src] | //*[starts-with(name(@*), 'on')]")
    assert all(link.startswith("#") for link in tree.xpath("//@href"))
    assert "url(" not in text
    assert "@import" not in text
    assert "<b>: <script>" in words(tree.xpath("//header")[0])
    assert words(tree.xpath("//h2")[-1]) == '<i>"d".pdf'
    assert words(tree.xpath("//footer")[0]) == "System: toy|<v1>"


def test_the_policy_of_the_page_allows_styles_only():
    _, tree = parsed(article(DOCUMENT, PREDICTION, 1))
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives.pop("style-src") == "'unsafe-inline'"
    assert directives.keys() >= {"default-src", "base-uri", "form-action"}  # the last two have no default
    assert set(directives.values()) == {"'none'"}


def test_the_whole_text_stands_there_with_every_mention_marked():
    _, tree = parsed(article(DOCUMENT, PREDICTION, 1))
    (text,) = tree.xpath("//section[@class='text']")
    assert text.get("lang") == "en"
    blocks = [words(one) for one in text if one.get("class") != "kind"]
    assert " ".join(blocks) == " ".join(TEXT.split())
    marks = [(one.text_content(), one.get("title")) for one in text.xpath(".//mark")]
    assert marks == [
        ("Tide gauges", "1. tide gauge"),
        ("low ", "2. low tide"),
        ("tide", "1. tide gauge; 2. low tide"),
        (" gauge", "1. tide gauge"),
    ]


def test_sections_are_headings_and_code_keeps_its_lines():
    _, tree = parsed(article(DOCUMENT, PREDICTION, 1))
    headings = [(one.get("class"), words(one)) for one in tree.xpath("//section[@class='text']/h4")]
    assert headings == [("title", "Tide gauges & <b>levels</b>"), ("heading", "1 Introduction"), ("kind", "Conclusion")]
    (code,) = tree.xpath("//p[@class='lines'][contains(., 'if x')]")
    assert code.text_content() == "if x < 3:\n    y = 4"


def test_the_list_says_what_is_known_of_each_phrase():
    _, tree = parsed(article(DOCUMENT, PREDICTION, 1))
    first, second, third = map(spaced, tree.xpath("//section[@class='phrases']/ol/li"))
    assert first.startswith("tide gauge (TG) 64 % 2 mentions: title, introduction; pages 1, 2 Why how often mentions 2")
    assert "places title p. 1" in first
    assert first.endswith("A low tide gauge drifts.")
    assert second == "low tide 1 1 mention: introduction; page 2"
    assert third == "altimetry 0.5 not in the document"
    assert tree.xpath("//*[@class='bar']/rect/@width") == ["64.0"]  # of 100
    assert [words(one) for one in tree.xpath("//section[@class='phrases']/ul/li")] == ["tides", "R&D"]
    facts = [words(one) for one in tree.xpath("//*[@class='facts']")]
    assert facts == ["language en, 90 of 1,000 characters read", "page 3 <is> a picture"]


def test_links_lead_to_first_mentions_and_documents():
    _, tree = parsed(*(article(DOCUMENT, PREDICTION, number) for number in (1, 2)))
    assert len(tree.xpath("//nav//li")) == 2
    targets = [link.removeprefix("#") for link in tree.xpath("//@href")]
    assert sorted(targets) == sorted(set(targets))
    assert all(len(tree.xpath(f"//*[@id='{target}']")) == 1 for target in targets)
    assert words(tree.xpath("//nav//li")[0]) == '<i>"d".pdf tide gauge, low tide, altimetry'
    _, alone = parsed(article(DOCUMENT, PREDICTION, 1))
    assert not alone.xpath("//nav")


@pytest.mark.parametrize("odd", ["\x00", "\x07", "\udcff", "\u202e", "\x9b", "\ufffe"])
def test_what_is_no_text_stands_as_a_replacement_mark(odd):
    document = Document(f"d{odd}", f"Tide{odd} gauges")
    text, _ = parsed(article(document, Prediction(document.id, ()), 1))
    assert odd not in text
    assert "Tide\ufffd gauges" in text


def test_no_phrases_and_no_documents():
    document = Document("d", "Tide gauges")
    _, tree = parsed(article(document, Prediction("d", ()), 1))
    assert "No keyphrases were found." in words(tree)
    assert "Keyphrases of 0 documents" in parsed(failures=[Failure("a", "x", "gone", "")])[0]


def test_a_thousand_phrases_that_overlap():
    count = 1000
    text = " ".join(f"w{n}" for n in range(count + 2))
    starts = [found.start() for found in re.finditer(r"\S+", text)]
    keyphrases = tuple(
        Keyphrase(text[starts[n] : starts[n + 2] - 1], -n, spans=((starts[n], starts[n + 2] - 1),))
        for n in range(count)
    )
    document = Document("d", text)
    _, tree = parsed(article(document, Prediction("d", keyphrases), 1))
    assert len(tree.xpath("//section[@class='phrases']/ol/li")) == count
    assert words(tree.xpath("//section[@class='text']")[0]) == text
    assert len({one.get("id") for one in tree.xpath("//section[@class='text']//a")}) == count


def test_hidden_phrases_are_not_listed_and_the_others_keep_their_ranks():
    _, tree = parsed(article(DOCUMENT, PREDICTION, 1, hidden=[1]))
    entries = tree.xpath("//section[@class='phrases']/ol/li")
    assert [entry.get("value") for entry in entries] == ["1", "3"]
