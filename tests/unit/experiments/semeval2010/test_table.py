"""The shared task's table: rows, agreement of rankings, and the ways to print it."""

import csv
import dataclasses
import io
import re

import pytest
from typer.testing import CliRunner

import keywright as kw
from keywright.catalogue import SYSTEMS, system_class
from keywright.core.errors import UnknownName
from keywright.core.signatures import change_part
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments import semeval2010_table as semeval2010
from keywright.experiments import semeval2010_task
from keywright.experiments.semeval2010_records import KINDS, LITERAL, read_printed, read_records
from keywright.experiments.semeval2010_table import STUDY, find_parts
from keywright.experiments.semeval2010_task import OPTIONS
from keywright.experiments.study import Row, lay_out_study, publish
from keywright.extraction.systems.kpminer import KPMiner
from keywright.extraction.systems.supervised_baselines import NaiveBayes
from keywright.extraction.systems.unpmc import UNPMC
from keywright.faces.cli.app import app

DESCRIBED = (
    "humb wingnus kpminer sztergak seerlab kx deriunlp maui dfki buap sjtultlab unice unpmc likey uvt polyu".split()
)


@pytest.fixture(scope="module")
def some_rows(mirror):
    seen = []
    rows = semeval2010.compute_semeval(
        ["kpminer", "ukp", "tfidf"], lambda done, total: seen.append((done, total)), mirror, find=system_class
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]  # KP-Miner has a literal row
    return rows


def test_the_published_table_has_every_participant_and_every_described_one_is_a_system():
    published = read_printed()
    ranked = [name for name, one in published.items() if "rank" in one]
    assert [published[name]["rank"] for name in ranked] == list(range(1, 20))
    assert [name for name in ranked if name not in semeval2010.UNDESCRIBED] == DESCRIBED
    assert {"tfidf", "nb", "me"} <= set(published)
    assert {*DESCRIBED, *semeval2010.BESIDE, "tfidf", "nb", "me"} <= {*SYSTEMS.built_in, *semeval2010.OURS}


def test_published_rows_are_arithmetic():
    """F follows from P and R where printed figures are right: one decimal each, so within a tenth and a bit."""
    odd = []
    for name, one in read_printed().items():
        for gold in KINDS:
            for p, r, f in zip(*(one[gold][measure] for measure in "PRF"), strict=True) if gold in one else ():
                if abs(2 * p * r / (p + r) - f) > 0.15:
                    odd.append((name, gold, f))
    assert odd == [("maui", "reader", 16.1)]  # printed so; by arithmetic 16.5


@pytest.mark.data
def test_rows_put_ours_beside_the_published(some_rows):
    by_place = {(row.system, row.gold, row.measure, row.category): row for row in some_rows if not row.variant}
    literal = [row for row in some_rows if row.variant]
    assert {(row.system, row.variant, row.category) for row in literal} == {("kpminer", LITERAL, None)}
    assert {row.measure for row in literal} >= {"P@5", "F@15"}
    main = by_place["kpminer", "combined", "F@15", None]
    assert (main.published, main.dataset) == (25.2, "semeval2010/test")
    assert abs(main.difference) <= 1.5
    low, high = main.interval
    assert low < main.ours < high
    assert by_place["kpminer", "combined", "F@15", "H"].published == 27.6
    assert by_place["ukp", "combined", "F@15", None].ours is None
    assert by_place["ukp", "combined", "F@15", None].published == 5.3
    assert by_place["tfidf", "author", "F@15", None].published is None
    # Nine values of each kind of gold and system, and F by category where it was printed or is ours.
    assert sum(row.category is None and not row.variant for row in some_rows) == 3 * 9 * 3
    assert not any(row.measure == "spearman" for row in some_rows)  # not all participants are there


@pytest.mark.data
def test_categories_make_up_the_whole(some_rows):
    """Equal numbers of papers and of phrases a category: F over all lies between the categories'."""
    for system in ("kpminer", "tfidf"):
        rows = [
            row
            for row in some_rows
            if (row.system, row.gold, row.measure, row.variant) == (system, "combined", "F@15", None)
        ]
        whole = next(row.ours for row in rows if row.category is None)
        parts = [row.ours for row in rows if row.category]
        assert len(parts) == 4
        assert min(parts) < whole < max(parts)
        assert whole == pytest.approx(sum(parts) / 4, abs=0.3)


def test_agreement_is_spearmans_correlation_over_the_described_participants():
    printed = read_printed()
    same = [
        Row("F@15", one["combined"]["F"][2], one["combined"]["F"][2], name, "combined") for name, one in printed.items()
    ]
    (row,) = semeval2010._correlate_rankings(same, printed)
    assert (row.measure, row.ours) == ("spearman", 1.0)
    swapped = [Row("F@15", row.published, -row.ours, row.system, "combined") for row in same]
    assert [row.ours for row in semeval2010._correlate_rankings(swapped, printed)] == [-1.0]
    assert list(semeval2010._correlate_rankings(same[1:], printed)) == []


def test_an_unknown_system_is_refused_before_anything_runs():
    with pytest.raises(UnknownName, match="kpmniner"):
        semeval2010.compute_semeval(["kpmniner"], find=system_class)
    with pytest.raises(UnknownName, match="icl"):
        semeval2010_task.ablate_systems(["icl"], find=system_class)


