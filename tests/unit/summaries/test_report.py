"""Reports: fates of keyphrases, and the page."""

from tests.unit.summaries.test_kpeval import kpeval

from keywright.summaries.pairs import Pair, parse_pair
from keywright.summaries.report import Fate, SummaryFates, SummaryReport, find_all_fates


def pair(summary: str, references: list[str], source: str | None = None) -> Pair:
    return parse_pair({"id": "t<1>", "system": "a", "summary": summary, "references": references, "source": source})


def fates(*arguments: str | list[str] | None) -> SummaryFates:
    return next(find_all_fates([pair(*arguments)], kpeval(longest=1)))  # type: ignore[arg-type]


def names(report: SummaryFates) -> dict[str, str]:
    return {keyphrase.text: keyphrase.fate.value for keyphrase in report.keyphrases}


def test_keyphrases_are_kept_lost_added_or_invented() -> None:
    report = fates("tides wind storm", ["tides moon"], "The tides, the moon and the wind.")
    assert names(report) == {"tides": "kept", "moon": "lost", "wind": "added", "storm": "invented"}


def test_nothing_is_invented_without_a_source() -> None:
    assert names(fates("tides storm", ["tides"])) == {"tides": "kept", "storm": "added"}


def test_the_most_probable_come_first_with_their_places() -> None:
    report = fates("gauge\ntides", ["moon tides", "tides"])
    assert [(each.text, each.probability) for each in report.keyphrases] == [
        ("tides", 0.8),
        ("gauge", 0.4),
        ("moon", 0.2),
    ]
    tides = report.with_fate(Fate.KEPT)[0]
    assert (tides.in_summary, tides.in_others) == (((6, 11),), ((0, ((5, 10),)), (1, ((0, 5),))))


def test_a_pair_without_anything_to_compare_with_is_noted() -> None:
    report = next(find_all_fates([Pair("t", "a", pair("tides", ["x"]).summary)], kpeval()))
    assert report.notes == ("nothing to compare with",)
    assert report.as_json()["counts"] == {"kept": 0, "lost": 0, "added": 1, "invented": 0}


def test_the_page_escapes_and_marks_the_texts() -> None:
    page = SummaryReport((), (fates("tides & <b>", ["tides moon"]),), {"kpeval": "sig"}).html()
    assert "t&lt;1&gt;" in page
    assert '<mark class="kept">tides</mark> &amp; &lt;' in page
    assert '<mark class="lost">moon</mark>' in page


def test_arabic_lists_run_from_right_to_left() -> None:
    assert '<ol dir="rtl">' in SummaryReport((), (fates("القرى", ["القرى"]),), {}).html()


def test_a_page_of_many_summaries_says_how_many_it_shows() -> None:
    report = SummaryReport((), tuple(fates("tides", ["tides"]) for _ in range(21)), {})
    assert "20 of 21 summaries are shown" in report.html()
    assert len(report.as_json()["summaries"]) == 21
