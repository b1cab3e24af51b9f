"""Smaller tables of SemEval-2010 Task 5: counts of its data, the human upper bound, and its baselines.

A difference of counts is explained only where arithmetic on the files confirms the cause. The papers print the human
bound without the rule of matching: of all rules tried, the words of the trial papers come nearest (P / R .278, printed
.276; phrases of the test papers .321). The published baselines are weak: ``clean`` is careful pre-processing, three
points better, ``as-published`` the one of ours that is nearest to the printed row.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.interfaces import Progress
from keywright.datasets.collection import load
from keywright.evaluation.answers import GoldSet, make_gold_sets
from keywright.evaluation.statistics.significance import Overlap, count_overlap, count_shared, pair_choices
from keywright.experiments.semeval2010_records import CUTOFFS
from keywright.experiments.semeval2010_task import TEST, TRAIN, score_system, shared_papers
from keywright.experiments.study import PERCENT, Row, Study, choose_systems, read_published
from keywright.extraction.systems.kpminer import KPMiner
from keywright.extraction.systems.supervised_baselines import MaximumEntropy, NaiveBayes
from keywright.extraction.systems.tfidf import TfIdf
from keywright.text.stems import semeval_stem, stopwords

DATA_SPLITS: Final = ("trial", "train", "test")


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one split: accepted ``forms`` of all entries, and ``distinct`` entries of a document, by kind."""

    texts: dict[str, str]
    categories: Counter[str]
    entries: Counter[str]
    forms: Counter[str]
    distinct: Counter[str]

    @property
    def shared(self) -> int:
        """Number of entries of both authors and readers, which the combined list has once."""
        return self.entries["author"] + self.entries["reader"] - self.entries["combined"]

    def describe(self, kind: str) -> str:
        """Return the results of the ways of counting that were tried."""
        return (
            f"the file has {self.entries[kind]} entries, {self.distinct[kind]} distinct ones, "
            f"{self.forms[kind]} accepted forms"
        )

    def make_row(self, split: str, kind: str, number: int, note: str) -> Row:
        """Return the row of a number of keyphrases."""
        dataset = f"semeval2010/{split}"
        return Row("keyphrases", number, self.entries[kind], gold=kind, dataset=dataset, note=note)


