"""The battery of the mutation study: for each rule a probe whose outcome is computed by hand, for every protocol.

``K`` are keywright-1 and those made of it, ``NEAR`` the two of them with near matches, ``S`` the SemEval scorers, ``G``
those of keyphrase generation, ``H`` those of Hulth's tool. ``full(...)`` is a list of fifteen, wrong but for its first.
"""

from math import log2
from typing import Final

from tests.rules.probing import Probe, combined, full, hits, lengths, matched, numbers, sizes

K, S, G, H = "keywright-1*", "semeval2010*", "kpg*", "hulth2003*"
STRICT, MACRO, CLEAN = "semeval2010-strict", "semeval2010-macro", "semeval2010-clean"
APPROXIMATE, OVERLAP = "keywright-1-approximate", "keywright-1-ngram-rp"
SEMANTIC, COMPAT = "keywright-1-semantic", "keywright-1-semantic-kpeval"
LOWERED = f"{APPROXIMATE} {OVERLAP} {SEMANTIC} {COMPAT}"
PART_OF = "hulth2003-part-of* hulth2003-modern-part-of*"
MODERN = "hulth2003-modern*"
MENG17, MENG21 = "kpg-meng2017", "kpg-meng2021"
ALL = "*"

# Phrases that some normal forms hold for equal, and others not.
PAIRS: Final = {
    "case": ("Blue Net", "blue net"),
    "short": ("TV", "tv"),  # NLTK 3.2.5 leaves words of two letters in their case
    "stem": ("generalization", "generalize"),  # gener and gener, by either variant of Porter's
    "lemma": ("mice", "mouse"),
    "upper": ("Mice", "mouse"),  # spaCy's table has mice and not Mice
    "hyphen": ("grid-net", "grid net"),
    "signs": ("grid-net", "grid - net"),
    "blanks": ("big  fox", "big fox"),
    "outer": (" fox", "fox"),
    "letters": ("\ufb01lter", "filter"),  # one letter fi
    "digits": ("12 nets", "34 nets"),  # published files have one sign for all numbers
    "twice": ("databases", "databas"),  # stems databas and databa: equal if stemmed on one side only
}
FORMS: Final = {name: pair[0] for name, pair in PAIRS.items()} | {f"{name}-": two[1] for name, two in PAIRS.items()}
OTHERS: Final = {name: pair[1] for name, pair in PAIRS.items()} | {f"{name}-": two[0] for name, two in PAIRS.items()}


def odd(report):
    """Answers that do not fit the gold."""
    return {what: number for what, number in report.skipped.items() if not what.startswith("no gold")}


def at_first(report):
    """P, R and F at the first cutoff."""
    k = combined(report).cutoffs[0]
    return numbers(f"P@{k}", f"R@{k}", f"F@{k}")(report)


def both(names: str, other: str = "") -> str:
    """These pairs in both directions, then pairs in one."""
    wanted = {*names.split(), *(f"{name}-" for name in names.split()), *other.split()}
    return " ".join(name for name in FORMS if name in wanted)


NORMAL = Probe(
    "normal forms",
    {name: (phrase,) for name, phrase in OTHERS.items()},
    {name: (phrase,) for name, phrase in FORMS.items()},
    matched,
    {
        K: both("case short stem blanks outer letters"),
        # Levels are of stems, so that forms which keep their endings match by stems, too.
        APPROXIMATE: both("case short stem blanks outer letters"),
        OVERLAP: both("case short stem blanks outer letters digits"),  # half of the words, with digits
        f"{SEMANTIC} {COMPAT}": both("case short blanks outer letters"),
        S: "",
        G: both("case short stem hyphen signs blanks outer digits"),
        "kpg-strict": both("case short stem outer"),
        # Gold is not stemmed: generalize and nets stay; databas is what the predictions have.
        "kpg-stemmed-gold": both("case short hyphen signs blanks outer", "twice"),
        # A blank before the first token is a token of spaCy's, of which fox is a part.
        "hulth2003-exact": both("signs"),
        "hulth2003-exact-lower": both("case short signs"),
        "hulth2003-exact-lemma": both("case short lemma signs"),
        "hulth2003-exact-stem": both("case stem signs"),
        "hulth2003-part-of": both("signs", "outer-"),
        "hulth2003-part-of-lower": both("case short signs", "outer-"),
        "hulth2003-part-of-lemma": both("case short lemma signs", "outer-"),
        "hulth2003-part-of-stem": both("case stem signs", "outer-"),
        MODERN: both("hyphen signs blanks outer letters"),
        "hulth2003-modern-*-lower": both("case short hyphen signs blanks outer letters"),
        "hulth2003-modern-*-lemma": both("case short lemma upper hyphen signs blanks outer letters"),
        "hulth2003-modern-*-stem": both("case short stem hyphen signs blanks outer letters"),
    },
)

