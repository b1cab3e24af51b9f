"""Documents of both tastes as the default describes them, and trees, gate and probabilities that learn from them.

The taste for tags learns from everyday texts, the gate tells these from papers, news and prose that nobody tagged.
Documents of domains that neither had seen are measured, and serve for fitting probabilities; the trees for authors and
readers never saw everyday texts, and for their own collections are trained anew without them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Final, TypeVar

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.documents import AnalysedDocument, Document, LabelledDocument, Style
from keywright.datasets.collection import load
from keywright.datasets.training_mix import TRAINING, TrainingPart
from keywright.extraction.corpus.knowledge import ANY, knowledge_of
from keywright.extraction.corpus.labelled import text_key
from keywright.extraction.features.description.described_candidates import add_style_column
from keywright.extraction.learners.examples import Examples, shared_out
from keywright.extraction.learners.growing import Boosting, trees_of
from keywright.extraction.learners.ranker import LEAST_ANY, PROFILED, Gate, profile_documents
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.language_resources import load_shipped_ranker
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys
from studies.training_data.author_lists import author_lists
from studies.training_data.examples import SETTINGS, as_plain_text, untrained
from studies.training_data.training_documents import ALL_LANGUAGES, training_documents

Item = TypeVar("Item")

DOMAINS: Final = {
    "software": "bio_nfcore software_chocolatey software_umbrella",
    "data": "datasets_aws geodata_stanford",
    "talks": "talks_pyvideo talks_multi",
    "recipes": "recipes_public",
    "government": "gov_18f gov_digitalgov",
    "blogs": "blog_go blog_carpentries notes_dwarves es_pybonacci ja_azu",
    "questions": "qa_robotics qa_travel",
    "documentation": "docs_businesscentral docs_apisix nl_m365 multi_mdn",
    "research": "papers_joss dhd_abstracts zh_csl",
    "parliament": "de_bundestag",
    "how-to": "it_tansignari ko_johngrib",
    "news": "ja_jser",
}
"""Splits of ``everyday`` by domain; those of a domain are left out together."""
JUDGED: Final = "judged"  # name of the texts with judgements as a collection
TOPIC: Final = "topic"  # kind of the phrases that say what a judged text is about
OF_PROSE: Final = 16.0
"""Weight of all prose for the gate, in collections: most texts that people have are of such kinds. Among 3, 8
and 16, this one has the best lists of judged texts that were left out; tagged texts lose .1 points of F@5."""
MOST: Final = 450
"""Documents of a collection that are described for the gate, for probabilities and measuring; arbitrary."""
TAG_TREES: Final = replace(SETTINGS, trees=80, rate=0.12)
"""Settings of trees for English tags: those of the others, but fewer trees that each correct more: half the time of 160
trees of rate .07, for .3 points of F@5 with a domain left out."""
TAG_TREES_ANY: Final = Boosting(trees=100, leaves=8, others=0.4)
"""Settings of trees for tags in other languages; with more leaves, lists of languages left out are worse."""
SHRINKAGE: Final = 0.1
"""Inverse of the gate's penalty on squared weights of standardised profiles; of .0003 to .3, the one with the best
lists of judged texts and tagged ones together, both left out."""
LACKING: Final = ("general", "well-formed: ", "its neighbours: ")
"""Parts of the names of columns that English documents lack beside those of other languages."""
LEAN: Final = 0.5
"""Log-odds that the gate of English leans to tags: of 0, .5 and 1, the one with which prose of kinds left out has the
share that it had from means alone (.06), and everyday texts gain."""
_WEIGHT: Final = 30.0  # weight of a collection, in documents, as in the general style of the other trees


@dataclass(frozen=True, eq=False)
class Described:
    """A document with the candidates that trees rank.

    Attributes:
        labelled: as it is read.
        collection: its data set, and the source within a mixed one.
        domain: what is left out together.
        tagged: whether it is an everyday text with labels.
        rows: description without a style, (shortlist, columns).
        answers: whether each candidate is a keyphrase, (shortlist,).
        weight: in the first ranking, (shortlist,).
        gold: number of keyphrases.
        key: hash of the text.
        topics: whether each candidate says what the document is about, (shortlist,); no one said so outside of prose.
    """

    labelled: LabelledDocument[Document]
    collection: str
    domain: str
    tagged: bool
    rows: Floats
    answers: Bools
    weight: Floats
    gold: int
    key: int
    topics: Bools

    @property
    def is_prose(self) -> bool:
        """It is a letter or the like, judged or not."""
        return self.collection in {JUDGED, "prose"}

    def start(self, expected: float, *, by_weight: bool) -> Floats:
        """Return the log-odds that trees correct, (shortlist,)."""
        return shared_out(expected, self.weight if by_weight else np.ones(len(self.weight)))

    @cached_property
    def profile(self) -> Floats:
        """Profile of the document, which the gate sees, (2 columns + 1,)."""
        return np.asarray(profile_documents(self.rows, self.weight, np.array([0, len(self.rows)]))[0])

    def by(self, trees: Trees, style: Style = Style.GENERAL) -> Floats:
        """Return the sum of trees for each candidate, (shortlist,)."""
        return trees.scores(add_style_column(self.rows, style))


def describe_tagged(language: str, mirror: Path, most: int | None = None) -> Iterator[Described]:
    """Yield the everyday documents in English, or in all other languages, every second one as plain text."""
    for domain, splits in DOMAINS.items():
        for split in splits.split():
            documents = (each for each in load(f"everyday/{split}", mirror) if each.gold)
            yield from describe(documents, f"everyday/{split}", domain, language, most, tagged=True)


def describe_others(language: str, mirror: Path, most: int | None = None) -> Iterator[Described]:
    """Yield documents of the other taste: the default's training data, in English without their own author lists."""
    for part in TRAINING if language == "en" else ALL_LANGUAGES:
        if part.general:
            training_of_part = list(training_documents([replace(part, every=1)], mirror))
            for source in dict.fromkeys(each.labelled.document.meta.get("source") for each in training_of_part):
                name = f"{part.data}:{source}" if source and part.data.startswith("train_mix") else part.data
                documents = (d.labelled for d in training_of_part if d.labelled.document.meta.get("source") == source)
                yield from describe(documents, name, _domain_of(part, name), language, most)