def count_data(mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute published and counted numbers of table 1, table 2, then the README."""
    counted = {split: count_split(split, mirror) for split in DATA_SPLITS}
    published = read_published("semeval2010_tables")
    readme = []
    for split, line in published["readme"].items():
        counts = counted[split]
        for kind, number in line.items():
            entries, forms = counts.entries[kind], counts.forms[kind]
            note = f"it counts accepted forms, {entries} entries + {forms - entries} alternatives"
            if number != forms:
                note = f"not explained: {counts.describe(kind)}"
            readme.append(counts.make_row(split, kind, number, f"README: {note}"))
    return (*_compare_documents(published, counted), *_compare_keyphrases(published, counted), *readme)


def count_split(split: str, mirror: Path | None = None) -> Counted:
    """Count one split."""
    counts = Counted({}, Counter(), Counter(), Counter(), Counter())
    for labelled in load(f"semeval2010/{split}", mirror):
        counts.texts[labelled.id] = labelled.document.text
        counts.categories[labelled.document.meta["category"]] += 1
        for gold in labelled.gold:
            counts.entries[gold.by] += 1
            counts.forms[gold.by] += len(gold.forms)
        counts.distinct.update(by for by, _ in {(gold.by, gold.forms) for gold in labelled.gold})
    return counts


def _compare_documents(published: dict[str, Any], counted: dict[str, Counted]) -> Iterator[Row]:
    for split, line in published["documents"].items():
        parts = [value for name, value in line.items() if name != "total"]
        sums = f"the categories printed in the same row add up to {' + '.join(map(str, parts))} = {sum(parts)}"
        for category, number in line.items():
            is_total, counts = category == "total", counted[split]
            ours = len(counts.texts) if is_total else counts.categories[category]
            note = "" if ours == number else sums if sum(parts) == ours else "not explained"
            row = Row("documents", number, ours, dataset=f"semeval2010/{split}", note=note)
            yield row if is_total else replace(row, category=category)
    trial, train, test = (counted[split].texts for split in DATA_SPLITS)
    again = sum(train.get(name) == text for name, text in trial.items())
    ours = len({*trial.items(), *train.items(), *test.items()})
    for source, number in published["collection"].items():
        note = f"count of the {source}"
        if number == len(trial) + len(train) + len(test) and number - ours == again:
            note += f": {len(trial)} + {len(train)} + {len(test)}, but {again} trial documents are training documents"
        yield Row("documents", number, ours, dataset="semeval2010", note=note)


def _compare_keyphrases(published: dict[str, Any], counted: dict[str, Counted]) -> Iterator[Row]:
    for split, line in published["keyphrases"].items():
        counts, stated = counted[split], published["shared"].get(split)
        for kind, number in line.items():
            note = ""
            if number != counts.entries[kind]:
                implied = line["author"] + line["reader"] - line["combined"]
                note = (
                    f"not explained: {counts.describe(kind)}. "
                    f"The paper says that authors and readers share {stated}: the files do too ({counts.shared}), "
                    f"but its row implies {implied}"
                )
            yield counts.make_row(split, kind, number, note)
        if stated is not None:
            row = Row("keyphrases of authors and readers", stated, counts.shared, dataset=f"semeval2010/{split}")
            yield replace(row, note="entries of author + reader - combined")


DATA: Final = Study("semeval2010-data", count_data)

SPLITS: Final = ("test", "train", "trial")
Rule: TypeAlias = Callable[[GoldSet, GoldSet], Overlap]
Forms: TypeAlias = tuple[str, ...]


def compute_human_bound(mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute published and our P, R and F for each split and rule; the nearest of all is marked."""
    published = read_published("semeval2010_humans")["readers_against_authors"]
    overlaps: dict[tuple[str, str], Overlap] = {}
    for split in SPLITS:
        sides = make_gold_sets(load(f"semeval2010/{split}", mirror), ("author", "reader"))
        overlaps |= {(split, name): rule(*sides) for name, rule in RULES.items()}
    percents = {
        place: {"P": counts.precision * PERCENT, "R": counts.recall * PERCENT, "F": counts.f * PERCENT}
        for place, counts in overlaps.items()
    }
    distances = {
        place: sum(abs(value - published[measure]) for measure, value in values.items())
        for place, values in percents.items()
    }
    nearest = min(distances, key=distances.__getitem__)
    rows = []
    for place, counts in overlaps.items():
        split, rule = place
        mark = ", nearest of all tried" if place == nearest else ""
        notes = {
            "P": f"{counts.second_hit} of the readers' {counts.second}",
            "R": f"{counts.first_hit} of the authors' {counts.first}",
            "F": f"P / R is {counts.precision / counts.recall:.3f}, published {published['P'] / published['R']:.3f}",
        }
        for measure, value in percents[place].items():
            row = Row(measure, published[measure], round(value, 2), "human", "author", f"semeval2010/{split}")
            rows.append(replace(row, variant=rule, note=notes[measure] + mark))
    return tuple(rows)


def _match_phrases(near: Callable[[str, str], bool]) -> Rule:
    """Return a rule that counts phrases of which a form is near to a form of a phrase of the other side."""

    def is_near(author: Forms, reader: Forms) -> bool:
        return any(near(form, other) for form in author for other in reader)

    def count(author: GoldSet, reader: GoldSet) -> Overlap:
        pairs = zip(author.documents, reader.documents, strict=True)
        return count_overlap(((authors.entries, readers.entries) for authors, readers in pairs), is_near)

    return count


def _count_words(author: GoldSet, reader: GoldSet, left_out: frozenset[str]) -> Overlap:

    def list_words(entry: Forms) -> frozenset[str]:
        return frozenset(word for form in entry for word in form.split()) - left_out

    return count_shared(pair_choices(author, reader, list_words))


RULES: Final[Mapping[str, Rule]] = {
    "equal phrases": _match_phrases(str.__eq__),
    "one phrase is a run of the other's words": _match_phrases(
        lambda author, reader: f" {author} " in f" {reader} " or f" {reader} " in f" {author} "
    ),
    "one phrase is part of the other's letters": _match_phrases(
        lambda author, reader: author in reader or reader in author
    ),
    "half of the words of the author's phrase": _match_phrases(
        lambda author, reader: 2 * len({*author.split()} & {*reader.split()}) >= len({*author.split()})
    ),
    "any word in common": _match_phrases(lambda author, reader: not set(author.split()).isdisjoint(reader.split())),
    "distinct words": partial(_count_words, left_out=frozenset()),
    "distinct words but function words": lambda author, reader: _count_words(
        author, reader, frozenset(map(semeval_stem, stopwords("en")))
    ),
}
"""Matching rules, on stemmed forms of the answer files; any alternative of an entry may match."""

HUMANS: Final = Study("semeval2010-humans", compute_human_bound)

BASELINES_NAME: Final = "semeval2010-baselines"
_CAREFUL: Final = "stop words end a phrase anywhere"
_NEAREST: Final = "no stop list, phrases run across signs: of all values of stop_words nearest to the printed row"
VARIANTS: Final[Mapping[str, Mapping[str, tuple[Any, str]]]] = {
    **{
        name: {"clean": (kind, _CAREFUL), "as-published": (partial(kind, stop_words="ignored"), _NEAREST)}
        for name, kind in (("tfidf", TfIdf), ("nb", NaiveBayes), ("me", MaximumEntropy))
    },
    "kpminer": {"as-published": (KPMiner, "cutoff 400, 15 phrases refined: as the papers say")},
}
"""Constructor and note of each system, by system and variant."""


def compute_baselines(
    systems: Collection[str] | None = None, progress: Progress | None = None, mirror: Path | None = None
) -> tuple[Row, ...]:
    """Compute published and our F at 5, 10 and 15 on the test papers, for each system, variant and kind of gold."""
    chosen = choose_systems(systems, tuple(VARIANTS), BASELINES_NAME)
    published = read_published("semeval2010_baselines")
    train, test = (shared_papers(split, mirror, tagged=False) for split in (TRAIN, TEST))
    gold = make_gold_sets(test)
    units = [(name, variant, *VARIANTS[name][variant]) for name in chosen for variant in VARIANTS[name]]
    measured: list[Row] = []
    for done, (name, variant, make, note) in enumerate(units, start=1):
        values = score_system(make().fit(train), test, gold)
        for kind, printed in published[name].items():
            for cutoff, number in zip(CUTOFFS, printed, strict=True):
                ours = round(values[f"{kind}/F@{cutoff}"], 2)
                measured.append(Row(f"F@{cutoff}", number, ours, name, kind, TEST, variant=variant, note=note))
        if progress:
            progress(done, len(units))
    return tuple(measured)


BASELINES: Final = Study(BASELINES_NAME, compute_baselines)
