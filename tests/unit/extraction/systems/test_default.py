"""The default extractor with a judge fitted here: what is described, ranked, counted and explained."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.builders import analysed
from tests.house.tree import ROOT

from keywright.core.documents import (
    AnalysedDocument,
    Document,
    GoldKeyphrase,
    LabelledDocument,
    Section,
    SectionKind,
    Style,
)
from keywright.core.errors import BadParameter
from keywright.core.predictions import Prediction
from keywright.core.signatures import signature
from keywright.extraction.corpus.knowledge import ANY, knowledge_of
from keywright.extraction.features.description.described_candidates import STYLES, add_style_column
from keywright.extraction.learners import ranker as training
from keywright.extraction.learners.ranker import TrainedRanker
from keywright.extraction.ranking.language_resources import LanguageResources, load_shipped_ranker
from keywright.extraction.systems.counting import Counting
from keywright.extraction.systems.default import Default
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key

THINGS = tuple("rain garden,noise map,wind turbine,peat bog,salt marsh,street lamp,bicycle lane,tide gauge".split(","))
DEEDS = ("storage", "calibration", "erosion", "monitoring", "repair")
REASONS = {"how often", "where", "how rare", "known as a keyphrase", "well-formed", "how central", "kind of document"}


def paper(number: int) -> Document:
    """A title with two phrases, an abstract, and a body in which they are mentioned again, among other words."""
    thing, deed = THINGS[number % len(THINGS)], DEEDS[number % len(DEEDS)]
    title = f"{deed.capitalize()} of a {thing}"
    abstract = f"We describe {deed} of the {thing} after a cold winter. The {thing} was watched by walkers."
    body = (
        f"Many towns own a {thing}. Weather decides how long {deed} lasts, and nobody pays for it. Photographs show "
        f"each {thing} in good order. Our walkers wrote letters about {deed}, about birds, and lunch. The council "
        f"answered {number} letters. A second {thing} was built next to the harbour, where boats turn slowly."
    )
    text = f"{title}\n\n{abstract}\n\n{body}"
    begins = len(title) + 2
    sections = (
        Section(SectionKind.TITLE, 0, len(title)),
        Section(SectionKind.ABSTRACT, begins, begins + len(abstract)),
    )
    return Document(f"paper {number}", text, sections, language="en")


def labelled(number: int) -> LabelledDocument[AnalysedDocument]:
    """Authors choose what the title is about; an index wants what the body tells of as well."""
    thing, deed = THINGS[number % len(THINGS)], DEEDS[number % len(DEEDS)]
    by_author = [GoldKeyphrase((form,), "author") for form in (thing, deed)]
    by_indexer = [
        GoldKeyphrase((form,), "uncontr") for form in (thing, deed, "walkers", "letters", "weather", "harbour")
    ]
    return LabelledDocument(TextAnalyser().analyse(paper(number)), (*by_author, *by_indexer))


PAPERS = tuple(map(labelled, range(20)))
NEW = TextAnalyser().analyse(replace(paper(23), id="new"))
BARE = Default(ranker=None, tags=None, prose=None)


@pytest.fixture(scope="module")
def fitted() -> Default:
    few_trees = training.Boosting(trees=30, least=10)
    return replace(BARE, ranker=training.train_ranker(BARE.examples(PAPERS), few_trees))


@pytest.fixture(scope="module")
def fitted_to_number() -> Default:
    by_authors = [replace(paper, gold=paper.gold[:2]) for paper in PAPERS]
    return replace(BARE, style="author").fit(by_authors)


@pytest.fixture(scope="module")
def prediction(fitted) -> Prediction:
    return replace(fitted, style="author").extract(NEW).prediction()


def test_examples_by_style():
    """One document is an example for each style that it has gold of, with answers by stems."""
    author, indexer = BARE.examples(PAPERS[:1])
    assert (author.style, indexer.style) == (Style.AUTHOR, Style.INDEXER)
    assert author.document == indexer.document == "paper 0"
    assert author.columns[-1] == "style"
    assert author.columns[0] == "beside the other candidates: weight"
    assert len(author.columns) == author.rows.shape[1] == 103
    assert author.rows[:, :-1].tolist() == indexer.rows[:, :-1].tolist()
    assert set(author.rows[:, -1].tolist()) == {STYLES.index(Style.AUTHOR)}
    view, _ = BARE.view(PAPERS[0].document)
    keys = {phrase_key(form) for form in ("rain garden", "storage")}
    assert set(view.shortlist.key[author.answers].tolist()) == keys
    assert indexer.answers.sum() == 6


@pytest.mark.parametrize(("by", "style"), [("reader", "reader"), ("combined", "reader"), ("crowd", "indexer")])
def test_styles_of_other_gold(by, style):
    gold = (GoldKeyphrase(("rain gardens",), by),)
    (one,) = BARE.examples([LabelledDocument(PAPERS[0].document, gold)])
    assert (one.style, one.answers.sum()) == (style, 1)


def test_the_style_is_the_last_column():
    rows = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    assert add_style_column(rows, Style.INDEXER).tolist() == [[1, 2, 2], [3, 4, 2]]
    assert add_style_column(rows[:0], Style.AUTHOR).shape == (0, 3)


def test_it_finds_what_authors_choose(prediction):
    assert set(prediction.texts[:2]) == {"tide gauge", "monitoring"}
    assert prediction.warnings == ()


def test_probabilities_fall_with_the_scores(prediction):
    probabilities = [keyphrase.probability for keyphrase in prediction.keyphrases]
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(0 < probability < 1 for probability in probabilities)
    assert 1 <= prediction.chosen <= len(prediction.keyphrases)
    scores = [keyphrase.score for keyphrase in prediction.keyphrases]
    assert scores == sorted(scores, reverse=True)


def test_the_number_stood_by_is_that_of_the_whole_list(fitted):
    whole, short = (replace(fitted, style="indexer").extract(NEW).prediction(top) for top in (None, 1))
    assert short.chosen == whole.chosen > 1
    assert short.keyphrases == whole.keyphrases[:1]


def test_styles_differ(fitted):
    """Authors choose fewer: the same phrases are less probable, and fewer are stood by."""
    author, indexer = (replace(fitted, style=style).extract(NEW).prediction() for style in ("author", "indexer"))
    assert author.chosen < indexer.chosen

    def of_letters(found: Prediction) -> float:
        return next(one.probability for one in found.keyphrases if one.text == "letters")

    assert of_letters(author) < of_letters(indexer)
    assert signature(replace(fitted, style="author")) != signature(replace(fitted, style="indexer"))


def test_the_declared_number_changes_probabilities_and_length_but_not_the_order(fitted_to_number):
    usual, few, many = (replace(fitted_to_number, expect=number).extract(NEW).prediction() for number in (None, 1, 30))
    assert usual.texts == few.texts == many.texts
    totals = [sum(phrase.probability for phrase in each.keyphrases) for each in (few, usual, many)]
    assert totals[0] < totals[1] < totals[2]
    assert few.chosen <= usual.chosen <= many.chosen
    assert "authors, who choose about 1 keyphrases of a document, would" in str(few.assumes)
    assert "authors, who choose about 2 keyphrases of a document, would" in str(usual.assumes)


@pytest.mark.parametrize("number", [0, -1, float("nan"), float("inf")])
def test_numbers_that_cannot_be_expected(number):
    with pytest.raises(BadParameter, match="expect"):
        Default(ranker=None, expect=number)


def test_a_style_that_nobody_taught_has_no_probability(fitted):
    found = replace(fitted, style="reader").extract(NEW).prediction()
    assert {keyphrase.probability for keyphrase in found.keyphrases} == {None}
    assert found.chosen is None
    assert found.texts[0] in {"tide gauge", "monitoring"}


def test_few_are_described_and_the_others_follow_by_weight(fitted):
    """All candidates are there; behind the described ones, the order is that of the first ranking."""
    whole, short = (replace(fitted, style="author", shortlist_size=size).extract(NEW).prediction() for size in (300, 5))
    assert set(short.texts) == set(whole.texts)
    view, weight = replace(fitted, shortlist_size=5).view(NEW)
    assert len(view.shortlist) == 5
    assert weight[view.in_shortlist].min() >= weight[~view.in_shortlist].max()
    described = np.sort(NEW.start[view.shortlist.first]).tolist()
    assert sorted(one.spans[0][0] for one in short.keyphrases[:5]) == described
    least = min(one.probability for one in short.keyphrases[:5])
    assert all(0 < one.probability <= least for one in short.keyphrases[5:])
    left = weight[~view.in_shortlist]
    first = view.candidates.first[~view.in_shortlist][np.argsort(-left, kind="stable")]
    assert [one.spans[0][0] for one in short.keyphrases[5:]] == NEW.start[first].tolist()


def test_none_described(fitted):
    found = replace(fitted, style="author", shortlist_size=0).extract(NEW).prediction()
    _, weight = BARE.view(NEW)
    assert len(found.keyphrases) == len(weight)
    scores = [one.score for one in found.keyphrases]
    assert scores == sorted(scores, reverse=True)


def test_evidence_sums_to_the_score(fitted):
    """But for what all phrases start from, which is the same for each."""
    explained = replace(fitted, style="author", shortlist_size=8).extract(NEW).prediction(explain=True)
    plain = replace(fitted, style="author", shortlist_size=8).extract(NEW).prediction()
    assert explained.texts == plain.texts
    described = explained.keyphrases[:8]
    assert all(set(one.evidence) == REASONS for one in described)
    constants = [one.score - sum(one.evidence.values()) for one in described]
    assert constants == pytest.approx([constants[0]] * 8)
    assert np.isfinite(constants).all()
    assert any(abs(value) > 0.1 for value in described[0].evidence.values())
    assert not any(value for one in explained.keyphrases[8:] for value in one.evidence.values())
    assert not any(one.evidence for one in plain.keyphrases)


@dataclass(frozen=True)
class Taught:
    """What there is for French: what was fitted here, or nothing."""

    ranker: TrainedRanker | None = None

    def of(self, language: str) -> LanguageResources | None:
        known = self.ranker is not None and language == "fr"
        return LanguageResources(knowledge_of(ANY), self.ranker) if known else None


FRENCH = analysed("Les réseaux de neurones apprennent. Les réseaux de neurones voient des images.", language="fr")


def test_other_languages_are_ranked_by_what_there_is_for_them(fitted):
    system = replace(BARE, languages=Taught(fitted.ranker), style="indexer", any_domain=True)
    found = system.extract(FRENCH).prediction()
    own = system.for_language("fr")
    assert (own.language, own.style, own.ranker) == ("fr", "indexer", fitted.ranker)
    assert found.keyphrases == own.extract(FRENCH).prediction().keyphrases
    assert all(0 < keyphrase.probability < 1 for keyphrase in found.keyphrases)
    assert found.chosen is not None
    assert own.extract(FRENCH).prediction().warnings == ()  # it was asked for
    (warning,) = found.warnings
    assert warning == "language 'fr': fewer resources than English, see `keywright languages`"


def test_a_style_that_was_not_learnt_for_a_language_is_told(fitted):
    """Readers' choices were not among what was fitted."""
    found = replace(BARE, languages=Taught(fitted.ranker), style="reader", any_domain=True).extract(FRENCH).prediction()
    assert found.warnings[0] == (
        "language 'fr': fewer resources than English and style 'author' only, see `keywright languages`"
    )
    assert all(keyphrase.probability for keyphrase in found.keyphrases)


