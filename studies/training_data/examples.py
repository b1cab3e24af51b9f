"""Documents of collections as the plain texts that users have.

Examples that the default is trained on: documents as people give them, in the style of their gold and in general.

* Every second document with fields or marked sections is read as plain text by the public reader, because most texts
  that people have are bare.
* Each document teaches the style of its gold and, besides, the general style. There, all collections weigh the same,
  so that it is what they have in common.
* The expected number of keyphrases is the mean of the document's collection, or of its source within a mixed one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.core.arrays import Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, Document, SectionKind, Style
from keywright.core.interfaces import Analyser
from keywright.extraction.corpus.knowledge import ANY, Knowledge
from keywright.extraction.corpus.labelled import text_key
from keywright.extraction.features.description.described_candidates import add_style_column
from keywright.extraction.learners.examples import Examples
from keywright.extraction.learners.growing import FOLDS, Boosting
from keywright.extraction.learners.ranker import TrainedRanker, train_ranker
from keywright.extraction.systems.default import Default
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.formats.plain import document_of_text
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys
from studies.training_data.author_lists import AuthorLists
from studies.training_data.training_documents import TrainingDocument

_FIELDS: Final = frozenset({SectionKind.TITLE, SectionKind.ABSTRACT})
_BLANK_LINES: Final = re.compile(r"\n{3,}")


def as_plain_text(document: Document) -> Document:
    """Return a document as the public reader reads its text alone: without fields, section marks or language.

    Title and abstract that a collection gives as fields are followed by a blank line, and keywords that it marks are
    left out, as they are the gold; sections that the reader found itself it has to find again.
    """
    text = document.text
    if document.sections not in {(), tuple(find_sections(text))}:
        text = _BLANK_LINES.sub("\n\n", "".join(_pieces(document))).strip()
    return document_of_text(text, document.id)


def _pieces(document: Document) -> Iterator[str]:
    """Yield the text in pieces: sections, and what is between them."""
    end = 0
    for section in document.sections:
        yield document.text[end : section.start]
        if section.kind is not SectionKind.KEYWORDS:
            yield document.text[section.start : section.end]
        if section.kind in _FIELDS:
            yield "\n\n"
        end = section.end
    yield document.text[end:]


SETTINGS: Final = Boosting(trees=240, rate=0.07, leaves=16, others=0.3, bins=63)
"""Settings of trees with tables of phrases, chosen by cross-validation within and across training collections
(``docs/decisions/0022-general-default.md``)."""
SETTINGS_ANY: Final = Boosting(trees=100, leaves=8, others=0.4, applied=0.3)
"""Settings of trees without tables, which stay near the untrained ranking; chosen on French and Spanish, each left out
of training. The share .3 has the highest mean F@10 of both among .15, .3, .5, .7, .85 and 1; with 1, Spanish is worse
than untrained."""
EXPECTED: Final = 8.0
"""Keyphrases of a document that probabilities assume in the general style where no number is declared: of 5, 8, 10 and
12 the one with the least median calibration error over collections that were left out of training."""
GENERAL_WEIGHT: Final = 30.0
"""Weight of each collection in the general style, in documents; half of the median weight of a collection in its own
style, and tried with twice that."""


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Documents of all parts, with what is known of their collections.

    Attributes:
        documents: as they are read.
        expected: mean number of gold keyphrases by collection, kinds of gold and source.
        sizes: number of documents by collection.
    """

    documents: tuple[TrainingDocument, ...]
    expected: Mapping[tuple[str, ...], float]
    sizes: Mapping[str, int]

    @classmethod
    def of(cls, documents: Iterable[TrainingDocument]) -> "TrainingData":
        """Gather the documents, every second one with fields or sections as plain text."""
        listed: list[TrainingDocument] = []
        numbers: dict[tuple[str, ...], list[int]] = {}
        ids: dict[str, set[str]] = {}
        for number, training in enumerate(documents):
            labelled = training.labelled
            numbers.setdefault(collection_of(training), []).append(len({entry.forms for entry in labelled.gold}))
            ids.setdefault(training.part.data, set()).add(labelled.id)
            reading = _as_plain_text(labelled.document) if number % 2 else labelled.document
            listed.append(replace(training, labelled=replace(labelled, document=reading)))
        means = {collection: fmean(counts) for collection, counts in numbers.items()}
        return cls(tuple(listed), means, {data: len(of_data) for data, of_data in ids.items()})


