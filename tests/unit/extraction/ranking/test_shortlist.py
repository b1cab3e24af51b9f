"""Pieces of words and clauses come behind the phrases of a document: by the blanks and mentions of its language."""

from dataclasses import replace

import numpy as np
import pytest

from keywright.core.documents import Document
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.knowledge import knowledge_of
from keywright.extraction.features.description.weighing import Weighing
from keywright.extraction.ranking.shortlist import find_pieces, find_verbs, select_shortlist
from keywright.text.analyser import TextAnalyser
from keywright.text.tag_lexicon import CLASSES, TagLexicon


def list_pieces(text: str, language: str) -> set[str]:
    """Return the first mentions of the candidates that are pieces."""
    document = TextAnalyser(language, terms=True).analyse(Document("a", text, language=language))
    candidates = ngrams(document, 5)
    first, last = candidates.first, candidates.first + candidates.length - 1
    shown = (text[start:end] for start, end in zip(document.start[first], document.end[last], strict=True))
    return {phrase for phrase, is_piece in zip(shown, find_pieces(candidates, document), strict=True) if is_piece}


@pytest.mark.parametrize(
    ("language", "text", "pieces"),
    [
        # Blanks part clauses: across one a phrase must be repeated, as a name is.
        ("th", "ลดอุณหภูมิของเมือง ประชาชนลงทะเบียน", {"เมือง ประชาชน", "เมือง ประชาชนลงทะเบียน"}),
        ("th", "เมือง ประชาชน เมือง ประชาชน", {
            "เมือง ประชาชน เมือง", "ประชาชน เมือง", "ประชาชน เมือง ประชาชน", "เมือง ประชาชน เมือง ประชาชน",
        }),
        # Blanks part words: four content words in a row, mentioned once, are most of a clause.
        ("tr", "küçük parklar yağmur suyu toplar.", {
            "küçük parklar yağmur suyu", "parklar yağmur suyu toplar", "küçük parklar yağmur suyu toplar",
        }),
        ("tr", "küçük parklar yağmur suyu. küçük parklar yağmur suyu.", set()),
    ],
)  # fmt: skip
def test_pieces_of_clauses(language, text, pieces):
    assert list_pieces(text, language) == pieces


def test_a_candidate_is_as_verbal_as_its_most_verbal_word():
    shares = {word: [float(letter == "N") for letter in CLASSES] for word in ("talo", "punainen", "kirja")}
    shares["palvelee"] = [1.0 if letter == "N" else 4.0 if letter == "V" else 0.0 for letter in CLASSES]
    document = TextAnalyser("fi", terms=True).analyse(Document("a", "Punainen talo palvelee. Kirja.", language="fi"))
    candidates = ngrams(document, 3)
    verbal = find_verbs(candidates, document, TagLexicon.from_shares(shares, np.ones(len(CLASSES))))
    places = zip(candidates.first.tolist(), candidates.length.tolist(), verbal.round(2).tolist(), strict=True)
    assert set(places) == {(0, 1, 0), (0, 2, 0), (0, 3, 0.8), (1, 1, 0), (1, 2, 0.8), (2, 1, 0.8), (4, 1, 0)}


@pytest.mark.parametrize(
    ("language", "text", "verbal", "nominal"),
    [
        ("fi", "Uudistus palvelee. Kirjaston aukiolo.", "Uudistus palvelee", "Kirjaston aukiolo"),
        ("es", "Evitar plagas. Huerto urbano.", "Evitar plagas", "Huerto urbano"),
        ("it", "Evitare muffe. Basilico fresco.", "Evitare muffe", "Basilico fresco"),
    ],
)
def test_phrases_with_verbs_weigh_less(language, text, verbal, nominal):
    document = TextAnalyser(language, terms=True).analyse(Document("a", text, language=language))
    (view, with_classes), (_, without) = weigh(document, language)
    first, last = view.candidates.first, view.candidates.first + view.candidates.length - 1
    shown = [text[start:end] for start, end in zip(document.start[first], document.end[last], strict=True)]
    share_left = dict(zip(shown, with_classes / np.where(without > 0, without, 1), strict=True))
    assert share_left[verbal] < 2 / 3 * share_left[nominal]


def test_chinese_verbs_inside_of_names_count_as_nouns():
    text = "近视防控"  # 防控 is to prevent and control, and its prevention and control
    document = TextAnalyser("zh", terms=True).analyse(Document("a", text, language="zh"))
    (_, with_classes), (_, without) = weigh(document, "zh")
    assert with_classes.tolist() == without.tolist()


def weigh(document, language):
    """Return the shortlist and all weights, with the classes of words and without."""
    both = knowledge_of(language), replace(knowledge_of(language), tags=None)
    return [select_shortlist(document, knowledge, Weighing(), 200) for knowledge in both]
