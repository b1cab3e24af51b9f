"""The study of the default: what is hidden, how differences are told, which errors are listed; by hand."""

from keywright.extraction.corpus.knowledge import TABLES, Knowledge
from keywright.extraction.features.description.columns import GROUPS, RANKS
from studies.default.ablation import CONDITIONS, hidden, without
from studies.default.errors import listed_misses
from studies.default.rankings import FIRST_RANKING, groups_of
from studies.default.rows import Ablated, CurvePoint, ErrorCount, ErrorExample, curve_series
from studies.default.study import ABLATION, ERRORS, LEARNING_CURVE

COLUMNS = ("how often: mentions", "how rare: rarity", f"{RANKS}: weight", f"{RANKS}: rank of mentions")


def example(name: str, rank: int | None, document: str = "d") -> ErrorExample:
    return ErrorExample("papers", "miss", document, "phrase", name, rank, None)


def test_a_hidden_group_takes_the_ranks_of_its_columns_along():
    assert hidden("how often", COLUMNS) == {COLUMNS[0], COLUMNS[3]}
    assert hidden(RANKS, COLUMNS) == {COLUMNS[2], COLUMNS[3]}
    assert hidden(None, COLUMNS) == set()


def test_every_group_and_every_table_is_left_out_once():
    assert [one.group for one in CONDITIONS if one.group] == [*GROUPS, RANKS]
    emptied = [name for one in CONDITIONS if one.kind == "tables" and one.name != "all tables" for name in one.tables]
    assert sorted(emptied) == sorted([*TABLES, "tags"])


def test_an_empty_table_knows_nothing_and_the_others_stay():
    knowledge = Knowledge()
    left = without(knowledge, ("chosen", "tags"))
    assert (len(left.chosen), left.tags, left.titles) == (0, None, knowledge.titles)


def test_ranks_are_of_the_group_of_what_is_ranked():
    assert groups_of(COLUMNS) == ("how often", "how rare", FIRST_RANKING, "how often")


def test_listed_misses_are_of_each_class_in_proportion_the_lowest_first():
    misses = [
        *(example("ranked", rank) for rank in range(16, 22)),
        example("lost", None, "a"),
        example("lost", None, "b"),
    ]
    assert [one.rank for one in listed_misses(misses, 4)] == [21, 20, 19, None]
    assert listed_misses(misses, 4)[-1].document == "a"
    assert listed_misses([], 4) == []


def test_ablations_are_told_beside_everything():
    rows = (
        Ablated("papers", 9, "author", "F@15", "everything", "everything", 0.345, 0.0, 0.321, 0.369),
        Ablated("papers", 9, "author", "F@15", "columns", "how rare", 0.339, -0.006, -0.011, 0.002),
    )
    (table,) = ABLATION.tables(rows)
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["", "everything", "34.5 (32.1 to 36.9)"],
        ["columns left out", "how rare", "33.9: -0.6 (-1.1 to +0.2)"],
    ]
    assert [Ablated.of(row.record()) for row in rows] == list(rows)


def test_curves_are_tables_and_points():
    rows = (
        CurvePoint("papers", "author", "F@15", 10, 3, 0.2, 0.19, 0.22, 0.15, 0.25),
        CurvePoint("papers", "author", "F@15", 115, 1, 0.3, 0.3, 0.3, 0.25, 0.35),
    )
    (table,) = LEARNING_CURVE.tables(rows)
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["10", "3", "20.0 (15.0 to 25.0), 19.0 to 22.0"],
        ["115", "1", "30.0 (25.0 to 35.0)"],
    ]
    assert list(curve_series(rows)) == [("papers, author F@15", ((10, 0.2, 0.15, 0.25), (115, 0.3, 0.25, 0.35)))]
    assert [CurvePoint.of(row.record()) for row in rows] == list(rows)


def test_errors_are_counted_then_listed_and_travel_as_records():
    rows = (
        ErrorCount("papers", "miss", "class", "ranked 31 to 100", 3, 0.75),
        ErrorCount("papers", "false alarm", "trait", "one word", 2, 0.5, 0.25),
        ErrorExample("papers", "miss", "d", "grid", "ranked 31 to 100", 40, 0.123, "how rare"),
    )
    tables = list(ERRORS.tables(rows))
    assert [[[cell.text for cell in row] for row in table.rows] for table in tables] == [
        [["ranked 31 to 100", "3", "75.0"]],
        [["d", "grid", "ranked 31 to 100", "40", "0.123", "how rare"]],
        [["one word", "2", "50.0", "25.0"]],
    ]
    assert ERRORS.read([row.record() for row in rows]) == rows
    assert {frozenset(line) for line in ERRORS.lines(rows)} == {frozenset().union(*(row.record() for row in rows))}
