"""The default: boosted trees over a shortlist of candidates, with a probability for each phrase.

In the order of ``extract``:

* candidates are phrases of up to five words; in a long text only those that are repeated or in a zone;
* untrained weights, raised by how often authors chose a phrase, select a shortlist (``ranking/shortlist.py``);
* the shortlist is described (``features/description/columns.py``): frequency, rarity, position, sections, spelling,
  grammar, nesting, keyphraseness, and rank among the other candidates; parts of speech come from a lexicon of word
  forms, so no tagger is needed;
* boosted trees (Friedman 2001; LightGBM) rank the shortlist for a style: few and general phrases as authors choose,
  phrases that readers mark, all phrases for an index, subject headings, or what all of these have in common;
* the trees correct a start: the number of keyphrases that people are expected to choose from such a document, declared
  or the usual one of the style, shared out equally (by the untrained weights in languages without tables);
* with quality best, an encoder reads the sixty best of them in their context, and corrects their log-odds
  (``ranking/context_reader.py``);
* a map that was fitted on held-out documents turns log-odds into probabilities, and the count that maximises the
  expected F1 is the system's own list length.

Tables ship with the package and are listed with sources and licences in ``models/``; the trees were trained by
``tools/train/train_default.py`` on collections that share no document with the test sets
(``datasets/training_mix.py``). All choices were made by cross-validation on training papers. Other languages than
English have fewer resources (``ranking/language_resources.py``), and a warning lists what is missing.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Final, Literal, Self

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Ranking
from keywright.core.document_batches import Analysed, group_documents, join_documents
from keywright.core.documents import AnalysedDocument, LabelledDocument, Style
from keywright.core.errors import BadParameter
from keywright.core.predictions import Assumption
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description.columns import RANKS, describe
from keywright.extraction.features.description.described_candidates import (
    STYLES,
    DescribedCandidates,
    add_style_column,
    style_of,
)
from keywright.extraction.features.description.weighing import Weighing
from keywright.extraction.learners.examples import Examples, with_expected
from keywright.extraction.learners.ranker import TrainedRanker, train_ranker
from keywright.extraction.ranking import domain
from keywright.extraction.ranking.by_document import candidates_of, counts_by_expected_f1, with_scores_behind
from keywright.extraction.ranking.context_reader import IN_CONTEXT, ContextReader, shipped_reader
from keywright.extraction.ranking.language_resources import (
    MEASURED,
    Languages,
    load_shipped_ranker,
    warning_of,
    withheld,
)
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.reasons import contributions_by_subject
from keywright.extraction.ranking.shortlist import select_shortlist
from keywright.text.keys import gold_keys

WEIGHT: Final = f"{RANKS}: weight"
"""Column of the weights by which the start is shared out."""
_TOKENS_TOGETHER: Final = 65_536
"""Tokens of documents that are ranked as one, some seven papers; measured, more need more memory and are hardly
faster."""


@dataclass(frozen=True)
class Default:
    """Boosted trees over a described shortlist of candidates, with probabilities.

    style           whose choice to imitate: author (few and general), reader, indexer (all for an index), subject
                    (headings and tags), or general (what all have in common)
    expect          number of keyphrases that people choose from such a document, on which probabilities and the length
                    of the list depend, but not the order; None for the usual number of the style
    shortlist_size  candidates that are described; the others follow in the order of the first ranking
    knowledge       tables of phrases and words
    weighing        factors of the first ranking
    ranker          the trees and their probabilities
    language        of knowledge and ranker, ISO 639-1
    languages       resources for documents in other languages
    any_domain      whether documents unlike those of training get probabilities as well; true once fitted
    quality         standard; or best, which also reads the shortlist in its context with an encoder, slower
    reader          the encoder of quality best, None for the shipped one; standard quality has none
    """

    style: Literal["author", "reader", "indexer", "subject", "general"] = "general"
    expect: float | None = None
    shortlist_size: int = 200
    knowledge: Knowledge = field(default_factory=Knowledge)
    weighing: Weighing = field(default_factory=Weighing)
    ranker: TrainedRanker = field(default_factory=load_shipped_ranker, metadata={"default": "shipped"})
    language: str = "en"
    languages: Languages = field(default_factory=Languages)
    any_domain: bool = field(default=False, metadata={"signed": "if set"})
    quality: Literal["standard", "best"] = field(default="standard", metadata={"signed": False})  # its reader is
    reader: ContextReader | None = field(default=None, metadata={"signed": "if set"})

    name: ClassVar[str] = "default"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "terms"})

    def __post_init__(self) -> None:
        if self.expect is not None and not 0 < self.expect < math.inf:
            raise BadParameter(f"expect {self.expect}", "give the number of keyphrases of a usual document, above 0")
        reader = (self.reader or shipped_reader()) if self.quality == "best" else None
        object.__setattr__(self, "reader", reader)
        if reader and self.ranker.fingerprint != reader.card.get("ranker"):
            raise _own_trees()

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the shortlist by log-odds, then the other candidates by weight.

        Documents unlike those of training get no probabilities and no length, but a warning (``ranking/domain.py``).
        """
        return self.extract_together((document,))[0]

    def extract_together(self, documents: Sequence[AnalysedDocument]) -> list[Ranking]:
        """Rank the phrases of each document as ``extract`` does, those of each language at once."""
        rankings: dict[int, Ranking] = {}
        for language in dict.fromkeys(document.source.language for document in documents):
            numbers = [n for n, document in enumerate(documents) if document.source.language == language]
            of_language = [documents[number] for number in numbers]
            ranked: Iterable[Ranking]
            if (language or self.language) == self.language:
                groups = group_documents(of_language, _TOKENS_TOGETHER)
                ranked = itertools.chain.from_iterable(map(self._rank_together, groups))
            else:
                ranked = self._rank_in_another(of_language, str(language))
            rankings.update(zip(numbers, ranked, strict=True))
        return [rankings[number] for number in range(len(documents))]

    def _rank_together(self, documents: Sequence[AnalysedDocument]) -> list[Ranking]:
        """Rank documents in the system's language as one."""
        document = join_documents(documents)
        view, weight = self.view(document)
        bounds = view.candidates.first.searchsorted(document.bounds)
        rows = add_style_column(self.rows(view, weight)[0], Style(self.style))
        ranker = replace(self.ranker, probability=self.reader.probability) if self.reader else self.ranker
        expected = ranker.expectation(self.style, self.expect)
        start = ranker.start(expected, weight[view.in_shortlist], view.bounds)
        log_odds = ranker.scores(rows, start)
        added = None
        if self.reader:
            usual = log_odds
            if self.expect is not None:
                # The encoder sees those of the usual number, so that the order does not depend on a declared one.
                usual_start = ranker.start(ranker.expectation(self.style), weight[view.in_shortlist], view.bounds)
                usual = log_odds - start + usual_start
            added = self.reader.of_all(documents, view, usual, Style(self.style))
            log_odds = log_odds + added
        scores = with_scores_behind(weight, log_odds, view.in_shortlist, bounds)
        probabilities = ranker.probabilities(scores, self.style)
        promised = ranker.probabilities(log_odds, self.style)
        counts = None if promised is None else counts_by_expected_f1(promised, view.bounds)
        assumes = Assumption(self.style, expected) if self.style in ranker.probability else None
        is_checked = probabilities is not None and not self.any_domain
        reasons = domain.reasons(document, self.knowledge) if is_checked else [""] * len(documents)

        def explain(begin: int, shown: Ints) -> dict[str, Floats]:
            return self.evidence(view, rows, start, begin + shown, added)

        rankings = []
        for number, (begin, end) in enumerate(itertools.pairwise(bounds.tolist())):
            ranking = rank(
                documents[number],
                candidates_of(view.candidates, begin, end, int(document.bounds[number])),
                scores[begin:end],
                partial(explain, begin),
                probabilities=None if probabilities is None else probabilities[begin:end],
                chosen=None if counts is None else int(counts[number]),
                assumes=assumes,
            )
            reason = reasons[number] if len(ranking) else ""
            rankings.append(ranking.without_probabilities(domain.withheld(reason)) if reason else ranking)
        return rankings

    def view(self, document: Analysed) -> tuple[DescribedCandidates, Floats]:
        """Return the candidates with the shortlist, and the weight of all in the first ranking, (candidates,)."""
        return select_shortlist(document, self.knowledge, self.weighing, self.shortlist_size)

    def rows(self, view: DescribedCandidates, weight: Floats) -> tuple[Floats, tuple[str, ...]]:
        """Return the description of the shortlist, (shortlist, columns), and the columns' names."""
        rows, names = describe(view, self.knowledge, weight[view.in_shortlist])
        return rows, tuple(f"{group}: {name}" for group, name in names)

    def evidence(
        self, view: DescribedCandidates, rows: Floats, start: Floats, shown: Ints, added: Floats | None = None
    ) -> dict[str, Floats]:
        """Return what moved the log-odds of candidates, by subject, (shown,) each; 0 behind the shortlist.

        Args:
            view: the candidates and the shortlist.
            rows: description of the shortlist, (shortlist, columns).
            start: log-odds that the trees correct, (shortlist,); they count for the column of weights.
            shown: candidates to explain, (shown,); explaining a score takes longer than computing it.
            added: what the encoder adds, (shortlist,).
        """
        in_shortlist = view.in_shortlist[shown]
        row = (np.cumsum(view.in_shortlist) - 1)[shown[in_shortlist]]
        contributions = self.ranker.trees.contributions(rows[row])
        contributions[:, self.ranker.columns.index(WEIGHT)] += start[row]
        moved = contributions_by_subject(contributions, self.ranker.columns)
        if added is not None:
            moved[IN_CONTEXT] = added[row]
        evidence: dict[str, Floats] = {subject: np.zeros(len(shown)) for subject in moved}
        for subject, column in moved.items():
            evidence[subject][in_shortlist] = column
        return evidence

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn trees and probabilities from these documents alone; the tables of phrases and words stay.

        Gold of authors teaches the style ``author``, of readers and both together ``reader``, tags and descriptors
        ``subject``, all other ``indexer``. The result has the style of most documents if its own was not taught.

        Raises:
            BadParameter: there is no document, or none of the gold occurs in its document; or the quality is best.
        """
        examples = with_expected(self.examples(labelled))
        return self.with_ranker(train_ranker(examples), examples)

    def with_ranker(self, ranker: TrainedRanker, examples: Iterable[Examples]) -> Self:
        """Return the system with a ranker that learnt from examples: in its own style if taught, else in the usual one.

        Probabilities then come from the person's own documents, so they are given for all documents.
        """
        styles = Counter(example.style.value for example in examples)
        style: Any = self.style if self.style in styles else styles.most_common(1)[0][0]
        return replace(self, ranker=ranker, style=style, any_domain=True)

    def examples(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Iterable[Examples]:
        """Yield the rows of each document, once for each style that it has gold of.

        Raises:
            BadParameter: the quality is best.
        """
        if self.reader:
            raise _own_trees()
        for example in labelled:
            view, weight = self.view(example.document)
            rows, names = self.rows(view, weight)
            shares = weight[view.in_shortlist] if self.ranker and self.ranker.by_weight else None
            for style in STYLES:
                gold = [entry for entry in example.gold if style_of(entry) is style]
                if gold:
                    yield Examples(
                        example.id,
                        style,
                        add_style_column(rows, style),
                        np.isin(view.shortlist.key, gold_keys(gold, example.document.source.language)),
                        (*names, "style"),
                        gold=len({entry.forms for entry in gold}),
                        shares=shares,
                    )

    def for_language(self, language: str) -> Self | None:
        """Return the system with the resources of a language, in a style that was learnt there; None without any."""
        resources = self.languages.of(language)
        if language == self.language or resources is None:
            return self if resources else None
        learnt: list[Any] = list(resources.ranker.probability)
        style = self.style if self.style in learnt else learnt[0]
        return replace(
            self,
            knowledge=resources.knowledge,
            ranker=resources.ranker,
            style=style,
            language=language,
            quality="standard",  # the encoder reads English
        )

    def _rank_in_another(self, documents: Sequence[AnalysedDocument], language: str) -> list[Ranking]:
        """Rank with the resources of the documents' language, and a warning that says what is lacking."""
        system = self.for_language(language)
        if system is None:  # by the weights of the first ranking alone
            views = [self.view(document) for document in documents]
            pairs = zip(documents, views, strict=True)
            rankings = [rank(document, view.candidates, weight) for document, (view, weight) in pairs]
            warning = warning_of(language)
        else:
            rankings = system.extract_together(documents)
            if language not in MEASURED:
                rankings = [ranking.without_probabilities(withheld(language)) for ranking in rankings]
            warning = warning_of(language, system.knowledge, "" if system.style == self.style else system.style)
        not_read = f"language {language!r}: ranked without the encoder, which reads English" if self.reader else ""
        warnings = tuple(filter(None, (warning, not_read)))
        return [replace(ranking, warnings=(*ranking.warnings, *warnings)) for ranking in rankings]


def _own_trees() -> BadParameter:
    hint = "leave out the quality: its encoder corrects the shipped trees only"
    return BadParameter("a default with trees of its own has no quality best", hint)
