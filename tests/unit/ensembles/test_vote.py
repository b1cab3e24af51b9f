"""Systems that vote on a document."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

import keywright as kw
from keywright import api
from keywright.catalogue import describe_system
from keywright.core.candidates import Ranking
from keywright.core.errors import BadParameter, UnknownName
from keywright.core.keyphrases import Keyphrase
from keywright.core.signatures import make_part, parse_parameters
from keywright.ensembles.voting import Vote
from keywright.extraction.systems.kpminer import KPMiner
from keywright.extraction.systems.rake import Rake
from keywright.extraction.systems.yake import Yake
from keywright.testing.promises import ARTICLE
from keywright.text.languages import ByLanguage


@dataclass(frozen=True)
class Says:
    """Always the same list."""

    phrases: tuple[str, ...]
    probability: float | None = None
    withheld: str = ""
    needs: ClassVar[frozenset[str]] = frozenset({"sections"})
    name: ClassVar[str] = "says"

    def extract(self, document):
        found = [Keyphrase(one, -float(at), self.probability) for at, one in enumerate(self.phrases)]
        ranking = Ranking.from_keyphrases(document.source, found, warnings=(f"{len(self.phrases)} said",))
        return replace(ranking, withheld=self.withheld)


def extracted(vote, top=None):
    return vote.extract(ByLanguage().analyse(ARTICLE)).prediction(top)


def test_what_more_systems_say_is_first():
    systems = Says(("a", "b")), Says(("c", "b")), Says(("d",)), Says(("c",))
    found = extracted(Vote(systems))
    assert found.texts == ("c", "b", "a", "d")
    assert found.document_id == ARTICLE.id
    assert found.warnings == ("2 said", "1 said")
    assert extracted(Vote(systems), 1).texts == ("c",)
    assert extracted(Vote(systems, pool=1)).texts == ("c", "a", "d")


def test_methods():
    sure, other = Says(("a",), 0.9), Says(("b", "c"), 0.2)
    assert extracted(Vote((sure, other), method="probabilities")).keyphrases[0].score == pytest.approx(0.45)
    assert extracted(Vote((sure, other), method="ranks")).keyphrases[0].score == pytest.approx(1 / 61)
    with pytest.raises(UnknownName, match="no method of voting called 'rank'; did you mean 'ranks'"):
        Vote((sure, other), method="rank")
    with pytest.raises(BadParameter, match="says gives no probabilities, by which vote is to decide"):
        extracted(Vote((sure, Says(("b",))), method="probabilities"))


def test_documents_without_probabilities_are_voted_on_by_ranks():
    prediction = extracted(Vote((Says(("a",), 0.9), Says(("b", "a"), withheld="unlike")), method="probabilities"))
    assert prediction.texts == ("a", "b")
    assert prediction.keyphrases[0].score == pytest.approx(1 / 61 + 1 / 62)
    assert prediction.warnings == ("1 said", "2 said", "unlike", "vote by ranks, as probabilities are withheld")


def test_it_needs_what_its_systems_need():
    assert Vote((Says(("a",)), KPMiner())).needs == {"sections", "stems"}
    assert Vote().needs == {"stems", "terms"}


def test_one_system_is_no_vote():
    with pytest.raises(BadParameter, match="a vote of 1; expected two systems or more"):
        Vote((Yake(),))
    with pytest.raises(BadParameter, match="pool 0"):
        Vote(pool=0)
    with pytest.raises(BadParameter, match="method takes one of votes, ranks, probabilities"):
        kw.system("vote", method="most")


def test_systems_come_by_name():
    expected = Vote((KPMiner(), Rake()), pool=9)
    assert kw.system("vote", systems=("kpminer", "rake"), pool=9) == expected
    assert kw.system("vote", systems=[KPMiner(), "rake"], pool=9) == expected
    assert api.parse_system("vote", {"systems": "kpminer, rake", "pool": "9"}) == expected
    with pytest.raises(UnknownName, match="no system called 'kpminr'; did you mean 'kpminer'"):
        api.parse_system("vote", {"systems": "kpminr,rake"})
    rows = {row["name"]: row for row in describe_system("vote")["parameters"]}
    assert (rows["systems"]["takes"], rows["systems"]["default"]) == (
        "a system, several with commas between",
        "three_untrained",
    )


def test_without_a_catalogue_names_are_no_systems():
    with pytest.raises(BadParameter, match="systems takes a system, several with commas between"):
        parse_parameters(Vote, {"systems": "kpminer,rake"}, "vote")
    assert make_part(Vote, {"systems": (KPMiner(), Rake())}, "vote") == Vote((KPMiner(), Rake()))
