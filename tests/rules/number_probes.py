"""Probes of numbers: averages, divisors, rounding, further measures, and the names of all values."""

from math import log2
from typing import Final

from tests.rules.families import (
    ALL,
    APPROXIMATE,
    CLEAN,
    COMPAT,
    MACRO,
    MENG17,
    MENG21,
    OVERLAP,
    SEMANTIC,
    STRICT,
    G,
    H,
    K,
    S,
)
from tests.rules.probing import Probe, combined, full, numbers


def at_first(report):
    """P, R and F at the first cutoff."""
    k = combined(report).cutoffs[0]
    return numbers(f"P@{k}", f"R@{k}", f"F@{k}")(report)


def names(cutoffs: str, averages: str = "", classes: str = "", means: str = "") -> str:
    """Names of values: each kind of gold, each class, the first average without and the others with their name."""
    measures = [f"{kind}@{k}" for k in cutoffs.split() for kind in "PRF"]
    row = measures + [f"{average}-{measure}" for average in averages.split() for measure in measures] + means.split()
    sets = [
        f"{by}/{part}" if part else by for by in ("author", "reader", "combined") for part in classes.split() or [""]
    ]
    return " ".join(f"{one}/{measure}" for one in sets for measure in row)


NO_GOLD = Probe(
    "a document without gold",
    {"d": ("red fox",), "e": ()},
    {"d": full("red fox"), "e": full()},
    at_first,
    {
        # At 5 d has P 1/5, R 1, F 1/3; e has P 0.
        K: [1 / 10, 1, 1 / 3],  # F from P 1/5 and R 1
        G: [1 / 10, 1 / 2, 1 / 6],
        f"kpg-simckp {MENG17} {MENG21}": [1 / 5, 1, 1 / 3],
        # P = 1 of 5 * 100, R = 1 of 1; in percent 2 * 0.2 * 100 / 100.2 = 0.3992.
        "semeval2010": [0.002, 1, 0.004],
        STRICT: "PartlyDone",
        MACRO: [1 / 500, 1 / 100, 1 / 300],  # means of d and 99 others
        CLEAN: [1 / 10, 1, 2 / 11],  # 1 of 10, 1 of 1
        H: [1 / 30, 1, 2 / 31],
    },
    same=False,
)
AVERAGE = Probe(
    "two documents",
    {"a": ("red fox",), "b": ("red fox", "low cat")},
    {"a": full("red fox"), "b": full("red fox")},
    at_first,
    {
        # At 5: a has P 1/5, R 1, F 1/3; b has P 1/5, R 1/2, F 2/7.
        K: [1 / 5, 2 / 3, 4 / 13],  # pooled: 2 hits, 10 predictions, 3 entries; F = 2 * 2 / 13
        G: [1 / 5, 3 / 4, 6 / 19],  # F = 2 * (1/5) * (3/4) / (19/20)
        f"{MENG17} {MENG21}": [1 / 5, 3 / 4, 13 / 42],  # F = (1/3 + 2/7) / 2
        # 2 of 5 * 100, 2 of 3; in percent 2 * 0.4 * 66.67 / 67.07 = 0.7952.
        S: [0.004, 0.6667, 0.008],
        MACRO: [0.4 / 100, 1.5 / 100, (1 / 3 + 2 / 7) / 100],
        CLEAN: [1 / 5, 2 / 3, 4 / 13],
        H: [2 / 30, 2 / 3, 4 / 33],
    },
    same=False,
)
ROUNDING = Probe(
    "rounding",
    {"d": ("red fox",)},
    {"d": full("red fox")},
    numbers("P@15", "F@15"),
    # 1 of 1500 is 0.0667 percent, printed 0.07; with it F is 2 * 0.07 * 100 / 100.07 = 0.1399, exact it were 0.1332.
    {S: [0.0007, 0.0014], f"{K} {CLEAN}": [1 / 15, 1 / 8], MACRO: [1 / 1500, 1 / 800]},
    same=False,
)
NOTHING = Probe(
    "neither gold nor predictions",
    {"d": ()},
    {"d": ()},
    lambda report: set(report.values.values()) == {0.0},
    {ALL: True, STRICT: "PartlyDone"},
    same=False,
)
SECOND: Final = 1 / log2(3)
RANKED = Probe(
    "ranked",
    {"d": ("pa", "qa", "ra", "sa", "ta", "ua")},
    {"d": ("pa", "xa", "qa")},
    numbers("MAP@5", "nDCG@5"),
    # Hits at ranks 1 and 3 of six entries; the perfect list has five hits.
    {"keywright-1-ranked": [(1 + 2 / 3) / 6, 1.5 / (1 + SECOND + 1 / 2 + 1 / log2(5) + 1 / log2(6))]},
    same=False,
)
ALPHA = Probe(
    "novelty",
    {"d": (("pa", "qa"), "ra"), "e": ("grid search", "tree")},
    {"d": ("pa", "qa", "ra"), "e": ("grid",)},
    numbers("AlphaNDCG@5"),
    # d gains 1, 1/2, 1 at ranks 1 to 3, held against 1, 1; e gains nothing.
    {"keywright-1-ranked": [(1 + SECOND / 2 + 1 / 2) / (1 + SECOND) / 2]},
    same=False,
)
DIVERSITY = Probe(
    "repetition",
    {"d": ("net of trees", "x")},
    {"d": ("big nets", "big net", "tree")},
    numbers("Duplicates", "DuplicateWords", "Redundancy", "StemCoverage"),
    {"keywright-1-diversity": [1 / 3, 2 / 5, 1 / 3, 2 / 4]},
    same=False,
)
MEANING = Probe(
    "meaning",
    {"d": ("dog", "net"), "e": ("small",), "f": ("less",)},
    {"d": ("cat", "nets"), "e": ("far",), "f": ("far",)},
    numbers("SemP", "SemR"),
    # d: cat is 0.6 near to dog, nets has the stem of net; dog is 0.6 near to both, net has its stem, or is 0.5 near.
    # e: 0.05. f: -0.05, which counts as 0.
    {SEMANTIC: [(0.8 + 0.05) / 3, (0.8 + 0.05) / 3], COMPAT: [(0.8 + 0.05) / 3, (0.55 + 0.05) / 3]},
    same=False,
)


