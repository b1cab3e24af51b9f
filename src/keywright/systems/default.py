"""The default: trees over what is known of the few hundred candidates that matter, with a probability for each.

The story, in the order of ``extract``:

* candidates are phrases of up to five words; in a long text only those that are repeated or stand in a zone count;
* careful counting (``features/functions/weighing.py``), helped by how often authors chose a phrase, makes a first
  ranking;
* the best few hundred are described (``features/description/columns.py``): how often, how rare, where, in which
  sections, how they are written, whether they are well-formed, part of longer phrases, known as keyphrases, and how
  they stand beside each other; parts of speech come from a lexicon of word forms, so no tagger is needed;
* one set of boosted trees (Friedman 2001; LightGBM) ranks them for the style that is wanted: few and general as authors
  choose, what readers mark, or all that an index wants;
* a map that was fitted on held-out documents turns scores into probabilities, and the count that maximises the expected
  F1 says how many phrases the system stands by.

What it knows ships with the package and is listed with sources and licences in ``models/``; the trees were trained by
``tools/train_default.py`` on collections that share no document with the test sets (``datasets/training_mix.py``). All
choices were made by cross-validation on training papers. Documents in other languages than English are ranked by what
ships for theirs (``ranking/language_resources.py``), which is less, and a warning says what is lacking.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Final, Literal, Self

import numpy as np

from keywright.candidates.prefilter import passes_prefilter, usual_candidates
from keywright.candidates.single_letter_terms import letters_of_terms
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.core.gold import LabelledDocument
from keywright.core.rankings import Ranking
from keywright.core.styles import Style
from keywright.corpus.by_language import ANY, lacking
from keywright.corpus.knowledge import Knowledge
from keywright.features.description.columns import describe
from keywright.features.description.described_candidates import DescribedCandidates
from keywright.features.functions.weighing import Weighing
from keywright.learners.ranker import TrainedRanker
from keywright.learners.ranker_training import Examples, train_ranker
from keywright.ranking.counting import count_by_expected_f1
from keywright.ranking.language_resources import Languages, shipped
from keywright.ranking.rank import rank
from keywright.text.gold_keys import gold_keys

ZONES: Final = (
    SectionKind.TITLE,
    SectionKind.ABSTRACT,
    SectionKind.INTRODUCTION,
    SectionKind.RELATED,
    SectionKind.CONCLUSION,
    SectionKind.HEADING,
    SectionKind.REFERENCES,
)
STYLES: Final = tuple(Style)
_LONG_TEXT: Final = 1000
_HELP: Final = 0.3
"""What the logarithm of the times that authors chose a phrase adds to its weight in the first ranking."""

_REASONS: Final = {
    "how often": "how often",
    "where": "where",
    "in which sections": "where",
    "how rare": "how rare",
    "known as a keyphrase": "known as a keyphrase",
    "how it is written": "well-formed",
    "well-formed": "well-formed",
    "its neighbours": "well-formed",
    "on its own": "well-formed",
    "beside the other candidates": "how central",
    "the document": "kind of document",
    "style": "kind of document",
}
"""What each group of columns is about, in the words in which evidence is shown."""

_TAUGHT: Final = {
    "en": "what was learnt from English documents",
    "fr": "what was learnt from French theses",
    ANY: "what the document itself tells, as learnt from English and French ones",
}
"""What trees have learnt from, by language."""

_STYLE_OF_GOLD: Final = {"author": Style.AUTHOR, "reader": Style.READER, "combined": Style.READER}


@dataclass(frozen=True)
class Default:
    """Boosted trees over what is known of a document's best candidates, with probabilities.

    style      whose keyphrases are wanted: author (few and general), reader, or indexer (all that an index wants)
    shortlist_size  candidates that are described; the others follow in the order of the first ranking
    knowledge  tables of phrases and words
    weighing   factors of the first ranking
    judge      the trees and their probabilities
    language   of knowledge and judge, ISO 639-1
    languages  what there is for documents in other languages
    """

    style: Literal["author", "reader", "indexer"] = "reader"
    shortlist_size: int = 200
    knowledge: Knowledge = field(default_factory=Knowledge)
    weighing: Weighing = field(default_factory=Weighing)
    judge: TrainedRanker = field(default_factory=shipped)
    language: str = "en"
    languages: Languages = field(default_factory=Languages)

    name: ClassVar[str] = "default"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the shortlist by log-odds, then the other candidates by weight."""
        if (document.source.language or self.language) != self.language:
            return self._in_another_language(document)
        view, weight = self.view(document)
        rows = styled(self.rows(view, weight)[0], Style(self.style))
        log_odds = self.judge.scores(rows)
        scores = _behind(weight, log_odds.min(initial=0.0))
        scores[view.in_shortlist] = log_odds
        return rank(
            document,
            view.candidates,
            scores,
            partial(self.evidence, view, rows),
            probabilities=self.judge.probabilities(scores, self.style),
            chosen=self._count(log_odds),
        )

    def _count(self, log_odds: Floats) -> int | None:
        """Return how many of the shortlist promise the best F1; None without probabilities for the style."""
        probabilities = self.judge.probabilities(log_odds, self.style)
        return None if probabilities is None else count_by_expected_f1(np.sort(probabilities)[::-1])

    def for_language(self, language: str) -> Self | None:
        """The system with what there is for a language, in a style that was learnt there; None for want of anything."""
        own = self.languages.of(language)
        if language == self.language or own is None:
            return self if own else None
        taught: list[Any] = list(own.judge.probability)
        style = self.style if self.style in taught else taught[0]
        return replace(self, knowledge=own.knowledge, judge=own.judge, style=style, language=language)

    def _in_another_language(self, document: AnalysedDocument) -> Ranking:
        """By what there is for the document's language, and a warning that tells what is lacking."""
        language = document.source.language or self.language
        own = self.for_language(language)
        if own is None:
            view, weight = self.view(document)
            ranking = rank(document, view.candidates, weight)
            warning = f"nothing was learnt for language {language!r}: phrases are counted and weighed"
        else:
            ranking = own.extract(document)
            warning = _little_known(language, lacking(own.knowledge), "" if own.style == self.style else own.style)
        return replace(ranking, warnings=(*ranking.warnings, *filter(None, [warning])))

    def evidence(self, view: DescribedCandidates, rows: Floats, shown: Ints) -> dict[str, Floats]:
        """Return what moved the log-odds of candidates, by subject, (shown,) each; 0 behind the shortlist.

        Args:
            view: the candidates and the shortlist.
            rows: description of the shortlist, (shortlist, columns).
            shown: candidates to explain, (shown,); explaining a score takes longer than computing it.
        """
        in_shortlist = view.in_shortlist[shown]
        row = (np.cumsum(view.in_shortlist) - 1)[shown[in_shortlist]]
        moved: dict[str, Floats] = {reason: np.zeros(len(shown)) for reason in dict.fromkeys(_REASONS.values())}
        for column, name in zip(self.judge.trees.contributions(rows[row]).T, self.judge.columns, strict=False):
            moved[_REASONS[name.partition(":")[0]]][in_shortlist] += column
        return moved

    def view(self, document: AnalysedDocument) -> tuple[DescribedCandidates, Floats]:
        """Which candidates are described, and the weight of all in the first ranking, (found,)."""
        letters = letters_of_terms(document, self.knowledge.chosen, self.knowledge.nouns)
        found = usual_candidates(document, letters)
        seen = passes_prefilter(found, document, ZONES, _LONG_TEXT)  # the others weigh nothing
        counts = self.knowledge.counts(found.key[seen])
        rarity, chosen = np.ones(len(found)), np.zeros(len(found))
        rarity[seen], chosen[seen] = self.knowledge.background.rarity(counts["background"]), counts["chosen"]
        factors = self.weighing.factors(found, document, rarity)
        weight = np.where(seen, np.prod(list(factors.values()), axis=0) * (1 + _HELP * np.log1p(chosen)), 0.0)
        return DescribedCandidates(document, found, _largest(weight, self.shortlist_size)), weight

    def rows(self, view: DescribedCandidates, weight: Floats) -> tuple[Floats, tuple[str, ...]]:
        """The description of the few, (few, columns), and the columns' names."""
        rows, names = describe(view, self.knowledge, weight[view.in_shortlist])
        return rows, tuple(f"{group}: {name}" for group, name in names)

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Trees and probabilities learnt from these documents alone; what it knows of phrases and words stays.

        Gold of authors teaches the style ``author``, of readers and both together ``reader``, all other ``indexer``.

        Raises:
            BadParameter: there is no document, or none of the gold stands in its document.
        """
        return replace(self, judge=train_ranker(self.examples(labelled)))

    def examples(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Iterable[Examples]:
        """Rows of each document, once for each style that it has gold of."""
        for one in labelled:
            view, weight = self.view(one.document)
            rows, names = self.rows(view, weight)
            styles = {_STYLE_OF_GOLD.get(entry.by, Style.INDEXER) for entry in one.gold}
            for style in STYLES:
                if style in styles:
                    gold = [entry for entry in one.gold if _STYLE_OF_GOLD.get(entry.by, Style.INDEXER) is style]
                    answers: Bools = np.isin(view.shortlist.key, gold_keys(gold, one.document.source.language))
                    given = len({entry.forms for entry in gold})
                    yield Examples(one.id, style, styled(rows, style), answers, (*names, "style"), gold=given)


def styled(rows: Floats, style: Style) -> Floats:
    """Rows with the style as one column more, (few, columns + 1)."""
    return np.vstack(
        [rows.T, np.full((1, len(rows)), STYLES.index(style), np.float32)]
    ).T  # columns are read one by one


def _largest(weight: Floats, few: int) -> Bools:
    """Whether each weight is one of the largest, (found,); of equal ones the first are."""
    if not 0 < few < len(weight):
        return np.full(len(weight), few > 0)
    least = np.partition(weight, len(weight) - few)[len(weight) - few]
    largest = weight > least
    largest[np.flatnonzero(weight == least)[: few - np.count_nonzero(largest)]] = True
    return np.asarray(largest)


def _behind(weight: Floats, least: float) -> Floats:
    """Scores below ``least`` in the order of weights, (found,): for candidates that were not described."""
    scores = np.empty(len(weight))
    scores[np.argsort(-weight, kind="stable")] = least - 1 - np.arange(len(weight)) / max(1, len(weight))
    return scores


def _little_known(language: str, lacks: tuple[str, ...], style: str) -> str:
    """A warning, empty where nothing is lacking; ``style`` is the only one that was learnt, or empty."""
    if not lacks:
        return ""
    told = _TAUGHT.get(language, _TAUGHT[ANY])
    only = f", in style {style!r} only" if style else ""
    return f"language {language!r}: without {', '.join(lacks)}; ranked by {told}{only}"
