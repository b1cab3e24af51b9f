"""The page that describes the service to people who write programs for it."""

import json

import pytest
from playwright.sync_api import Page
from tests.browser.test_accessibility import LOOKS, findings

OPEN = "document.querySelectorAll('details').forEach((each) => each.open = true)"


@pytest.fixture
def open_interface(open_page):
    """Return a function that opens the page by its link."""

    def opened(**options: object) -> Page:
        page = open_page(**options)
        page.click("text=addresses and options")
        page.wait_for_selector("text=Interface for programs")
        return page

    return opened


def test_every_address_can_be_read(open_interface):
    page = open_interface()
    description = json.loads(page.evaluate("fetch('openapi.json').then((answer) => answer.text())"))
    for path, item in description["paths"].items():
        for method in item.keys() - {"parameters"}:
            name = item[method]["operationId"]
            page.click(f'nav a[href="#{name}"]')
            assert page.text_content(f"#{name} h2") == f"{method.upper()} {path}"
    page.evaluate(OPEN)
    options = description["components"]["schemas"]["ExtractRequest"]["properties"]
    shown = page.locator("#extract .fields").first.inner_text()
    assert [name for name in options if name not in shown] == []


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_is_too_wide_or_serious(open_interface, width, scheme):
    page = open_interface(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.evaluate(OPEN)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert findings(page) == []


def test_a_request_is_tried(open_interface):
    page = open_interface()
    page.click("#extract button")
    page.wait_for_selector("#extract .try pre:visible >> text=keyphrases")
    assert page.text_content("#extract [role=status]") == "200 OK"
    page.fill("#extract textarea", '{"text": 5}')
    page.click("#extract button")
    page.wait_for_selector("#extract .try pre:visible >> text=hint")
    assert page.text_content("#extract [role=status]").startswith("422")
    page.set_input_files(
        "#extract_file [type=file]", {"name": "a.txt", "mimeType": "", "buffer": b"Tide gauges drift."}
    )
    page.click("#extract_file button")
    page.wait_for_selector("#extract_file .try pre:visible >> text=a.txt")


def test_without_scripts_it_is_read_and_has_nothing_that_does_not_work(open_interface):
    page = open_interface(java_script_enabled=False)
    page.click("#extract summary >> nth=0")
    assert page.is_visible("#extract >> text=stop_phrases")
    assert page.locator(".try:visible").count() == 0
