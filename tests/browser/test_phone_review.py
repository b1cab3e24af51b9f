"""An editor on a phone: paste, extract, review, add, save, in under ten taps; the file holds what was shown."""

import csv
import io
from pathlib import Path

from tests.browser.test_page import TEXT, phrases

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def test_a_review_on_a_phone(open_page):
    page = open_page(**PHONE)
    taps = []

    def tap(selector):
        taps.append(selector)
        page.tap(selector)

    tap("#text")
    page.fill("#text", TEXT)
    tap("text=Extract keyphrases")
    page.wait_for_selector("#results article")
    shown = phrases(page)
    tap(f'[data-phrase="{shown[1]}"] label:has([aria-label="reject"])')
    tap(f'[data-phrase="{shown[0]}"] label:has([aria-label="accept"])')
    tap(".missing textarea")
    page.fill(".missing textarea", "pollinator habitat")
    taps.append("#format")
    page.select_option("#format", "csv")
    with page.expect_download() as download:
        tap("#save")
    assert len(taps) < 10
    assert page.text_content("#save") == f"Save {len(shown)} keyphrases"
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))
    assert [row["keyphrase"] for row in rows] == [shown[0], *shown[2:], "pollinator habitat"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
