"""Curves over numbers of documents: what is drawn, and that black and white tell them apart."""

import re

from studies.plots import curves

SERIES = (
    ("papers", ((10, 0.2, 0.15, 0.25), (100, 0.3, 0.25, 0.35), (115, 0.31, 0.26, 0.36))),
    ("abstracts <short>", ((10, 0.4, 0.35, 0.45), (400, 0.5, 0.45, 0.55))),
)


def test_every_series_has_a_line_of_its_own_kind_and_a_label():
    svg = curves("Learning <curves>", SERIES, "curves", "precision")
    assert '<title id="curves-title">Learning &lt;curves&gt;</title>' in svg
    assert all(
        label in svg for label in (">papers<", ">abstracts &lt;short&gt;<", ">documents learnt from<", ">precision<")
    )
    assert "stroke-dasharray" in svg


def test_numbers_that_are_near_each_other_are_printed_once():
    svg = curves("x", SERIES, "x", "precision")
    assert [number for number in ("10", "100", "115", "400") if f">{number}<" in svg] == ["10", "100", "400"]


def test_it_is_grey_and_the_same_each_time():
    svg = curves("x", SERIES, "one", "precision")
    assert svg == curves("x", SERIES, "one", "precision")
    for red, green, blue in re.findall(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", svg):
        assert red == green == blue