THREE: Final = "5 10 15 M O"
CLASSES: Final = "all present absent"
RANKS: Final = "RP MAP@5 MAP@10 MAP@15 nDCG@5 nDCG@10 nDCG@15 MAP MRR nDCG AlphaNDCG@5 AlphaNDCG@10 AlphaNDCG@15"
DIVERSE: Final = " ".join(
    f"Duplicates{k} DuplicateWords{k} Redundancy{k} StemCoverage{k}" for k in ("@5", "@10", "@15", "")
)
MEANT: Final = " ".join(f"SemP{k} SemR{k} SemF{k}" for k in ("@5", "@10", "@15", ""))
NAMES = Probe(
    "names of values",
    {},
    {},
    lambda report: (report.unit, " ".join(report.values)),
    kinds=True,
    expect={
        K: ("fraction", names(THREE, "macro mean")),
        "keywright-1-ranked": ("fraction", names(THREE, "macro mean", means=RANKS)),
        f"{APPROXIMATE} {OVERLAP}": ("fraction", names(THREE, "macro mean", means="RP")),
        f"{SEMANTIC} {COMPAT}": ("fraction", names(THREE, "macro mean", means=MEANT)),
        "keywright-1-diversity": ("fraction", names(THREE, "macro mean", means=DIVERSE)),
        S: ("percent", names("5 10 15")),
        MACRO: ("percent", names("5 10 15", "macro")),
        "kpg kpg-strict kpg-stemmed-gold": ("fraction", names("5 10 M O", "micro mean", CLASSES)),
        "kpg-chan2019 kpg-ye2021 kpg-exhird kpg-simckp": ("fraction", names("5 M", "", CLASSES)),
        "kpg-deepkpg": ("fraction", names("5 10 M O", "micro", CLASSES)),
        MENG17: ("fraction", names("5 10 50", "", CLASSES)),
        MENG21: ("fraction", names("5 10 O M", "", CLASSES)),
        H: ("fraction", names("M")),
    },
)
NUMBER_PROBES: Final = (NAMES, NO_GOLD, AVERAGE, ROUNDING, NOTHING, RANKED, ALPHA, DIVERSITY, MEANING)
