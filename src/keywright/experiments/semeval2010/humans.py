"""Human upper bound of SemEval-2010: readers' keyphrases scored against the authors', by several matching rules.

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
from keywright.experiments.study import Row, Study
from keywright.text.stems import semeval_stem
from keywright.text.stopwords import stopwords

NAME: Final = "semeval2010-humans"
SPLITS: Final = ("test", "train", "trial")

Rule: TypeAlias = Callable[[GoldSet, GoldSet], Overlap]
Forms: TypeAlias = tuple[str, ...]


def rows(mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute published and our P, R and F for each split and rule; the nearest of all is marked."""
    text = files("keywright.experiments").joinpath("published", "semeval2010_humans.toml").read_text("utf-8")
    published = tomllib.loads(text)["readers_against_authors"]
    overlaps = {(split, rule): counts for split in SPLITS for rule, counts in by_rule(split, mirror)}
    nearest = min(overlaps, key=lambda place: _distance(overlaps[place], published))
    return tuple(
        row
        for (split, rule), counts in overlaps.items()
        for row in _rows(split, rule, counts, published, nearest=nearest)
    )


def by_rule(split: str, mirror: Path | None = None) -> Iterator[tuple[str, Overlap]]:
    """Yield the overlap of readers and authors of one split by each rule."""
    author, reader = gold_sets(load(f"semeval2010/{split}", mirror), ("author", "reader"))
    for name, rule in RULES.items():
        yield name, rule(author, reader)


def _phrases(near: Near) -> Rule:
    """Return a rule that counts phrases near to a phrase of the other side."""

    def counted(author: GoldSet, reader: GoldSet) -> Overlap:
        pairs = zip(author.documents, reader.documents, strict=True)
        return overlap(((authors.entries, readers.entries) for authors, readers in pairs), near)

    return counted


def _forms(near: Callable[[str, str], bool]) -> Near:
    """Return nearness of entries as nearness of any of their forms."""
    return lambda author, reader: any(near(form, other) for form in author for other in reader)


def _run(author: str, reader: str) -> bool:
    return f" {author} " in f" {reader} " or f" {reader} " in f" {author} "


def _letters(author: str, reader: str) -> bool:
    return author in reader or reader in author


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
    "one phrase is part of the other's letters": _phrases(
        _forms(lambda author, reader: author in reader or reader in author)
    ),
    "half of the words of the author's phrase": _phrases(_forms(_half)),
    "any word in common": _phrases(_forms(lambda author, reader: not set(author.split()).isdisjoint(reader.split()))),
    "distinct words": lambda author, reader: shared(chosen(author, reader, _words)),
    "distinct words but function words": lambda author, reader: shared(chosen(author, reader, _content)),
}
"""Matching rules, on stemmed forms of the answer files; any alternative of an entry may match."""


def _rows(
    split: str, rule: str, counts: Overlap, published: Mapping[str, float], *, nearest: tuple[str, str]
) -> Iterator[Row]:
    mark = ", nearest of all tried" if (split, rule) == nearest else ""
    notes = {
        "P": f"{counts.second_hit} of the readers' {counts.second}",
        "R": f"{counts.first_hit} of the authors' {counts.first}",
        "F": f"P / R is {counts.precision / counts.recall:.3f}, published {published['P'] / published['R']:.3f}",
    }
    for measure, value in _percents(counts).items():
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


def _percents(counts: Overlap) -> dict[str, float]:
    return {"P": counts.precision * PERCENT, "R": counts.recall * PERCENT, "F": counts.f * PERCENT}


def _distance(counts: Overlap, published: Mapping[str, float]) -> float:
    """Return the sum of the differences of P, R and F, in points."""
    return sum(abs(value - published[measure]) for measure, value in _percents(counts).items())


STUDY: Final = Study(NAME, rows)
