"""Parts of a system are read from its code."""

from keywright.experiments.semeval2010_table import find_parts
from keywright.extraction.systems.kpminer import KPMiner
from keywright.extraction.systems.supervised_baselines import NaiveBayes
from keywright.extraction.systems.unpmc import UNPMC


def test_parts_of_systems_by_what_they_are():
    found = find_parts(KPMiner)
    assert found["candidates"] == ("ngrams",)
    assert "mentions_in" in find_parts(UNPMC)["features"]
    assert "PhraseCounts" in found["knowledge"]
    assert "containing" in found["ranking"]
    assert "rank" not in found["ranking"]
    assert "GaussianNaiveBayes" in find_parts(NaiveBayes)["learner"]
