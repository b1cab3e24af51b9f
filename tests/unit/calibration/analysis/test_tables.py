"""Analyses as tables and pictures: what stands in them by hand, equal scales side by side, no colour."""

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.calibration.analysis.test_analysing import GRIDS, PIPES, SURE, run

from keywright.calibration.analysis.analysing import analyse
from keywright.calibration.analysis.plots import draw_pictures, draw_places, draw_reliability
from keywright.calibration.analysis.positions import MeansByPlace, PerplexityHistogram
from keywright.calibration.analysis.tables import (
    bin_table,
    draw_analysis_page,
    draw_tables,
    fifth_table,
    histogram_table,
    measure_table,
    output_table,
    place_size_table,
    risk_table,
)
from keywright.calibration.calibration_error import Bin
from keywright.core.keyphrases import Keyphrase


@pytest.fixture(scope="module")
def analyses():
    """A generator, and a system with scores."""
    scores = [Keyphrase("grid services", 40.0), Keyphrase("UDDI", 3.0)]
    return {"toy": analyse(run(SURE, ()), [GRIDS, PIPES]), "scores": analyse(run(scores), [GRIDS])}


def texts(table):
    return [tuple(cell.text for cell in row) for row in table.rows]


def test_tables_at_a_glance(analyses):
    calibration, other, number, order, perplexity, place, fifth, output = draw_tables(analyses)
    # Right: 1 of 2; mean confidence .375; distance (.5 + .25) / 2.
    assert texts(calibration)[0][:6] == ("toy", "present", "2", "50.00", "37.50", "37.50")
    assert {row[0] for row in texts(calibration)} == {"toy"} == {row[0] for row in texts(other)}
    # Brier: (.5 squared + .25 squared) / 2; .75 phrases are expected and 1 is right, of two documents.
    assert texts(other)[0][4] == "0.1562"
    assert texts(number)[0][2:4] == ("0.3750", "0.5000")
    assert {row[0] for row in texts(order)} == {"toy", "scores"}
    assert texts(order)[0][4] == "1.0000"  # the right one is the surer one
    assert texts(perplexity) == [("toy", "3.00", "1.25")]
    assert texts(place)[0] == ("toy", "present", "0.375", "0.500", "-", "-", "-")
    assert [row for row in texts(fifth) if row[:2] in {("toy", "gold"), ("toy", "recall")}] == [
        ("toy", "gold", "2", "0", "0", "0", "0"),
        ("toy", "recall", "0.500", "-", "-", "-", "-"),
    ]
    assert texts(output)[0] == ("toy", "4", "25.00", "0", "0", "0.00")


def test_gold_of_all_runs_stands_once(analyses):
    found = texts(fifth_table({"one": analyses["toy"], "two": analyses["toy"]}))
    what = [("(all)", "gold"), ("(all)", "gold, as listed"), ("(all)", "gold, as published")]
    assert [row[:2] for row in found] == [*what, ("one", "recall"), ("two", "recall")]


def test_errors_without_soup_stand_where_there_is_soup(analyses):
    some = {"toy": replace(analyses["toy"], ece_without_degenerate={"present": 0.125})}
    assert texts(output_table(some))[0][-2:] == ("12.50", "-")


def test_numbers_behind_the_pictures(analyses):
    toy = analyses["toy"]
    bins = texts(bin_table(toy.reports["present"]))
    assert len(bins) == 10
    assert bins[2] == ("0.2 to 0.3", "1", "0.2500", "0.0000")
    assert bins[0] == ("0.0 to 0.1", "0", "-", "-")
    assert texts(risk_table(toy.reports))[0] == ("present", *["0.0000"] * 5, *["0.5000"] * 5)
    assert texts(histogram_table(toy))[2] == ("2 to 2.5", "1", "0")
    assert texts(histogram_table(analyses["scores"])) == []
    assert texts(place_size_table(toy)) == [("present", "2", "1", "0", "0", "0"), ("absent", "1", "0", "0", "0", "0")]
    assert texts(place_size_table(analyses["scores"])) == []


