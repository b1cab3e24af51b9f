"""A service that needs a token: browsers ask for it as a password."""

import pytest
from tests.service.running import running

TOKEN = "0123456789abcdef0123"  # noqa: S105 - of this test


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    file = tmp_path_factory.mktemp("tokens") / "tokens"
    file.write_text(TOKEN + "\n", "ascii")
    with running("--jobs", "1", "--token-file", file) as service:
        yield service.address


def test_the_token_is_the_password(browser, guarded):
    for password, status in ((TOKEN, 200), ("wrong", 401)):
        context = browser.new_context(http_credentials={"username": "anybody", "password": password})
        page = context.new_page()
        assert page.goto(guarded + "/").status == status
        if status == 200:
            page.fill("#text", "Tide gauges drift. A tide gauge in salt water drifts.")
            page.click("text=Extract keyphrases")
            page.wait_for_selector("#results article")
        context.close()