def test_its_own_language_needs_nothing_else(fitted):
    system = replace(fitted, language="fr", languages=Taught())
    assert system.extract(FRENCH).prediction().warnings == ()
    assert system.for_language("fr") is system


@pytest.mark.parametrize("language", ["fr", "pt"])
def test_languages_that_ship(language):
    text = (ROOT / "examples" / "languages" / f"{language}.txt").read_text(encoding="utf-8")
    document = TextAnalyser(language).analyse(Document("a", text, language=language))
    found = Default().extract(document).prediction()
    assert {"fr": "eaux de pluie", "pt": "corredores ecológicos"}[language] in found.texts[:5]
    assert found.warnings[0] == f"language '{language}': fewer resources than English, see `keywright languages`"
    assert all(0 < phrase.probability < 1 for phrase in found.keyphrases)
    assert 1 <= found.chosen <= len(found.keyphrases)


@pytest.mark.parametrize(("language", "elsewhere"), [("de", False), ("ar", True)])
def test_probabilities_of_a_language_without_labels_are_said_to_come_from_others(language, elsewhere):
    text = (ROOT / "examples" / "languages" / f"{language}.txt").read_text(encoding="utf-8")
    found = Default().extract(TextAnalyser(language).analyse(Document("a", text, language=language))).prediction()
    assert all(0 < phrase.probability < 1 for phrase in found.keyphrases)
    assert found.warnings[0].endswith("; probabilities come from other languages") == elsewhere


