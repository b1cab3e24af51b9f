"""Acronyms by either form."""

from tests.builders import analysed

from keywright.core.keyphrases import Acronym
from keywright.extraction.ranking.reasons import acronyms
from keywright.text.keys import phrase_key

TEXT = "A support vector\nmachine (SVM) is slow. SVMs and support vector machines. A simple virtual machine (SVM) too."


def test_both_forms_lead_to_the_first_definition():
    found = acronyms(analysed(TEXT))
    svm = Acronym("SVM", "support vector machine")
    assert [found.get(phrase_key(form)) for form in ("SVMs", "Support Vector Machines", "vector")] == [svm, svm, None]
    assert str(svm) == "support vector machine (SVM)"
    assert found[phrase_key("simple virtual machine")].long == "simple virtual machine"


def test_no_text_no_acronyms():
    assert acronyms(analysed("")) == {}
