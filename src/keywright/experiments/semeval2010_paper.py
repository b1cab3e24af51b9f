"""Smaller tables of SemEval-2010 Task 5: counts of its data, the human upper bound, and its baselines.

Data: tables 1 and 2 of the task paper, and the counts of its README. A difference is explained only where arithmetic on
the files confirms the cause; the notes are computed.

Humans: readers' keyphrases scored against the authors', by several matching rules. The papers print P 21.5, R 77.8,
F 33.6 without the rule of matching. Equal phrases give half of that recall. Where a match uses up one choice of each
side, hits cancel out of P / R, which is then the authors' choices over the readers': .276 as printed. Phrases of the
test papers give .321, so no such rule on them can lead there; nearest come the words of the trial papers with .278, and
these give P 21.48, R 77.15, F 33.61.

Baselines, and KP-Miner: trained on the 144 training papers and scored on the 100 test papers. The published baselines
are weak: n-grams that treat stop words with care score three points more. Both stand in the table: ``clean`` is the
careful pre-processing, ``as-published`` the one of ours that is nearest to the printed row.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.errors import unknown_name
from keywright.core.interfaces import Progress
from keywright.datasets.collection import load
from keywright.evaluation.answers import GoldSet, make_gold_sets
from keywright.evaluation.statistics.agreement import Near, Overlap, count_overlap, count_shared, pair_choices
from keywright.experiments.semeval2010_records import CUTOFFS
from keywright.experiments.semeval2010_task import TEST, TRAIN, analyse_split, score_system
from keywright.experiments.study import PERCENT, Row, Study
from keywright.extraction.systems.kpminer import KPMiner
from keywright.extraction.systems.supervised_baselines import MaximumEntropy, NaiveBayes
from keywright.extraction.systems.tfidf import TfIdf
from keywright.text.stems import semeval_stem, stopwords

DATA_NAME: Final = "semeval2010-data"
DATA_SPLITS: Final = ("trial", "train", "test")


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one split.

    ``forms``: accepted forms of all entries by kind; ``distinct``: different entries of a document by kind.
    """

    texts: dict[str, str]
    categories: Counter[str]
    entries: Counter[str]
    forms: Counter[str]
    distinct: Counter[str]

    @property
    def shared(self) -> int:
        """Number of entries of both authors and readers, which the combined list has once."""
        return self.entries["author"] + self.entries["reader"] - self.entries["combined"]