def take_evenly(items: Sequence[Item], most: int) -> list[Item]:
    """Return at most so many items, evenly spaced: a fixed sample, which the order of a file does not bias."""
    return [items[number] for number in np.linspace(0, len(items) - 1, min(most, len(items))).astype(int)]


def _domain_of(part: TrainingPart, name: str) -> str:
    """Return what is left out with a collection: splits of one data set, and theses in two languages."""
    return "theses" if "papyrus" in name else name if ":" in name else part.data.partition("/")[0]


def describe(
    documents: Iterable[LabelledDocument[Document]],
    name: str,
    domain: str,
    language: str,
    most: int | None,
    *,
    tagged: bool = False,
) -> Iterator[Described]:
    """Yield the documents of a collection that are in the language, described."""
    english, as_others = language == "en", not tagged
    chosen = [d for d in documents if ((d.document.language or "en") == "en") == english or (as_others and not english)]
    chosen = chosen if most is None else take_evenly(chosen, most)
    system, analysers = untrained(knowledge_of(language), language), dict[str, TextAnalyser]()
    lists = author_lists("en") if language == "en" and not tagged else None
    for number, labelled in enumerate(chosen):
        source = labelled.document
        language_of_text = source.language or "en"
        if number % 2:
            source = replace(as_plain_text(source), language=language_of_text)
        if language_of_text not in analysers:
            analysers[language_of_text] = TextAnalyser(language_of_text, terms=True)
        document: AnalysedDocument = analysers[language_of_text].analyse(source)
        keys = gold_keys(labelled.gold, language_of_text)
        knowing = replace(system, knowledge=lists.without_own(system.knowledge, keys)) if lists else system
        if language == ANY and language_of_text != "en":
            knowing = replace(system, knowledge=knowledge_of(language_of_text))
        view, weight = knowing.view(document)
        if len(view.shortlist):
            rows, in_shortlist = knowing.rows(view, weight)[0], weight[view.in_shortlist]
            answers, number_of_gold = np.isin(view.shortlist.key, keys), len({gold.forms for gold in labelled.gold})
            read = LabelledDocument(source, labelled.gold)
            key = text_key(document)
            topics = np.isin(
                view.shortlist.key, gold_keys([g for g in labelled.gold if g.by == TOPIC], language_of_text)
            )
            yield Described(read, name, domain, tagged, rows, answers, in_shortlist, number_of_gold, key, topics)


