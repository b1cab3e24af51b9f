"""Parts of a system are read from its code."""

from keywright.experiments.semeval2010.sheets import parts_of
from keywright.systems.kpminer import KPMiner
from keywright.systems.supervised_baselines import NaiveBayes
from keywright.systems.unpmc import UNPMC


def test_parts_of_systems_by_what_they_are():
    found = parts_of(KPMiner)
    assert found["candidates"] == ("ngrams",)
    assert "mentions_in" in parts_of(UNPMC)["features"]
    assert "PhraseCounts" in found["knowledge"]
    assert "containing" in found["ranking"]
    assert "rank" not in found["ranking"]
    assert "GaussianNaiveBayes" in parts_of(NaiveBayes)["learner"]