@pytest.mark.parametrize(
    "text", ["Wärmepumpen heizen alte Häuser. " * 100, "Gesamt 17 | 23,5 | 88 | 9 ; " * 50, "Haus"]
)
def test_odd_texts_in_other_languages_get_no_probabilities(text):
    found = Default().extract(TextAnalyser("de").analyse(Document("a", text, language="de"))).prediction()
    assert {phrase.probability for phrase in found.keyphrases} <= {None}
    assert any(warning.startswith("unlike the documents") for warning in found.warnings)


def test_a_document_of_unknown_language_is_taken_for_english(fitted):
    unknown = TextAnalyser().analyse(replace(NEW.source, language=None))
    assert fitted.extract(unknown).prediction().texts == fitted.extract(NEW).prediction().texts


@pytest.mark.parametrize("text", ["", ". , .", "and of the"])
@pytest.mark.parametrize("explained", [True, False])
def test_nothing_to_find(fitted, text, explained):
    document = analysed(text, language="en")
    found = replace(fitted, style="author").extract(document).prediction(explain=explained)
    assert (found.keyphrases, found.chosen) == ((), 0)


def test_in_a_long_text_single_mentions_weigh_nothing_outside_of_zones():
    text = "lonely lighthouse\n" + "storm water. " * 600
    for kind, weighs in ((SectionKind.TITLE, True), (SectionKind.CAPTION, False)):
        document = analysed(text, Section(kind, 0, 17))
        view, weight = BARE.view(document)
        assert bool(weight[view.candidates.key == phrase_key("lonely lighthouse")][0] > 0) == weighs
        assert weight[view.candidates.key == phrase_key("storm water")][0] > 0


