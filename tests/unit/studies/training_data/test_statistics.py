from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from studies.training_data.training_documents import statistics


def test_statistics_by_hand():
    text = "Grid-enabled services. The quality of a service, and services' qualities."
    gold = [
        ("grid enabl", "a"),
        ("qualiti of servic+servic qualiti", "a"),
        ("absent", "a"),
        ("absent", "a"),
        ("the", "b"),
    ]
    entries = tuple(GoldKeyphrase(tuple(forms.split("+")), by) for forms, by in gold)
    found = statistics(
        [LabelledDocument(Document("1", text), entries), LabelledDocument(Document("2", ""), ())], "stem"
    )
    assert (found.documents, found.words, found.characters) == (2, 11, len(text))
    a = found.gold["a"]
    assert (a.entries, a.forms, a.distinct, a.present, a.without) == (4, 5, 3, 2, 1)
    assert a.lengths == {1: 2, 2: 1, 3: 1}
    assert a.share_present == 0.5
    assert found.per_document("a") == 2
    assert statistics([]).gold == {}