def count_data(mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute published and counted numbers of table 1, table 2, then the README."""
    counted = {split: count_split(split, mirror) for split in DATA_SPLITS}
    text = files("keywright.experiments").joinpath("published", "semeval2010_tables.toml").read_text(encoding="utf-8")
    published = tomllib.loads(text)
    return (
        *_compare_documents(published, counted),
        *_compare_keyphrases(published, counted),
        *_compare_readme(published["readme"], counted),
    )


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
        counts = counted[split]
        for category, number in line.items():
            ours = len(counts.texts) if category == "total" else counts.categories[category]
            parts = [value for name, value in line.items() if name != "total"]
            note = ""
            if ours != number:
                note = f"the categories printed in the same row add up to {' + '.join(map(str, parts))} = {sum(parts)}"
                note = note if sum(parts) == ours else "not explained"
            yield Row(
                "documents",
                number,
                ours,
                dataset=f"semeval2010/{split}",
                category=None if category == "total" else category,
                note=note,
            )
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
                    f"not explained: {_describe_counts(counts, kind)}. "
                    f"The paper says that authors and readers share {stated}: the files do too ({counts.shared}), "
                    f"but its row implies {implied}"
                )
            yield _make_row(split, kind, number, counts, note)
        if stated is not None:
            yield Row(
                "keyphrases of authors and readers",
                stated,
                counts.shared,
                dataset=f"semeval2010/{split}",
                note="entries of author + reader - combined",
            )


def _compare_readme(published: dict[str, dict[str, int]], counted: dict[str, Counted]) -> Iterator[Row]:
    for split, line in published.items():
        counts = counted[split]
        for kind, number in line.items():
            alternatives = counts.forms[kind] - counts.entries[kind]
            if number == counts.forms[kind]:
                note = f"README: it counts accepted forms, {counts.entries[kind]} entries + {alternatives} alternatives"
            else:
                note = f"README: not explained: {_describe_counts(counts, kind)}"
            yield _make_row(split, kind, number, counts, note)


def _make_row(split: str, kind: str, number: int, counts: Counted, note: str) -> Row:
    return Row("keyphrases", number, counts.entries[kind], gold=kind, dataset=f"semeval2010/{split}", note=note)


def _describe_counts(counts: Counted, kind: str) -> str:
    """Return the results of the ways of counting that were tried."""
    return (
        f"the file has {counts.entries[kind]} entries, {counts.distinct[kind]} distinct ones, "
        f"{counts.forms[kind]} accepted forms"
    )


DATA: Final = Study(DATA_NAME, count_data)

HUMANS_NAME: Final = "semeval2010-humans"
SPLITS: Final = ("test", "train", "trial")

Rule: TypeAlias = Callable[[GoldSet, GoldSet], Overlap]
Forms: TypeAlias = tuple[str, ...]


def compute_human_bound(mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute published and our P, R and F for each split and rule; the nearest of all is marked."""
    text = files("keywright.experiments").joinpath("published", "semeval2010_humans.toml").read_text("utf-8")
    published = tomllib.loads(text)["readers_against_authors"]
    overlaps = {(split, rule): counts for split in SPLITS for rule, counts in apply_rules(split, mirror)}
    nearest = min(overlaps, key=lambda place: _compute_distance(overlaps[place], published))
    return tuple(
        row
        for (split, rule), counts in overlaps.items()
        for row in _make_human_rows(split, rule, counts, published, nearest=nearest)
    )


def apply_rules(split: str, mirror: Path | None = None) -> Iterator[tuple[str, Overlap]]:
    """Yield the overlap of readers and authors of one split by each rule."""
    author, reader = make_gold_sets(load(f"semeval2010/{split}", mirror), ("author", "reader"))
    for name, rule in RULES.items():
        yield name, rule(author, reader)


def _match_phrases(near: Near) -> Rule:
    """Return a rule that counts phrases near to a phrase of the other side."""

    def counted(author: GoldSet, reader: GoldSet) -> Overlap:
        pairs = zip(author.documents, reader.documents, strict=True)
        return count_overlap(((authors.entries, readers.entries) for authors, readers in pairs), near)

    return counted


def _match_forms(near: Callable[[str, str], bool]) -> Near:
    """Return nearness of entries as nearness of any of their forms."""
    return lambda author, reader: any(near(form, other) for form in author for other in reader)


def _is_run(author: str, reader: str) -> bool:
    return f" {author} " in f" {reader} " or f" {reader} " in f" {author} "


def _has_letters(author: str, reader: str) -> bool:
    return author in reader or reader in author


def _shares_half(author: str, reader: str) -> bool:
    words = set(author.split())
    return 2 * len(words & set(reader.split())) >= len(words)


def _list_words(entry: Forms) -> frozenset[str]:
    return frozenset(word for form in entry for word in form.split())


def _list_content_words(entry: Forms) -> frozenset[str]:
    return _list_words(entry) - {semeval_stem(word) for word in stopwords("en")}


RULES: Final[Mapping[str, Rule]] = {
    "equal phrases": _match_phrases(_match_forms(str.__eq__)),
    "one phrase is a run of the other's words": _match_phrases(_match_forms(_is_run)),
    "one phrase is part of the other's letters": _match_phrases(
        _match_forms(lambda author, reader: author in reader or reader in author)
    ),
    "half of the words of the author's phrase": _match_phrases(_match_forms(_shares_half)),
    "any word in common": _match_phrases(
        _match_forms(lambda author, reader: not set(author.split()).isdisjoint(reader.split()))
    ),
    "distinct words": lambda author, reader: count_shared(pair_choices(author, reader, _list_words)),
    "distinct words but function words": lambda author, reader: count_shared(
        pair_choices(author, reader, _list_content_words)
    ),
}
"""Matching rules, on stemmed forms of the answer files; any alternative of an entry may match."""


def _make_human_rows(
    split: str, rule: str, counts: Overlap, published: Mapping[str, float], *, nearest: tuple[str, str]
) -> Iterator[Row]:
    mark = ", nearest of all tried" if (split, rule) == nearest else ""
    notes = {
        "P": f"{counts.second_hit} of the readers' {counts.second}",
        "R": f"{counts.first_hit} of the authors' {counts.first}",
        "F": f"P / R is {counts.precision / counts.recall:.3f}, published {published['P'] / published['R']:.3f}",
    }
    for measure, value in _compute_percents(counts).items():
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


def _compute_percents(counts: Overlap) -> dict[str, float]:
    return {"P": counts.precision * PERCENT, "R": counts.recall * PERCENT, "F": counts.f * PERCENT}


def _compute_distance(counts: Overlap, published: Mapping[str, float]) -> float:
    """Return the sum of the differences of P, R and F, in points."""
    return sum(abs(value - published[measure]) for measure, value in _compute_percents(counts).items())


HUMANS: Final = Study(HUMANS_NAME, compute_human_bound)

BASELINES_NAME: Final = "semeval2010-baselines"


_CAREFUL: Final = "stop words end a phrase anywhere"
_NEAREST: Final = "no stop list, phrases run across signs: of all values of stop_words nearest to the printed row"

VARIANTS: Final[Mapping[str, Mapping[str, tuple[Any, str]]]] = {
    "tfidf": {"clean": (TfIdf, _CAREFUL), "as-published": (lambda: TfIdf(stop_words="ignored"), _NEAREST)},
    "nb": {"clean": (NaiveBayes, _CAREFUL), "as-published": (lambda: NaiveBayes(stop_words="ignored"), _NEAREST)},
    "me": {
        "clean": (MaximumEntropy, _CAREFUL),
        "as-published": (lambda: MaximumEntropy(stop_words="ignored"), _NEAREST),
    },
    "kpminer": {"as-published": (KPMiner, "cutoff 400, 15 phrases refined: as the papers say")},
}
"""Constructor and note of each system, by system and variant."""


def compute_baselines(
    systems: Collection[str] | None = None, progress: Progress | None = None, mirror: Path | None = None
) -> tuple[Row, ...]:
    """Compute published and our F at 5, 10 and 15 on the test papers, for each system, variant and kind of gold."""
    text = files("keywright.experiments").joinpath("published", "semeval2010_baselines.toml").read_text("utf-8")
    published = tomllib.loads(text)
    chosen = _choose_systems(systems)
    train, test = analyse_split(TRAIN, mirror), analyse_split(TEST, mirror)
    gold = make_gold_sets(test)
    measured: list[Row] = []
    total = sum(len(VARIANTS[name]) for name in chosen)
    for name in chosen:
        for variant, (make, note) in VARIANTS[name].items():
            values = score_system(make().fit(train), test, gold)
            for kind, printed in published[name].items():
                for cutoff, number in zip(CUTOFFS, printed, strict=True):
                    ours = round(values[f"{kind}/F@{cutoff}"], 2)
                    measured.append(Row(f"F@{cutoff}", number, ours, name, kind, TEST, variant=variant, note=note))
            if progress:
                progress(len({(row.system, row.variant) for row in measured}), total)
    return tuple(measured)


def _choose_systems(systems: Collection[str] | None) -> tuple[str, ...]:
    for name in systems or ():
        if name not in VARIANTS:
            raise unknown_name("system of this table", name, VARIANTS, f"keywright reproduce {BASELINES_NAME} --list")
    return tuple(name for name in VARIANTS if not systems or name in systems)


BASELINES: Final = Study(BASELINES_NAME, compute_baselines)