def test_phrases_of_authors_weigh_more():
    """The first ranking is that of counting, raised by how often authors chose a phrase."""
    text = analysed("machine learning. qqxzzq vvrtkw")
    counted = {one.text: one.score for one in Counting().extract(text).prediction().keyphrases}
    view, weight = BARE.view(text)
    chosen = BARE.knowledge.chosen.of(view.candidates.key)
    for key, found, times in zip(view.candidates.key.tolist(), weight.tolist(), chosen.tolist(), strict=True):
        phrase = next(text for text in counted if phrase_key(text) == key)
        assert found == pytest.approx(counted[phrase] * (1 + 0.3 * np.log1p(times)))
        assert (times > 0) == (phrase in {"machine learning", "machine", "learning"})


def test_fit_learns_from_the_documents_alone(monkeypatch):
    learnt = []
    monkeypatch.setattr(
        "keywright.extraction.systems.default.train_ranker", lambda examples: learnt.extend(examples) or "judge"
    )
    fitted = replace(BARE, shortlist_size=7, style="author").fit(PAPERS[:3])
    assert fitted == replace(BARE, shortlist_size=7, style="author", ranker="judge", tags=None, any_domain=True)
    assert [one.document for one in learnt] == ["paper 0"] * 2 + ["paper 1"] * 2 + ["paper 2"] * 2


@pytest.mark.parametrize("papers", [[], [LabelledDocument(NEW, ())]])
def test_fit_on_nothing(papers):
    with pytest.raises(BadParameter, match="there is nothing to learn from"):
        BARE.fit(papers)


def test_fit_on_gold_that_stands_nowhere():
    gold = (GoldKeyphrase(("volcano",), "author"),)
    with pytest.raises(BadParameter, match="both classes"):
        BARE.fit([LabelledDocument(NEW, gold)])


def test_the_judge_that_ships():
    judge = load_shipped_ranker()
    assert isinstance(judge, TrainedRanker)
    assert {"name", "what", "sources", "licence", "made_by", "date", "sha256", "checked"} <= judge.card.keys()
    assert set(judge.probability) == set(Style) - {Style.TAGS}
    _, names = BARE.rows(*BARE.view(NEW))
    assert judge.columns == (*names, "style")
    found = Default(style="author").extract(NEW).prediction(explain=True)
    assert set(found.texts[:2]) == {"tide gauge", "monitoring"}  # what the text is about
    sums = [one.score - sum(one.evidence.values()) for one in found.keyphrases]
    assert sums == pytest.approx([sums[0]] * len(sums))
