"""Probes of forms: what is read and written, which phrases are equal, which are phrases at all."""

from typing import Final

from tests.rules.families import ALL, APPROXIMATE, COMPAT, MENG17, MODERN, OVERLAP, SEMANTIC, STRICT, G, H, K, S
from tests.rules.probing import Probe, full, hits, lengths, matched, sizes

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


def both(names: str, other: str = "") -> str:
    """These pairs in both directions, then pairs in one."""
    wanted = {*names.split(), *(f"{name}-" for name in names.split()), *other.split()}
    return " ".join(name for name in FORMS if name in wanted)


def odd(report):
    """Answers that do not fit the gold."""
    return {what: number for what, number in report.skipped.items() if not what.startswith("no gold")}


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
FORM_PROBES: Final = (NORMAL, ACCEPT, ACCEPT_GOLD, MARKS, WRITE, *IDS)
