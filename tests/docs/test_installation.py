"""The page on installation: as the stored sizes give it, with every extra, and the sizes that matter."""

import json
import tomllib

from tools.pages.installation import EXTRAS, PAGE, RESULTS, ROOT, page


def test_the_page_is_what_the_results_give() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_every_extra_is_in_the_table() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(EXTRAS) == set(extras) - {"arabic-gpl", "scale", "dev", "docs"}  # named below it


def test_the_stored_core_is_below_its_bound() -> None:
    assert json.loads(RESULTS.read_text("utf-8"))["rows"]["keywright"]["megabytes"] < 220