@pytest.mark.data
def test_one_change_at_a_time(monkeypatch, mirror):
    monkeypatch.setattr(semeval2010_task, "find_tried_values", lambda _: {"cutoff": (850,)})
    monkeypatch.setattr(semeval2010_task, "find_variants", lambda _: {LITERAL: {"near_start": True}})
    rows = semeval2010_task.ablate_systems(["kpminer"], None, mirror, find=system_class)
    assert [row.variant for row in rows] == ["usual"] * 3 + ["cutoff=850"] * 4 + [LITERAL] * 4
    assert {row.dataset for row in rows} == {"semeval2010/train"}
    assert {row.system for row in rows} == {"kpminer"}
    change = rows[5].ours - rows[2].ours
    assert rows[5].note.startswith(f"{change:+.2f}")
    assert rows[6].measure == semeval2010_task.DIFFERENCE
    assert rows[6].ours == pytest.approx(change, abs=0.011)
    low, high = rows[6].interval
    assert low < rows[6].ours < high


@pytest.mark.data
def test_the_mean_over_seeds(monkeypatch, mirror):
    """Each seed of a toy that only counts gives another score; the mean of two lies between them."""
    monkeypatch.setitem(semeval2010.SEEDS, "kpminer", (2, 6))
    monkeypatch.setattr(semeval2010, "replace", lambda value, **changed: _seeded(value, changed))
    entry = semeval2010.Entry("kpminer", semeval2010.name_seeds("kpminer"))
    report = semeval2010.evaluate_entry(entry, find=system_class, mirror=mirror).report
    low, high = report.intervals["combined/F@15"]
    assert low < high
    assert report.values["combined/F@15"] == pytest.approx((low + high) / 2)


def _seeded(value, changed):
    """Take a seed for the minimum number of mentions, as KP-Miner has no seed."""
    seed = changed.pop("seed", None)
    return dataclasses.replace(value, **({"least_seen": seed} if seed else changed))


def test_every_option_is_a_parameter_of_its_system_and_of_its_kind():
    for name in (*OPTIONS, *read_records()):
        system = SYSTEMS.find(name)()
        for option, values in semeval2010_task.find_tried_values(name).items():
            for value in values:
                assert change_part(system, {option: value}, name) != system


def test_every_change_has_a_name_of_its_own():
    for name in (*OPTIONS, *read_records()):
        changes = list(semeval2010_task.list_changes(name, system_class(name)))
        assert changes[0] == semeval2010_task.Change(name, "usual")
        assert len({change.variant for change in changes}) == len(changes)
        assert all(change.variant and change.values for change in changes[1:])


def test_lines_of_a_system():
    assert semeval2010.list_entries("unice")[-1].variant == "mean of 5 seeds"
    assert semeval2010.list_entries("tfidf") == [("tfidf", "")]
    assert semeval2010.Entry("kpminer", LITERAL) in semeval2010.list_entries("kpminer")


@pytest.mark.data
def test_tables_for_people_and_papers(some_rows):
    made = lay_out_study(STUDY, some_rows, system_class)
    assert [table.caption.split()[1] for table in made[:5]] == ["4", "5", "6", "7", "8"]
    assert [[cell.text for cell in row[:3]] for row in made[5].rows] == [
        ["KP-Miner", "default", ""],
        ["KP-Miner", LITERAL, "near_start=True"],
    ]
    for table in made:
        assert all(len(row) == len(table.head) for row in table.rows)
    ranks = {row[0].text: row[2].text for row in made[0].rows}
    assert ranks == {"KP-Miner": "1", "UKP": "", "TFxIDF": ""}
    latex = publish(STUDY, some_rows, Publication.LATEX, system_class)
    assert latex.count(r"\begin{tabular}") == len(made)
    assert "KP-Miner & 3 & 1 & 18.3" in latex
    page = publish(STUDY, some_rows, Publication.HTML, system_class)
    assert page.count("<svg") == 3
    assert ">0.252<" in page  # KP-Miner's published bar
    assert not re.search(r'(?:src|href)="(?!#)', page)
    lines = list(csv.DictReader(io.StringIO(publish(STUDY, some_rows, Publication.CSV, system_class))))
    assert len(lines) == len(some_rows)
    assert lines[0]["system"] == "kpminer"


@pytest.mark.parametrize("form", ["csv", "html"])
def test_one_table_at_a_time_where_the_format_has_room_for_one(form):
    done = CliRunner().invoke(app, ["reproduce", "scorers", "semeval2010-data", "--format", form])
    assert done.exit_code != 0
    assert "one table at a time" in done.stderr or "one table at a time" in str(done.exception)


def test_python_gives_the_rows_too():
    with pytest.raises(UnknownName):
        kw.reproduce("semeval2010", ["no such system"])


def test_parts_of_systems_by_what_they_are():
    found = find_parts(KPMiner)
    assert found["candidates"] == ("ngrams",)
    assert "mentions_in" in find_parts(UNPMC)["features"]
    assert "PhraseCounts" in found["knowledge"]
    assert "containing" in found["ranking"]
    assert "rank" not in found["ranking"]
    assert "GaussianNaiveBayes" in find_parts(NaiveBayes)["learner"]
