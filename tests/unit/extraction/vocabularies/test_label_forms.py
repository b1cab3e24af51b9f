"""Forms of labels, and the way from a key back to labels."""

import numpy as np
import pytest

from keywright.extraction.vocabularies.concept_builder import in_circles
from keywright.extraction.vocabularies.label_keys import Form, LabelForms, forms_of
from keywright.text.label_stems import label_key


@pytest.mark.parametrize(
    ("label", "forms"),
    [
        ("Soil moisture", ["Soil moisture"]),
        ("Lymphoma, B-Cell, Marginal Zone", ["Lymphoma, B-Cell, Marginal Zone", "Marginal Zone B-Cell Lymphoma"]),
        ("Mercury (planet)", ["Mercury (planet)", "Mercury"]),
        ("Cells, T (blood)", ["Cells, T (blood)", "Cells, T", "T Cells"]),
        ("1,2-dichloroethane", ["1,2-dichloroethane"]),
        ("a, b, c, d, e", ["a, b, c, d, e"]),
        ("(all)", ["(all)"]),
        ("Trailing, ", ["Trailing, "]),
    ],
)
def test_forms(label, forms):
    assert [text for _, text in forms_of(label)] == forms


def test_a_key_leads_to_its_labels_the_surest_first():
    labels = ["Mercury (planet)", "Mercury", "Medical records", "Records, Medical", "quicksilver", "mercuries", "--"]
    kinds = np.array([0, 1, 1, 0, 1, 0, 0])
    forms, keys = LabelForms.of(enumerate(labels), kinds, "en")
    mercury, of = forms.of_key(label_key("mercury", "en"))
    assert mercury.tolist() == [5, 1, 0]  # preferred before alternative, and without its qualifier last
    assert of.tolist() == [Form.WRITTEN, Form.WRITTEN, Form.UNQUALIFIED]
    assert forms.of_key(label_key("medical records", "en"))[0].tolist() == [2, 3]
    assert forms.of_key(label_key("planets", "en"))[0].tolist() == []
    assert keys.contain(np.array([label_key("medical record", "en")], np.uint64)).all()
    begins, whole = keys.look_up(np.array([label_key("medical", "en")], np.uint64))
    assert (begins.tolist(), whole.tolist()) == ([True], [False])


def test_circles():
    below, above = np.array([0, 1, 2, 3, 4]), np.array([1, 2, 1, 2, 0])  # 1 and 2 are above each other
    assert in_circles(below, above, 6).tolist() == [False, True, True, False, False, False]
    assert not in_circles(np.array([0, 1]), np.array([1, 2]), 3).any()
    assert in_circles(np.array([0]), np.array([0]), 1).all()
