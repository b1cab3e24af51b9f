"""The page by axe-core: people who use a keyboard, a screen reader, a phone, dark colours, or write from the right."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.browser.test_page import ARTICLE, NOTE, ask

ARABIC = (
    "تؤدي الكمامات الطبية إلى إبطاء انتشار العدوى في المستشفيات. تقيس الدراسة أثر الكمامات الطبية في انتشار العدوى بين"
    " المرضى، وتقارن المستشفيات التي تستعمل الكمامات الطبية بغيرها."
)
"""Written for this test: medical masks slow the spread of infection in hospitals."""
PHONE = {"viewport": {"width": 390, "height": 844}}
LOOKS = [(320, "dark"), (1280, "light")]
"""Widths and colours, each once: no colour depends on the width."""


def findings(page):
    """Return the rules that are broken in a serious or critical way, with the places."""
    results = Axe().run(page).response
    return [
        (each["id"], [node["target"] for node in each["nodes"]])
        for each in results["violations"]
        if each["impact"] in {"serious", "critical"}
    ]


@pytest.mark.parametrize("options", [{}, {"color_scheme": "dark", **PHONE}], ids=["desktop", "phone"])
def test_nothing_serious(open_page, options):
    page = open_page(**options)
    page.click("#input summary")
    assert findings(page) == []
    page.set_input_files("#files", ARTICLE)
    ask(page)
    page.click("#results summary >> nth=0")
    page.check('[aria-label="accept"] >> nth=0', force=True)
    page.check('[aria-label="reject"] >> nth=1', force=True)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    ask(page, " ")
    assert findings(page) == []


def test_arabic_is_shown_from_the_right(open_page):
    page = open_page(**PHONE)
    ask(page, ARABIC)
    assert page.evaluate("getComputedStyle(document.querySelector('article .text p')).direction") == "rtl"
    assert page.evaluate("getComputedStyle(document.querySelector('#text')).direction") == "rtl"
    assert "الكمامات الطبية" in page.text_content(".phrases")
    assert findings(page) == []


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_serious_with_many_documents_of_which_some_fail(open_page, tmp_path, width, scheme):
    page = open_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    for name in ("broken.pdf", "empty.txt", "bad.docx"):
        (tmp_path / name).write_text("" if name == "empty.txt" else "nothing", "utf-8")
    files = [ARTICLE, NOTE, NOTE.with_name("article.md"), *sorted(tmp_path.iterdir())]
    page.set_input_files("#files", [file for file in files if file.exists()])
    ask(page, ARABIC)
    assert page.locator("[role=alert] li").count() == 3
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
