"""Probes of lists: which predictions take a rank and which of them are hits, for gold with repeats and alternatives."""

from typing import Final

from tests.rules.families import ALL, APPROXIMATE, CLEAN, MENG17, MENG21, OVERLAP, PART_OF, G, H, K, S
from tests.rules.probing import Probe, combined, hits, lengths, sizes

REPEATS = Probe(
    "repeats",
    {"d": ("red fox", "low cat")},
    {"d": ("red fox", "red fox", "big x")},
    hits,
    {ALL: [[1, 0]], "keywright-1-diversity": [[1, 0, 0]], S: [[1, 1, 0]], CLEAN: [[1, 0]]},
)
GOLD_REPEATS = Probe(
    "repeated gold",
    {"d": ("red fox", "red fox", "low cat")},
    {"d": ("red fox",)},
    lambda report: (sizes(report), hits(report)),
    {ALL: ([2], [[1]]), S: ([3], [[2]]), CLEAN: ([2], [[1]]), MENG21: ([3], [[1]])},
)
ALTERNATIVES = Probe(
    "alternatives",
    {"d": (("red fox", "blue net", "low cat"),)},
    {"d": ("low cat", "red fox", "blue net", "big tree")},
    hits,
    {
        ALL: [[1, 0, 0, 0]],  # one credit for the entry
        PART_OF: [[1, 1, 1, 0]],  # each is part of a form
        S: [[0, 1, 1, 0]],  # two forms, each credited
        CLEAN: [[1, 0, 0, 0]],
    },
)
MATCHING = Probe(
    "matching",
    {"d": ("red fox", "grid search engine", ("blue net", "low cat"))},
    {"d": ("grid engine", "red", "blue net", "low cat")},
    hits,
    {
        ALL: [[0, 0, 1, 0]],
        PART_OF: [[0, 1, 1, 1]],
        S: [[0, 0, 1, 1]],
        CLEAN: [[0, 0, 1, 0]],
        APPROXIMATE: [[0, 1, 1, 0]],
        OVERLAP: [[2 / 3, 1 / 2, 1, 0]],  # of three words two, of two one
    },
)
NEAR = Probe(
    "near matches",
    {"m": ("fox",), "i": ("red fox",), "p": ("red fox",), "e": (("nets", "tree"), "net")},
    {"m": ("foxes",), "i": ("big red fox",), "p": ("fox",), "e": ("net", "tree")},
    hits,
    {
        # In e the exact level chooses first, so that net leaves its other entry, (nets, tree), to tree.
        APPROXIMATE: [[1], [1], [1], [1, 1]],
        OVERLAP: [[1], [2 / 3], [1 / 2], [1, 1]],
    },
)
SHORT = Probe(
    "short and empty lists",
    {"d": ("red fox", "low cat"), "e": ("red fox",)},
    {"d": ("red fox",), "e": ()},
    lambda report: (combined(report).hits[1:, 0].tolist(), combined(report).divisors[1:, 0].tolist()),
    {
        K: ([1, 0], [5, 5]),
        S: ([0, 0], [5, 5]),
        CLEAN: ([1, 0], [5, 5]),
        G: ([1, 0], [5, 0]),
        f"{MENG21} {H}": ([1, 0], [1, 0]),
        "kpg-deepkpg": ([1, 0], [5, 0]),
    },
)
DEPTH = Probe(
    "many predictions",
    {"d": ("red fox",)},
    {"d": ("red fox", *(f"w{n} x{n}" for n in range(201)))},
    lengths,
    {f"{K} {H}": [202], S: [15], G: [200]},
)
MANY_REPEATS = Probe(
    "many repeats",
    {"d": ("red fox",)},
    {"d": ("red fox",) * 205 + ("low cat",)},
    lengths,
    {S: [15], f"{K} {H} {CLEAN}": [2], "keywright-1-diversity": [206], G: [1]},  # depth comes before repeats
)
ONE_WORD = Probe(
    "phrases of one word",
    {"d": ("red fox",)},
    {"d": ("fox", "net", "red fox", "cat", "low cat")},
    lengths,
    {ALL: [5], MENG17: [3]},  # fox, red fox, low cat
)
PRESENT = Probe(
    "present and absent",
    {"d": ("red fox", "low cat", "art")},
    {"d": ("red fox", "low cat", "art", "big tree")},
    lambda report: [
        (counts.gold.tolist()[1], counts.predicted.tolist()[1])
        for counts in (report.counts["present"], report.counts["absent"])
    ],
    {G: [(1, 1), (2, 3)]},  # art is no token of part, and the body is no abstract
    texts={"d": ("Red fox", "part net", "low cat")},
)
LIST_PROBES: Final = (
    *(REPEATS, GOLD_REPEATS, ALTERNATIVES, MATCHING, NEAR, SHORT),
    *(DEPTH, MANY_REPEATS, ONE_WORD, PRESENT),
)
