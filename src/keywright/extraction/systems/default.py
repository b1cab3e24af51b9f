"""The default: boosted trees over a shortlist of candidates, with a probability for each phrase.

In the order of ``extract``:

* candidates are phrases of up to five words; in a long text only those that are repeated or in a zone;
* untrained weights, raised by how often authors chose a phrase, select a shortlist (``ranking/shortlist.py``);
* the shortlist is described (``features/description/columns.py``): frequency, rarity, position, sections, spelling,
  grammar, nesting, keyphraseness, and rank among the other candidates; parts of speech come from a lexicon of word
  forms, so no tagger is needed;
* boosted trees (Friedman 2001; LightGBM) rank the shortlist for a style: few and general phrases as authors choose,
  phrases that readers mark, all phrases for an index, subject headings, or what all of these have in common;
* trees of their own rank it for tags, most of which are single words; in the general style, a gate estimates how far
  the document is one that people tag, and the probabilities of both tastes are averaged (``learners/ranker.py``);
* in the general style, trees that learned from judged prose (letters, reports, reviews and the like) correct both, as
  far as another gate takes the document for such a text;
* the trees correct a start: the number of keyphrases that people are expected to choose from such a document, declared
  or the usual one of the style, shared out equally (by the untrained weights in languages without tables);
* with quality best, an encoder reads the sixty best of them in their context, and corrects their log-odds
  (``ranking/context_reader.py``);
* a map that was fitted on held-out documents turns log-odds into probabilities, and the count that maximises the
  expected F1 is the system's own list length.

Tables ship with the package and are listed with sources and licences in ``models/``; the trees were trained by
``tools/train/train_default.py`` on papers, abstracts, theses and news, and by ``tools/train/train_tags.py`` on everyday
texts, without what overlaps a test set (``datasets/training_mix.py``). All choices were made by cross-validation, of
the tastes with whole domains left out. The default is weak where labels are not in the text, or where annotators mark
every term. Other languages than English have fewer resources (``ranking/language_resources.py``), and a warning lists
what is missing.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any, ClassVar, Final, Literal, Self

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Ranking
from keywright.core.document_batches import Analysed, group_documents, join_documents
from keywright.core.documents import AnalysedDocument, LabelledDocument, Style
from keywright.core.errors import BadParameter
from keywright.core.predictions import Assumption
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description.columns import describe
from keywright.extraction.features.description.described_candidates import (
    STYLES,
    DescribedCandidates,
    add_style_column,
    style_of,
)
from keywright.extraction.features.description.weighing import Weighing
from keywright.extraction.learners.examples import Examples, with_expected
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import (
    TrainedRanker,
    find_shares,
    mix_probabilities,
    profile_documents,
    share_of_prose,
    train_ranker,
)
from keywright.extraction.ranking import domain
from keywright.extraction.ranking.context_reader import ContextReader, shipped_reader
from keywright.extraction.ranking.language_resources import (
    Languages,
    load_shipped_prose,
    load_shipped_ranker,
    load_shipped_tags,
    warning_of,
)
from keywright.extraction.ranking.rank import candidates_of, counts_by_expected_f1, rank, with_scores_behind
from keywright.extraction.ranking.shortlist import JudgedShortlist, Verdict, judge_by, select_shortlist
from keywright.text.keys import gold_keys

_TOKENS_TOGETHER: Final = 65_536
"""Tokens of documents that are ranked as one, some seven papers; measured, more need more memory and are hardly
faster."""


@dataclass(frozen=True)
class Default:
    """Boosted trees over a described shortlist of candidates, with probabilities.

    style           whose choice to imitate: author (few and general), reader, indexer (all for an index), subject
                    (headings), tags (mostly single words), or general (what all have in common)
    expect          number of keyphrases that people choose from such a document, on which probabilities and the length
                    of the list depend, but not the order; None for the usual number of the style
    ranker          the trees and their probabilities
    tags            trees for tags, and the gate of the general style; None once fitted
    prose           trees that correct both for everyday prose, and their gate; None once fitted
    any_domain      whether documents unlike those of training get probabilities as well; true once fitted
    quality         standard; or best, which also reads the shortlist in its context with an encoder, slower
    reader          the encoder of quality best, None for the shipped one; standard quality has none
    """

    style: Literal["author", "reader", "indexer", "subject", "general", "tags"] = "general"
    expect: float | None = None
    shortlist_size: Annotated[int, "candidates that are described; others follow in the order of the first ranking"] = (
        200
    )
    knowledge: Annotated[Knowledge, "tables of phrases and words"] = field(default_factory=Knowledge)
    weighing: Annotated[Weighing, "factors of the first ranking"] = field(default_factory=Weighing)
    ranker: TrainedRanker = field(default_factory=load_shipped_ranker, metadata={"default": "shipped"})
    tags: TrainedRanker | None = field(
        default_factory=load_shipped_tags, metadata={"default": "shipped", "signed": "if set"}
    )
    prose: TrainedRanker | None = field(
        default_factory=load_shipped_prose, metadata={"default": "shipped", "signed": "if set"}
    )
    language: Annotated[str, "of knowledge and ranker, ISO 639-1"] = "en"
    languages: Annotated[Languages, "resources for documents in other languages"] = field(default_factory=Languages)
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
        if reader and self.ranker.fingerprint not in str(reader.card.get("ranker")).split():
            raise _own_trees()

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the shortlist by log-odds, then the others; with probabilities if it is like those of training."""
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
        judged = self._judge_shortlist(documents, view, weight)
        scores = with_scores_behind(weight, judged.log_odds, view.in_shortlist, bounds)
        maps = self._find_maps()
        probabilities = counts = None
        if maps:
            probabilities = mix_probabilities(maps, scores, np.repeat(judged.prose, np.diff(bounds)))
            of_shortlist = mix_probabilities(maps, judged.log_odds, judged.prose[view.number])
            counts = counts_by_expected_f1(of_shortlist, view.bounds)
        is_checked = probabilities is not None and not self.any_domain
        reasons = domain.reasons(document, self.knowledge) if is_checked else [""] * len(documents)

        def explain(begin: int, shown: Ints) -> dict[str, Floats]:
            return self.evidence(view, judged, begin + shown)

        rankings = []
        for number, (begin, end) in enumerate(itertools.pairwise(bounds.tolist())):
            ranking = rank(
                documents[number],
                candidates_of(view.candidates, begin, end, int(document.bounds[number])),
                scores[begin:end],
                partial(explain, begin),
                probabilities=None if probabilities is None else probabilities[begin:end],
                chosen=None if counts is None else int(counts[number]),
                assumes=Assumption(self.style, judged.expected[number]) if maps else None,
            )
            if len(ranking) and (reason := reasons[number]):
                ranking = ranking.without_probabilities(f"{domain.UNLIKE} ({reason}): no probabilities")
            rankings.append(ranking)
        return rankings

    def _find_maps(self) -> tuple[ProbabilityMap, ...]:
        """Return the map of log-odds to probabilities of the style, and that of prose; none where none was fitted.

        Only the general style has one of prose; for others the second counts nowhere, as nothing is corrected.
        """
        of_both = self.reader if self.reader and self.reader.of_both else None
        sources: tuple[Any, ...] = (of_both, self.tags, self.reader, self.ranker, self.prose)
        maps = [each.probability[self.style] for each in sources if each and self.style in each.probability]
        return (maps[0], maps[-1]) if maps else ()

    def _judge_shortlist(
        self, documents: Sequence[AnalysedDocument], view: DescribedCandidates, weight: Floats
    ) -> JudgedShortlist:
        """Return the log-odds of the shortlists of documents, by the trees of the style, or of both tastes."""
        # Trees judge as if the usual number of keyphrases were expected; another number moves all log-odds of a
        # document alike, so that the order does not depend on it.
        rows, in_shortlist = self.rows(view, weight)[0], weight[view.in_shortlist]
        styled = add_style_column(rows, Style(self.style))
        verdicts = []
        if self.style != "tags" or not self.tags:
            usual = self.ranker.usual_number(self.style, self.expect)
            start = self.ranker.start(usual, in_shortlist, view.bounds)
            log_odds, added = self.ranker.scores(styled, start), None
            if self.reader and not self.reader.of_both:
                added = self.reader.of_all(documents, view, log_odds, Style(self.style))
                log_odds = log_odds + added
            verdicts.append(Verdict(self.ranker.trees, usual, start, log_odds, added))
        if self.tags and self.style in {"tags", "general"}:
            usual = self.tags.usual_number(Style.TAGS)
            start = self.tags.start(usual, in_shortlist, view.bounds)
            verdicts.append(Verdict(self.tags.trees, usual, start, self.tags.scores(styled, start)))
        is_general = self.style == "general" and (self.tags or self.prose)
        profiles = profile_documents(rows, in_shortlist, view.bounds) if is_general else np.zeros((len(documents), 0))
        shares = find_shares(self.tags if len(verdicts) > 1 else None, profiles)
        judged = judge_by(verdicts, styled, shares, view.number)
        if self.reader and self.reader.of_both:
            judged = judged.add(self.reader.of_all(documents, view, judged.log_odds, Style(self.style)))
        if self.prose and is_general:
            of_prose = share_of_prose(find_shares(self.prose, profiles), shares, self.language)
            judged = judged.correct(self.prose.trees, self.prose.usual_number(self.style), of_prose)
        return judged.declare(self.expect)

    def view(self, document: Analysed) -> tuple[DescribedCandidates, Floats]:
        """Return the candidates with the shortlist, and the weight of all in the first ranking, (candidates,)."""
        return select_shortlist(document, self.knowledge, self.weighing, self.shortlist_size)

    def rows(self, view: DescribedCandidates, weight: Floats) -> tuple[Floats, tuple[str, ...]]:
        """Return the description of the shortlist, (shortlist, columns), and the columns' names."""
        rows, names = describe(view, self.knowledge, weight[view.in_shortlist])
        return rows, tuple(f"{group}: {name}" for group, name in names)

    def evidence(self, view: DescribedCandidates, judged: JudgedShortlist, shown: Ints) -> dict[str, Floats]:
        """Return what moved the log-odds of candidates ``shown``, by subject, (shown,) each; 0 behind the shortlist."""
        in_shortlist = view.in_shortlist[shown]
        row = (np.cumsum(view.in_shortlist) - 1)[shown[in_shortlist]]
        moved = judged.explain(row, self.ranker.columns)
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
        """Return the system with a ranker that learnt from examples: in its own style if taught, else the usual one."""
        # Probabilities then come from the person's own documents, so they are given for all documents.
        styles = Counter(example.style.value for example in examples)
        style: Any = self.style if self.style in styles else styles.most_common(1)[0][0]
        return replace(self, ranker=ranker, tags=None, prose=None, style=style, any_domain=True)

    def examples(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Iterable[Examples]:
        """Yield the rows of each document, for each style that it has gold of; ``BadParameter`` with quality best."""
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

    def for_language(self, language: str) -> Self:
        """Return the system with the resources of a language, in a style that was learnt there."""
        if language == self.language:
            return self
        resources = self.languages.of(language)
        learnt: list[Any] = list(resources.ranker.probability)
        reader = self.reader.of_others if self.reader else None
        is_learnt = self.style in learnt or (self.style == "tags" and resources.tags)
        return replace(
            self,
            knowledge=resources.knowledge,
            ranker=resources.ranker,
            tags=resources.tags,
            prose=resources.prose,
            style=self.style if is_learnt else learnt[0],
            language=language,
            quality="best" if reader else "standard",
            reader=reader,
        )

    def _rank_in_another(self, documents: Sequence[AnalysedDocument], language: str) -> list[Ranking]:
        """Rank with the resources of the documents' language, and a warning that says what is lacking."""
        system = self.for_language(language)
        rankings = system.extract_together(documents)
        warning = warning_of(language, system.knowledge, "" if system.style == self.style else system.style)
        without = self.reader and not system.reader
        not_read = f"language {language!r}: ranked without the encoder, which does not read it" if without else ""
        warnings = tuple(filter(None, (warning, not_read)))
        return [replace(ranking, warnings=(*ranking.warnings, *warnings)) for ranking in rankings]


def _own_trees() -> BadParameter:
    hint = "leave out the quality: its encoder corrects the shipped trees only"
    return BadParameter("a default with trees of its own has no quality best", hint)