def _as_plain_text(document: Document) -> Document:
    return replace(as_plain_text(document), language=document.language, meta=document.meta)


def collection_of(training: TrainingDocument) -> tuple[str, ...]:
    """Return the collection of a document: data set, kinds of gold, and source within a mixed data set."""
    return (training.part.data, *training.part.kinds, str(training.labelled.document.meta.get("source", "")))


KnowledgeFor: TypeAlias = Callable[[Knowledge, AnalysedDocument, Keys], Knowledge]
"""Function that takes what was counted in a document, or in a list like its gold, out of the knowledge."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingView:
    """A training document as the default describes it; without candidates it has no examples."""

    training: TrainingDocument
    document: AnalysedDocument
    shortlist: Candidates
    examples: tuple[Examples, ...]


def training_examples(system: Default, data: TrainingData, knowledge_for: KnowledgeFor) -> Iterator[Examples]:
    """Yield the examples of all documents, each without what its own text and gold added to the tables."""
    for view in training_views(system, data, knowledge_for):
        yield from view.examples


def training_views(system: Default, data: TrainingData, knowledge_for: KnowledgeFor) -> Iterator[TrainingView]:
    """Yield all documents, each described without what its own text and gold added to the tables."""
    analysers: dict[str, Analyser] = {}
    for training in data.documents:
        source = training.labelled.document
        language = source.language or system.language
        analyser = analysers.setdefault(language, TextAnalyser(language))
        document = analyser.analyse(source)
        gold = gold_keys(training.labelled.gold, language)
        knowledge = knowledge_for(system.knowledge, document, gold)
        yield _viewed(replace(system, knowledge=knowledge), training, document, data)


def untrained(knowledge: Knowledge, language: str = "en") -> Default:
    """Return the default before training: it describes documents, and cannot rank them."""
    no_ranker: Any = None
    return Default(ranker=no_ranker, tags=None, prose=None, knowledge=knowledge, language=language)


def train(
    examples: Iterable[Examples],
    language: str,
    card: Mapping[str, Any] | None = None,
    seed: int = 1,
    folds: int = FOLDS,
) -> TrainedRanker:
    """Train a ranker of a language, or of ``ANY``, with the settings of the shipped ones."""
    settings = replace(SETTINGS_ANY if language == ANY else SETTINGS, seed=seed)
    ranker = train_ranker(examples, settings, card, folds)
    return replace(ranker, expected={**ranker.expected, Style.GENERAL.value: EXPECTED})


def as_counted(knowledge: Knowledge, *_: object) -> Knowledge:
    """Return the knowledge as it is, for languages without tables."""
    return knowledge


def without_lists(lists: AuthorLists) -> KnowledgeFor:
    """Return the function that takes the author lists that may be a document's out of the lexicon."""

    def taken_out(knowledge: Knowledge, _: AnalysedDocument, gold: Keys) -> Knowledge:
        return lists.without_own(knowledge, gold)

    return taken_out


def _viewed(
    system: Default, training: TrainingDocument, document: AnalysedDocument, data: TrainingData
) -> TrainingView:
    """Return a document with its example in its own style and in the general one."""
    view, weight = system.view(document)
    rows, names = system.rows(view, weight)
    part, gold = training.part, training.labelled.gold
    answers = np.isin(view.shortlist.key, gold_keys(gold, document.source.language or system.language))
    if not len(answers):
        return TrainingView(training, document, view.shortlist, ())
    example = Examples(
        document=f"{text_key(document):016x}",  # equal texts are held out together
        style=part.style,
        rows=add_style_column(rows, part.style),
        answers=answers,
        columns=(*names, "style"),
        weight=part.weight,
        gold=len({entry.forms for entry in gold}),
        expected=data.expected[collection_of(training)],
        shares=weight[view.in_shortlist] if system.language == ANY else None,
    )
    examples = [example]
    if part.general:
        weight_of_each = GENERAL_WEIGHT / data.sizes[part.data]
        examples.append(
            replace(example, style=Style.GENERAL, rows=add_style_column(rows, Style.GENERAL), weight=weight_of_each)
        )
    return TrainingView(training, document, view.shortlist, tuple(examples))
