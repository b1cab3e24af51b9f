"""Rows of reproduced tables, for people and for machines."""

from keywright.experiments.study import Row


def test_difference_is_ours_less_published():
    assert Row("F@15", 25.2, 25.09).difference == -0.11
    assert Row("documents", 144, 144).difference == 0
    assert Row("F@15", None, 25.09).difference is None


def test_records_name_only_what_applies():
    row = Row("F@15", 25.2, 25.09, system="kpminer", gold="combined", dataset="semeval2010/test", note="why")
    assert row.record() == {
        "system": "kpminer",
        "measure": "F@15",
        "gold": "combined",
        "dataset": "semeval2010/test",
        "published": 25.2,
        "ours": 25.09,
        "difference": -0.11,
        "note": "why",
    }
    assert list(Row("documents", 1, 1).record()) == [
        "system",
        "measure",
        "gold",
        "published",
        "ours",
        "difference",
        "note",
    ]
