"""Quality best on everyday texts."""

from studies.reader.everyday_texts import rows_of


def test_both_qualities_run_on_all_texts():
    five, ten = rows_of()
    assert (five.measure, ten.measure) == ("F@5", "F@10")
    for row in (five, ten):
        assert row.number == 30
        assert row.best != row.standard
        assert row.interval[0] <= row.best - row.standard <= row.interval[1]
    assert ten.standard > five.standard  # people accepted some ten phrases of a text
