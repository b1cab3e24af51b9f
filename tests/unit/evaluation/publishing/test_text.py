"""Reports and comparisons as CSV, Markdown and LaTeX."""

import csv
import io
import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from tests.unit.evaluation.publishing.small_runs import FIRST, ODD, PROTOCOL, comparison, scored

from keywright.core.pages import Cell
from keywright.evaluation.publishing import writing
from keywright.evaluation.publishing.tables import comparison_table, report_table, transpose_table
from keywright.evaluation.publishing.writing import Publication, publish


def test_rows_of_a_report_are_plain_records():
    report, _ = scored()
    precision, recall, f = report.rows()
    assert (precision["value"], recall["value"], f["value"]) == (0.2, 0.4, pytest.approx(0.8 / 3))
    assert {name: f[name] for name in ("protocol", "run", "gold", "average", "measure", "k")} == {
        "protocol": "small",
        "run": "first|v0",
        "gold": "author",
        "average": "",
        "measure": "F",
        "k": "5",
    }
    assert f["low"] <= f["value"] <= f["high"]
    assert f["signature"] == report.protocol
    named = replace(report, values={"author/all/macro-alpha-nDCG@10": 0.5, "author/MRR": 0.25}, intervals={})
    first, second = named.rows()
    assert (first["gold"], first["average"], first["measure"], first["k"]) == (
        "author/all",
        "macro",
        "alpha-nDCG",
        "10",
    )
    assert (second["measure"], second["k"], second["low"]) == ("MRR", "", None)


def test_csv_of_reports_has_a_line_for_each_value():
    report, _ = scored()
    rows = list(csv.DictReader(io.StringIO(writing.write_csv([*report.rows(), *report.rows()]))))
    assert [(row["measure"], row["k"]) for row in rows] == [("P", "5"), ("R", "5"), ("F", "5")] * 2
    assert float(rows[0]["value"]) == 0.2


def test_csv_of_a_comparison_has_a_line_for_each_value_and_pair():
    rows = list(csv.DictReader(io.StringIO(writing.publish_comparison(comparison(), writing.Publication.CSV))))
    assert [row["value"] for row in rows] == ["author/P@5", "author/R@5", "author/F@5"]
    assert (rows[0]["first"], rows[0]["second"]) == ("one", "two")
    assert (float(rows[0]["first_value"]), float(rows[0]["second_value"])) == (0.2, 0.0)
    assert float(rows[0]["difference"]) == 0.2
    assert (rows[0]["wins"], rows[0]["ties"], rows[0]["losses"]) == ("2", "0", "0")


def test_the_best_is_marked_and_what_it_beats():
    made = comparison()
    sure = [replace(one, p_holm=0.01) for one in made.differences]
    table = comparison_table(replace(made, differences=tuple(sure)))
    assert table.head == ("", "run", "author/F@5")
    assert table.rows[0][2] == Cell("0.2667", best=True, above="b")
    assert table.rows[1][2] == Cell("0.0000")
    unsure = comparison_table(replace(made, differences=tuple(replace(one, p_holm=0.05) for one in made.differences)))
    assert unsure.rows[0][2] == Cell("0.2667", best=True)


def test_a_turned_table_has_runs_by_columns():
    table = transpose_table(comparison_table(comparison()))
    assert table.head == ("value", "a one", "b two")
    assert table.rows == ((Cell("author/F@5"), Cell("0.2667", best=True), Cell("0.0000")),)
    assert "the best of each row is marked" in table.caption


def test_a_report_in_percent_has_two_decimals():
    report, _ = scored()
    assert [cell.text for cell in report_table(replace(report, unit="percent")).rows[0][4:7]] == [
        "20.00",
        "40.00",
        "26.67",
    ]
    assert [cell.text for cell in report_table(report).rows[0][:7]] == [
        "author",
        "",
        "5",
        "2",
        "0.2000",
        "0.4000",
        "0.2667",
    ]


# LaTeX


def balanced(text: str) -> bool:
    """Whether braces and environments close in the order in which they open."""
    code = re.sub(r"^%.*$", "", text, flags=re.MULTILINE)
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", code.replace(r"\\", "")):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    open_ones: list[str] = []
    for word, name in re.findall(r"\\(begin|end)\{(\w+)\}", code):
        if word == "begin":
            open_ones.append(name)
        elif not open_ones or open_ones.pop() != name:
            return False
    return depth == 0 and not open_ones


def test_latex_is_balanced_and_has_as_many_columns_as_cells():
    for text in (
        writing.publish_comparison(comparison(), Publication.LATEX),
        publish([scored()], [PROTOCOL], Publication.LATEX),
    ):
        assert balanced(text)
        columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)[1]
        rows = re.findall(r"^    (.*) \\\\$", text, re.MULTILINE)
        assert [len(re.split(r"(?<!\\)&", row)) for row in rows] == [len(columns)] * len(rows)
        assert [text.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 1, 1]


def test_latex_marks_the_best_and_escapes_names():
    text = writing.publish_comparison(comparison(), Publication.LATEX)
    assert r"a & one & \textbf{0.2667}" in text
    assert "b & two & 0.0000" in text
    assert writing.escape_latex(ODD) == (
        r"\textless{}script\textgreater{}alert('x')\textless{}/script\textgreater{} \& 100 \% \$a\_b\$ \{c\} \#1 "
        r"\textasciitilde{} \textasciicircum{} \textbackslash{} \textbar{} \textquotedbl{} *"
    )
    odd = comparison(**{ODD: FIRST, "a\nb": FIRST})
    assert balanced(writing.publish_comparison(odd, Publication.LATEX))
    assert r"a b & \textbf{0.2667}" in writing.publish_comparison(odd, Publication.LATEX)


# Markdown


def test_markdown_is_a_table_whatever_the_names_are():
    text = writing.publish_comparison(comparison(**{ODD: FIRST, "a\nb": FIRST}), Publication.MARKDOWN)
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert html.count("<table>") == 2
    assert "<script>" not in html
    assert "$a_b$ {c} #1" in html
    body = html.split("<tbody>")[1].split("</tbody>")[0]
    assert body.count("<tr>") == 2
    assert "<strong>0.2667</strong>" in body
    assert writing.escape_markdown("a|b*c") == r"a\|b\*c"


def test_markdown_of_a_report_names_protocol_run_and_gold():
    report, judged = scored()
    text = publish([(report, judged)], [PROTOCOL], Publication.MARKDOWN)
    assert f"`protocol {report.protocol}`" in text
    assert "`run first|v0`" in text
    assert "| author |  | 5 | 2 | 0.2000 | 0.4000 | 0.2667 |" in text
