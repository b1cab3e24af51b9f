"""What the study counts and scores in single documents, by hand."""

from collections import Counter

import pytest
from tests.builders import analysed, gold

from keywright.core.documents import LabelledDocument, Style
from keywright.datasets.training_mix import TrainingPart
from keywright.extraction.systems.default import Default
from studies.reader.gains import counted, f1_of
from studies.reader.rows import Reach
from studies.reader.study import STUDY, tables
from studies.training_data.training_documents import TrainingDocument

TEXT = "We compare tide gauges with satellite altimetry. Tide gauges measure the level of the Baltic Sea."


def test_keyphrases_are_counted_where_they_are():
    """The second has six words, one more than candidates; the third is not in the text."""
    document = analysed(TEXT, language="en")
    phrases = gold("tide gauges", "compare tide gauges with satellite altimetry", "ocean currents")
    part = TrainingPart("nus/train", ("author",), Style.AUTHOR)
    training = TrainingDocument(part, LabelledDocument(document.source, phrases))
    assert Counter(counted(training, document)) == {"all": 3, "text": 2, "candidates": 1, "shortlist": 1, "read": 1}


def test_counts_are_a_table():
    row = Reach("nus/train", 44, 36, 35, 27, 25)
    assert STUDY.read([row.record()]) == (row,)
    (table,) = tables([row])
    assert [cell.text for cell in table.rows[0]] == ["nus/train", "44", "36", "35", "27", "25"]


def test_another_language_is_scored_by_three_rankings():
    """A short text has few candidates, all of which are among the first fifteen: there the order does not matter."""
    text = "Los sistemas de recomendación usan redes neuronales."
    system = Default(style="author").for_language("es")
    document = analysed(text, language="es")
    f1 = f1_of(system, LabelledDocument(document.source, gold("redes neuronales")), document)
    assert f1.shape == (3, 3)
    assert f1[:, 2] == pytest.approx(f1[0, 2])
    assert f1[0, 2] > 0
    assert f1_of(system, LabelledDocument(document.source, gold("sociología")), document) is None
