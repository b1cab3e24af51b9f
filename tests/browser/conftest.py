"""A service of its own, and Chromium, in which a person uses the page.

Where no Chromium is installed these tests skip; in CI, where ``.ci/run`` installs it, that is a failure.
"""

import os
import shutil
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, sync_playwright
from tests.service.running import running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def address():
    with running("--jobs", "1", "--max-bytes", "2000000", "--timeout", "60") as service:
        yield service.address


@pytest.fixture(scope="module")  # its event loop, until it ends, lets no other test of the process run one
def browser():
    if not CHROMIUM:
        missing = pytest.fail if os.environ.get("CI") else pytest.skip
        missing("tests of the page need Chromium: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def contexts():
    """The contexts of a module by their options: pages store nothing, and the next page of a context opens sooner."""
    return {}


@pytest.fixture
def open_page(browser, contexts, address):
    """Return a function that opens the page; at the end nothing went wrong and nothing was asked elsewhere."""
    pages, wrong, hosts = [], [], set()

    def opened(**options: object) -> Page:
        if repr(options) not in contexts:
            contexts[repr(options)] = browser.new_context(**options)
        context = contexts[repr(options)]
        before = [page for page in context.pages if page not in pages]
        page = context.new_page()
        pages.append(page)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: _note(wrong, message))
        page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
        page.goto(address + "/")
        for page_of_test_before in before:  # until now, so that the process of the context's pages goes on
            page_of_test_before.close()
        return page

    yield opened
    for page in pages:
        if not page.is_closed():
            page.wait_for_timeout(0)  # hear of what went wrong
    assert wrong == []
    assert hosts <= {urlsplit(address).netloc, ""}  # the icon is data: and has none


def _note(wrong: list[str], message) -> None:
    """Note what the browser complains about; a status that says no is part of several tests."""
    if message.type in {"error", "warning"} and "the server responded with a status of 4" not in message.text:
        wrong.append(message.text)
