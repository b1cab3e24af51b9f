"""Whose calibrator it is, by signatures."""

import pytest

from keywright.calibration.calibrators.calibrator import check_same_system, is_same_system, remove_version
from keywright.core.errors import BadParameter

MINER = "kpminer|frequencies:f0ae34a2|least_seen:3|v0.1.0"
NESTED = "vote|inner:(kpminer|least_seen:3)|method:ranks|v0.1.0"


@pytest.mark.parametrize(
    ("fitted", "found"),
    [
        (MINER, MINER),
        (MINER, MINER.replace("v0.1.0", "v0.1.12")),
        (MINER, MINER.replace("v0.1.0", "v0.1.1rc2")),
        ("bart|sha256:0a", "bart|sha256:0b"),
        ("toy", "toy|v0.1.0"),
        (NESTED, NESTED),
    ],
)
def test_the_same_system(fitted, found):
    check_same_system(fitted, found, "this is")
    check_same_system(found, fitted, "this is")
    assert is_same_system(fitted, found)


@pytest.mark.parametrize(
    ("fitted", "found", "said"),
    [
        (MINER, "tfidf|longest:3|v0.1.0", "was fitted for kpminer, and this is tfidf;"),
        ("bart|sha256:0a", "t5|sha256:0a", "was fitted for bart, and this is t5;"),
        (
            MINER,
            MINER.replace("seen:3", "seen:2"),
            "was fitted for kpminer with least_seen:3, and this is kpminer with least_seen:2;",
        ),
        (
            MINER,
            "kpminer|frequencies:0000|v0.1.0",
            "with frequencies:f0ae34a2, least_seen:3, and this is kpminer with frequencies:0000, least_seen:nothing;",
        ),
        (MINER, MINER.replace("0.1.0", "0.2.0"), "for kpminer of keywright 0.1.0, and this is of 0.2.0;"),
        (MINER, MINER.replace("0.1.0", "1.1.0"), "for kpminer of keywright 0.1.0, and this is of 1.1.0;"),
        (
            NESTED,
            NESTED.replace("seen:3", "seen:2"),
            "with inner:(kpminer|least_seen:3), and this is vote with inner:(kpminer|least_seen:2);",
        ),
        (f"calibrated|inner:({MINER})|v0.1.0", MINER, "for calibrated, and this is kpminer;"),
    ],
)
def test_another_system(fitted, found, said):
    with pytest.raises(BadParameter) as told:
        check_same_system(fitted, found, "this is")
    assert said in str(told.value)
    assert not is_same_system(fitted, found)


def test_versions_go():
    assert remove_version(MINER) == "kpminer|frequencies:f0ae34a2|least_seen:3"
    assert remove_version("toy") == "toy"
    assert remove_version("a|inner:(b|v0.1.0)") == "a|inner:(b|v0.1.0)"