def test_pictures_have_equal_scales_and_no_colour(analyses):
    several = {f"run {number}": analyses["toy"] for number in range(4)}
    for picture in draw_pictures(several):
        panels = [axes for axes in picture.figure.axes if axes.axison]
        assert len({(axes.get_xlim(), axes.get_ylim()) for axes in panels}) == 1, picture.name
        for red, green, blue in re.findall(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", picture.svg()):
            assert red == green == blue
    reliability = draw_pictures(several)[0]
    assert len([axes for axes in reliability.figure.axes if axes.axison]) == 8


def test_bins_without_a_right_phrase_stay_and_have_their_counts(analyses):
    reliability = draw_pictures({"toy": analyses["toy"]})[0]
    present = reliability.figure.axes[0]
    found = next(drawn for drawn in present.lines if drawn.get_marker() == "o")
    assert np.array(found.get_xydata()).tolist() == [[0.25, 0.0], [0.5, 1.0]]
    assert [text.get_text() for text in present.texts] == ["1", "1"]


def test_bars_are_where_honest_bins_lie(analyses):
    """One phrase of confidence .25 or .5 may be right or wrong; of eight of .5, one to seven are right in 99 %."""
    present = replace(analyses["toy"].reports["present"], bins=(Bin(0.5, 0.6, 8, 0.5, 0.0), Bin(0.9, 1.0, 4, 1.0, 1.0)))
    axes = draw_reliability({"toy": replace(analyses["toy"], reports=analyses["toy"].reports | {"present": present})})
    (bars,) = (one for one in axes.figure.axes[0].collections if hasattr(one, "get_segments"))
    assert [segment.tolist() for segment in bars.get_segments()] == [[[0.5, 1 / 8], [0.5, 7 / 8]], [[1, 1], [1, 1]]]


def test_large_counts_are_short_for_they_stand_below_the_title(analyses):
    sizes = (99_999, 100_000, 1_234_999)
    bins = tuple(Bin(at / 10, (at + 1) / 10, size, at / 10 + 0.05, 0.5) for at, size in enumerate(sizes))
    report = replace(analyses["toy"].reports["present"], bins=bins)
    picture = draw_reliability({"toy": replace(analyses["toy"], reports={"present": report, "absent": report})})
    assert [text.get_text() for text in picture.figure.axes[0].texts] == ["99999", "100k", "1,234k"]


def test_panels_say_what_they_are_of(analyses):
    reliability, perplexity = draw_pictures({"toy": analyses["toy"]})[:2]
    assert reliability.figure.axes[0].get_title(loc="left") == "toy\npresent, 2 phrases"
    assert perplexity.figure.axes[1].get_title(loc="left") == "toy\nabsent, 1 phrase\nmedian 1.25"
    assert "numbers above: phrases of the bin" in reliability.figure.get_supxlabel()


def test_long_names_that_differ_at_the_end_stay_apart(analyses):
    names = ["a run with a very long name, seed 1", "a run with a very long name, seed 2"]
    places = draw_places(dict.fromkeys(names, analyses["toy"]))
    (legend,) = places.figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a run with a…ame, seed 1", "a run with a…ame, seed 2"]


def test_a_class_without_phrases_is_said_to_have_none(analyses):
    picture = next(one for one in draw_pictures({"scores": analyses["scores"]}) if one.name == "risk")
    assert [[text.get_text() for text in axes.texts] for axes in picture.figure.axes] == [[], ["none"]]


def test_classes_apart_stand_only_where_there_are_both(analyses):
    def titles(name):
        return {row[0] for row in texts(measure_table(analyses["toy"].reports[name]))}

    assert titles("all") - titles("present") >= {"ECE, by class %", "ECE, present %", "ECE, absent %"}
    assert "ECE, equal-width bins %" in titles("present")


def test_means_of_few_are_hollow(analyses):
    toy = analyses["toy"]
    many = MeansByPlace(np.array([10, 9, 0]), np.array([0.5, 0.25, np.nan]))
    drawn = draw_places({"toy": replace(toy, places={"present": many, "absent": many})})
    line, hollow = drawn.figure.axes[0].lines
    assert line.get_xdata().tolist() == [1, 2, 3]
    assert (hollow.get_xdata().tolist(), hollow.get_markerfacecolor()) == ([2, 3], "white")
    assert "hollow: fewer than 10 phrases" in drawn.figure.get_supxlabel()


def test_perplexities_of_any_size_can_be_drawn(analyses, recwarn):
    low = PerplexityHistogram(1e300, analyses["toy"].perplexities["present"].edges, np.zeros(18, int), 3)
    (picture,) = (
        one
        for one in draw_pictures({"toy": replace(analyses["toy"], perplexities={"present": low, "absent": low})})
        if one.name == "perplexity"
    )
    assert "median 1.0e+300" in picture.svg()
    assert not recwarn


def test_every_line_has_a_kind_of_its_own(analyses):
    many = {f"run {number}": analyses["toy"] for number in range(20)}
    kinds = [(line.get_marker(), line.get_linestyle()) for line in draw_places(many).figure.axes[0].lines]
    assert len({kind for kind in kinds if kind[1] != "None"}) == 20  # without a line: the hollow markers


def test_what_is_not_known_is_not_drawn(analyses):
    assert [one.name for one in draw_pictures({"scores": analyses["scores"]})] == ["fifths", "risk"]
    empty = {"empty": analyse(run((), ()), [GRIDS, PIPES])}
    page = draw_analysis_page(empty)
    assert "there are no present phrases" in page
    assert page.count("<svg ") == 2


def test_the_page_names_everything_and_escapes_it(analyses):
    odd = {"<toy>": replace(analyses["toy"], notes=("a & b",)), "scores": analyses["scores"]}
    page = draw_analysis_page(odd)
    assert "&lt;toy&gt;: note: a &amp; b." in page
    assert "<toy>" not in page
    assert page.count("<svg ") == 5
    for caption in (table.caption for table in draw_tables(odd)):
        assert caption in page
