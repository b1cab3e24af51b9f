"""The page of a service with a calibrated system and a thesaurus: guaranteed precision, and concepts."""

import re

import pytest
from tests.browser.test_page import ask, phrases
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT
from tests.service.running import running

LABELLED = ROOT / "examples" / "labelled.jsonl"
THESAURUS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<https://example.org/1> a skos:Concept ; skos:prefLabel "Schools"@en ; skos:altLabel "school grounds"@en .
<https://example.org/2> a skos:Concept ; skos:prefLabel "<b>Rain</b>"@en ; skos:altLabel "rain gardens"@en .
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A service of this module, whose page ``open_page`` opens."""
    folder = tmp_path_factory.mktemp("settings")
    keywright("run", "sgrank", LABELLED, "-o", folder / "run.jsonl", "--quiet")
    keywright("calibrate", folder / "run.jsonl", "--gold", LABELLED, "-o", folder / "sgrank.json", "--quiet")
    (folder / "thesaurus.ttl").write_text(THESAURUS, "utf-8")
    keywright("vocabulary", "build", folder / "thesaurus.ttl", "-o", folder / "subjects")
    options = ("--system", "sgrank", "--calibrator", folder / "sgrank.json", "--vocabulary", folder / "subjects")
    with running("--jobs", "1", *options) as service:
        yield service.address


@pytest.mark.parametrize("options", [{}, {"java_script_enabled": False}])
def test_a_guaranteed_precision_leaves_out_phrases_below_its_threshold(open_page, options):
    page = open_page(**options)
    ask(page, (ROOT / "examples" / "note.txt").read_text("utf-8"))
    before = phrases(page)
    thresholds = list(map(float, page.get_attribute("#precision", "data-thresholds").split()))
    targets = page.get_attribute("#precision", "data-targets").split()
    assert targets[:3] == ["0.1", "0.2", "0.3"]
    assert thresholds == sorted(thresholds)
    page.focus("#precision")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    if options:
        page.click("text=Show these")
    assert page.text_content("#precision-shown") == "0.3"
    after = phrases(page)
    assert 0 < len(after) < len(before)
    shown = [float(each) for each in re.findall(r'data-probability="([\d.e-]+)"', page.content())]
    assert len(after) == sum(each >= thresholds[2] for each in shown)


def test_phrases_of_a_thesaurus_link_to_their_concepts(open_page):
    page = open_page()
    page.click("#input summary")
    page.select_option("[name=vocabulary]", "subjects")
    page.check("[name=only_vocabulary]")
    ask(page, (ROOT / "examples" / "note.txt").read_text("utf-8"))
    assert sorted(phrases(page)) == ["rain gardens", "school grounds"]
    links = {
        each.text_content(): each.get_attribute("href") for each in page.query_selector_all(".where a[href^=https]")
    }
    assert links == {"Schools": "https://example.org/1", "<b>Rain</b>": "https://example.org/2"}