# Each filter leaves another number: all 7; not the empty one 6; no comma or full stop 5; no <unk> 4; both 2; fox 1.
ODD = ("", "a , b", "c . d", "x <unk>", "y <unk>", "<unk>", "fox")
ACCEPT = Probe(
    "odd predictions",
    {"d": ("red fox",)},
    {"d": ODD},
    lengths,
    {
        ALL: [7],
        K: [6],  # all but the empty one
        G: [1],  # fox
        "kpg-strict": [2],  # and the empty one
        "kpg-deepkpg": [7],
        "kpg-exhird": [4],  # without those that have <unk>
        MENG17: [0],  # of phrases of one word the first stays, the empty one, and it is not accepted
        MODERN: [6],
    },
)
ACCEPT_GOLD = Probe("odd gold", {"d": ODD}, {"d": ()}, sizes, {ALL: [6], f"{S} kpg-strict": [7]})

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
IDS: Final = (
    Probe(
        "no answer",
        {"d": ("red fox",), "e": ("low cat",)},
        {"d": ("red fox",)},
        odd,
        {ALL: "BadRecord", f"{S} kpg-strict": {"no answer": 1}},
    ),
    Probe(
        "not in the gold",
        {"d": ("red fox",)},
        {"d": ("red fox",), "e": ("low cat",)},
        odd,
        {ALL: "BadRecord", f"{S} kpg-strict {H}": {"not in the gold": 1}},
    ),
    Probe(
        "answered twice",
        {"d": ("red fox",)},
        {"d": ("red fox",)},
        odd,
        {ALL: "BadRecord", f"{S} kpg-strict": {"repeated, last one kept": 1}},
        repeated=1,
    ),
)
MARKS = Probe(
    "byte order mark and carriage return",
    {"d": ("red fox",)},
    ("\ufeffd : " + ",".join(full("red fox")) + "\r\n").encode(),
    lambda report: report.scored,
    {ALL: 1, "kpg-strict": 0, STRICT: "PartlyDone", H: "BadRecord"},
    same=False,
)
WRITE = Probe(
    "surface forms",
    {"d": ("databases",), "e": ("red fox",), "f": ("red fox",)},
    {"d": ("databases",), "e": (), "f": (*full(), "w16 x16")},
    lambda report: (hits(report)[:2], len(hits(report)[2])),
    {ALL: ([[1], []], 16), S: ([[0], []], 15), "kpg-stemmed-gold": ([[0], []], 16), "kpg-deepkpg": ([[1], [0]], 16)},
    native=True,
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
    {
        SEMANTIC: [(0.8 + 0.05) / 3, (0.8 + 0.05) / 3],
        COMPAT: [(0.8 + 0.05) / 3, (0.55 + 0.05) / 3],
    },
    same=False,
)


def names(cutoffs: str, averages: str = "", classes: str = "", means: str = "") -> str:
    """Names of values: each kind of gold, each class, the first average without and the others with their name."""
    measures = [f"{kind}@{k}" for k in cutoffs.split() for kind in "PRF"]
    row = measures + [f"{average}-{measure}" for average in averages.split() for measure in measures] + means.split()
    sets = [
        f"{by}/{part}" if part else by for by in ("author", "reader", "combined") for part in classes.split() or [""]
    ]
    return " ".join(f"{one}/{measure}" for one in sets for measure in row)


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
PROBES: Final = (
    NAMES,
    *(NORMAL, ACCEPT, ACCEPT_GOLD, REPEATS, GOLD_REPEATS, ALTERNATIVES, MATCHING, NEAR, SHORT, NO_GOLD, AVERAGE),
    *(ROUNDING, NOTHING, *IDS, MARKS, WRITE, DEPTH, MANY_REPEATS, ONE_WORD, PRESENT, RANKED, ALPHA, DIVERSITY, MEANING),
)
