"""Human upper bound of SemEval-2010: readers' keyphrases scored against the authors', by every sensible rule.

The papers print P 21.5, R 77.8, F 33.6 without the rule of matching. Equal phrases give half of that recall. Where a
match uses up one choice of each side, hits cancel out of P / R, which is then the authors' choices over the readers':
.276 as printed. Phrases of the test papers give .321, so no such rule on them can lead there; nearest come the words of
the trial papers with .278, and these give P 21.48, R 77.15, F 33.61.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final, TypeAlias

from keywright.datasets.collection import load
from keywright.evaluation.formats.gold_sets import GoldSet, gold_sets
from keywright.evaluation.statistics.agreement import Near, Overlap, chosen, overlap, shared
from keywright.experiments.layouts import PERCENT
from keywright.experiments.rows import Row
from keywright.experiments.study import Study
from keywright.text.stems import semeval_stem
from keywright.text.stopwords import stopwords

NAME: Final = "semeval2010-humans"
SPLITS: Final = ("test", "train", "trial")

Rule: TypeAlias = Callable[[GoldSet, GoldSet], Overlap]
Forms: TypeAlias = tuple[str, ...]


def rows(mirror: Path | None = None) -> tuple[Row, ...]:
    """Published and our P, R and F for each split and rule; the nearest of all is marked.

    Raises:
        MissingData: SemEval-2010 is not on this machine.
    """
    text = files("keywright.experiments").joinpath("published", "semeval2010_humans.toml").read_text("utf-8")
    published = tomllib.loads(text)["readers_against_authors"]
    found = {(split, rule): one for split in SPLITS for rule, one in tried(split, mirror)}
    nearest = min(found, key=lambda place: _distance(found[place], published))
    return tuple(
        row for (split, rule), one in found.items() for row in _rows(split, rule, one, published, nearest=nearest)
    )


def tried(split: str, mirror: Path | None = None) -> Iterator[tuple[str, Overlap]]:
    """What each rule makes of readers and authors of one split."""
    author, reader = gold_sets(load(f"semeval2010/{split}", mirror), ("author", "reader"))
    for name, rule in RULES.items():
        yield name, rule(author, reader)


def _phrases(near: Near) -> Rule:
    """A rule that counts phrases near to one of the other side."""

    def counted(author: GoldSet, reader: GoldSet) -> Overlap:
        pairs = zip(author.documents, reader.documents, strict=True)
        return overlap(((one.entries, other.entries) for one, other in pairs), near)

    return counted


def _forms(near: Callable[[str, str], bool]) -> Near:
    """Nearness of entries from nearness of any of their forms."""
    return lambda author, reader: any(near(one, other) for one in author for other in reader)


def _run(author: str, reader: str) -> bool:
    return f" {author} " in f" {reader} " or f" {reader} " in f" {author} "


def _half(author: str, reader: str) -> bool:
    words = set(author.split())
    return 2 * len(words & set(reader.split())) >= len(words)


def _words(entry: Forms) -> frozenset[str]:
    return frozenset(word for form in entry for word in form.split())


def _content(entry: Forms) -> frozenset[str]:
    return _words(entry) - {semeval_stem(word) for word in stopwords("en")}


RULES: Final[Mapping[str, Rule]] = {
    "equal phrases": _phrases(_forms(str.__eq__)),
    "one phrase is a run of the other's words": _phrases(_forms(_run)),
    "one phrase is part of the other's letters": _phrases(_forms(lambda one, other: one in other or other in one)),
    "half of the words of the author's phrase": _phrases(_forms(_half)),
    "any word in common": _phrases(_forms(lambda one, other: not set(one.split()).isdisjoint(other.split()))),
    "distinct words": lambda author, reader: shared(chosen(author, reader, _words)),
    "distinct words but function words": lambda author, reader: shared(chosen(author, reader, _content)),
}
"""Stemmed forms of the answer files on both sides, any alternative of an entry."""


def _rows(
    split: str, rule: str, one: Overlap, published: Mapping[str, float], *, nearest: tuple[str, str]
) -> Iterator[Row]:
    mark = ", nearest of all tried" if (split, rule) == nearest else ""
    notes = {
        "P": f"{one.second_hit} of the readers' {one.second}",
        "R": f"{one.first_hit} of the authors' {one.first}",
        "F": f"P / R is {one.precision / one.recall:.3f}, published {published['P'] / published['R']:.3f}",
    }
    for measure, value in _percents(one).items():
        yield Row(
            measure,
            published[measure],
            round(value, 2),
            "human",
            "author",
            f"semeval2010/{split}",
            variant=rule,
            note=notes[measure] + mark,
        )


def _percents(one: Overlap) -> dict[str, float]:
    return {"P": one.precision * PERCENT, "R": one.recall * PERCENT, "F": one.f * PERCENT}


def _distance(one: Overlap, published: Mapping[str, float]) -> float:
    """Points that P, R and F are off, added up."""
    return sum(abs(value - published[measure]) for measure, value in _percents(one).items())


STUDY: Final = Study(NAME, rows)
