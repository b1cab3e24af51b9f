"""Reliability diagrams: readable without colour, sizes at the points, nothing where nothing is."""

import re

from studies.plots import reliability

BINS = ((0.05, 0.1, 40), (0.55, 0.5, 20), (0.95, 1.0, 2))


def test_every_bin_has_its_size_and_the_plot_its_title():
    svg = reliability("default <on> abstracts", BINS, "abstract")
    assert "<title" in svg
    assert "default &lt;on&gt; abstracts" in svg
    assert [number for number in ("40", "20", "2") if f">{number}<" in svg] == ["40", "20", "2"]
    assert all(label in svg for label in ("mean probability", "share correct", "by chance", "found"))


def test_it_is_grey_and_the_same_each_time():
    svg = reliability("x", BINS, "one")
    assert svg == reliability("x", BINS, "one")
    for red, green, blue in re.findall(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", svg):
        assert red == green == blue


def test_no_bins_leave_the_diagonal():
    svg = reliability("empty", (), "none")
    assert "found" not in svg
    assert "<svg" in svg
