"""Questions, and sentences with verbs."""

import pytest
from tests.unit.candidates.tagging import tagged

from keywright.core.documents import Document
from keywright.core.errors import NeedsUnmet
from keywright.text.analyser import TextAnalyser
from keywright.text.sentences import find_questions, find_with_verb, split_sentences


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Why do tides rise. They rise! Do they?", [True, False, True]),
        ("en", "Tides rise, which is why. What rises", [False, True]),
        ("ar", "كيف تعمل الشبكة. تعمل جيدا. هل تعمل", [True, False, True]),
        ("ar", "وكيف تعمل الشبكة. الشبكة تعمل؟", [True, True]),
        ("ar", "من القرية جاء.", [False]),  # from, not who
        ("fr", "Combien de marées. Combien ?", [False, True]),
        ("en", "", []),
    ],
)
def test_questions(language: str, text: str, expected: list[bool]) -> None:
    document = TextAnalyser(language).analyse(Document("a", text, language=language))
    assert find_questions(document).tolist() == expected


def test_verbs_of_both_tag_sets() -> None:
    assert find_with_verb(tagged("Tides/NNS rise/VBP ./. High/JJ tides/NNS")).tolist() == [True, False]
    assert find_with_verb(tagged("Tides/NOUN rise/VERB ./. High/ADJ tides/NOUN")).tolist() == [True, False]


def test_verbs_need_tags() -> None:
    with pytest.raises(NeedsUnmet):
        find_with_verb(TextAnalyser().analyse(Document("a", "Tides rise.")))


def test_arabic_sentences_end_at_their_signs_and_not_behind_titles() -> None:
    text = "هل زار د. سامي القرية؟ نعم، زارها! ثم عاد."
    assert split_sentences(text, "ar") == ("هل زار د. سامي القرية؟", "نعم، زارها!", "ثم عاد.")
