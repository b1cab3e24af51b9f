"""Choose the weights of careful counting on the SemEval-2010 training papers, and check them on held-out folds.

    KEYWRIGHT_MIRROR=... python tools/train/choose_default.py

In each of five folds the weights are searched on four fifths of the papers, one at a time from ``GRID``, and evaluated
on the rest, beside KP-Miner and TF×IDF with frequencies of the same four fifths. The last lines give the shipped
weights on all papers. No test paper is read.

The shipped weights are not the best of the search: among equal ones those were chosen that also suit abstracts, theses,
news and biomedical articles (training parts only).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.progress import track

from keywright.core.interfaces import Extractor
from keywright.evaluation.answers import make_gold_sets
from keywright.experiments.semeval2010_records import CUTOFFS
from keywright.experiments.semeval2010_task import TRAIN, Labelled, analyse_split, score_system, split_folds
from keywright.extraction.systems.counting import Counting
from keywright.extraction.systems.kpminer import KPMiner
from keywright.extraction.systems.tfidf import TfIdf

START = Counting(
    mentions=1.0, rarity=1.0, phrase=1.0, long=1.0, stop_word=1.0, acronym=0.0, title=0.0, abstract=0.0,
    introduction=0.0, conclusion=0.0, decay=0.0,
)  # fmt: skip
GRID: Mapping[str, Sequence[float]] = {
    "phrase": (2.0, 3.0, 4.0),
    "title": (1.0, 2.0),
    "abstract": (0.5, 1.0),
    "introduction": (0.3, 0.5),
    "conclusion": (0.3, 0.5),
    "mentions": (0.5, 0.7),
    "rarity": (0.5, 0.7),
    "decay": (1.0, 2.0, 3.0),
    "long": (0.5,),
    "stop_word": (0.2, 0.5),
    "acronym": (0.5, 1.0),
}
NOTICEABLE = 0.05
"""Points of F@15 that a change must gain; arbitrary."""


def main() -> None:
    """Search, check, print."""
    papers = analyse_split(TRAIN)
    rows: dict[str, list[dict[str, float]]] = {"counting": [], "kpminer": [], "tfidf": []}
    for number, (training, held_out) in enumerate(track(tuple(split_folds(papers)), description="folds")):
        chosen = search(training)
        print(number, {name: getattr(chosen, name) for name in GRID})
        for system in (chosen, KPMiner().fit(training), TfIdf().fit(training)):
            rows[system.name].append(weighted(system, held_out))
    for name, folds_of in rows.items():
        weight = sum(row["papers"] for row in folds_of)
        means = [sum(row["papers"] * row[f"{cutoff}"] for row in folds_of) / weight for cutoff in CUTOFFS]
        print(f"{name:8} held out, mean of folds: F@5/10/15", *(f"{mean:.2f}" for mean in means))
    for system in (Counting(), KPMiner().fit(papers), TfIdf().fit(papers)):
        shipped = weighted(system, papers)
        print(
            f"{system.name:8} as shipped, all papers: F@5/10/15", *(f"{shipped[str(cutoff)]:.2f}" for cutoff in CUTOFFS)
        )


def search(papers: Labelled) -> Counting:
    """Return the best weights on these papers, changed one at a time."""
    best, reached = START, weighted(START, papers)["15"]
    for option, values in GRID.items():
        for value in values:
            tried = replace(best, **{option: value})
            score = weighted(tried, papers)["15"]
            if score > reached + NOTICEABLE:
                best, reached = tried, score
    return best


def weighted(system: Extractor, papers: Labelled) -> dict[str, float]:
    """Return combined F in percent by cutoff, and the number of papers."""
    values = score_system(system, papers, make_gold_sets(papers))
    return {"papers": len(papers), **{str(cutoff): values[f"combined/F@{cutoff}"] for cutoff in CUTOFFS}}


if __name__ == "__main__":
    main()