def grow_tag_trees(documents: Sequence[Described], language: str, seed: int = 1) -> Trees:
    """Return trees that learnt from tagged documents; small collections count as much as large ones, or nearly."""
    settings = replace(TAG_TREES if language == "en" else TAG_TREES_ANY, seed=seed)
    return _grow(documents, settings, language, 1.0 if language == "en" else 0.5)


def grow_other_trees(documents: Sequence[Described], seed: int = 1) -> Trees:
    """Return trees of the general style that learnt from documents of the other taste, for collections left out."""
    return _grow(documents, replace(SETTINGS, seed=seed), "en", 1.0)


def _grow(documents: Sequence[Described], settings: Boosting, language: str, power: float) -> Trees:
    sizes = Counter(each.collection for each in documents)
    expected = mean_numbers(documents)
    examples = [
        Examples(
            document=f"{each.key:016x}",
            style=Style.GENERAL,
            rows=add_style_column(each.rows, Style.GENERAL),
            answers=each.answers,
            columns=(),
            weight=_WEIGHT / sizes[each.collection] ** power,
            expected=expected[each.collection],
            shares=each.weight if language == ANY else None,
        )
        for each in documents
    ]
    return trees_of(examples, settings)


def mean_numbers(documents: Iterable[Described]) -> dict[str, float]:
    """Return the mean number of keyphrases of a document by collection, at least 1."""
    numbers: dict[str, list[int]] = {}
    for each in documents:
        numbers.setdefault(each.collection, []).append(each.gold)
    return {name: max(1.0, float(np.mean(of_collection))) for name, of_collection in numbers.items()}


def number_of_tags(documents: Iterable[Described]) -> float:
    """Return the usual number of labels of a tagged document: the median of the collections' means."""
    return round(median(mean_numbers(each for each in documents if each.tagged).values()), 1)


def fit_gate(documents: Sequence[Described], language: str, *, of_prose: bool = False) -> Gate:
    """Return the gate that tells tagged documents, or judged prose, from others; collections as the trees count them.

    The gate of tags learns from the other, older prose alone: with the judged texts, which look more like recipes and
    questions that people tag, tagged texts lose a point of F@5.
    """
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  (heavy, only training needs it)

    documents = [each for each in documents if each.collection != ("prose" if of_prose else JUDGED)]
    profiles = np.array([each.profile for each in documents])
    if language == ANY:
        # English documents have no common words and no word classes here, by which alone they would be told apart.
        names = load_shipped_ranker(ANY).columns[:-1]
        profiles = profiles[:, : len(names) + 1]  # spreads tell languages that were left out worse
        profiles[:, [any(group in name for group in LACKING) for name in (*names, "")]] = 0
    mean, spread = profiles.mean(axis=0), profiles.std(axis=0)
    spread[spread == 0] = 1.0
    sizes, power = Counter(each.collection for each in documents), 1.0 if language == "en" else 0.5
    weights = [(OF_PROSE if d.is_prose else 1.0) / sizes[d.collection] ** power for d in documents]
    scaled = np.array(weights) * len(weights) / sum(weights)
    model = LogisticRegression(C=SHRINKAGE, max_iter=1000)
    chosen = [each.is_prose if of_prose else each.tagged for each in documents]
    model.fit((profiles - mean) / spread, chosen, sample_weight=scaled)
    weights_of_columns = model.coef_[0] / spread
    bias = float(model.intercept_[0] - mean @ weights_of_columns)
    lean = LEAN if language == "en" and not of_prose else 0.0
    return Gate(weights_of_columns, bias + lean, LEAST_ANY if language == ANY else PROFILED)
