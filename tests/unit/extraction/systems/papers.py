"""Made-up papers on four topics, for tests of systems that learn."""

import random

from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument, Section, SectionKind

TOPICS = ("grid market", "wind screen", "noise map", "rain garden")
FILLERS = "run see keep find time place idea thing".split()
TAGGED_TOPICS = ("grid/NN market/NN", "noise/NN map/NN", "storm/NN water/NN", "peer/NN group/NN")
_TAGGED_FILLERS = "idea/NN place/NN thing/NN case/NN".split()


def paper(number: int) -> LabelledDocument[AnalysedDocument]:
    """A paper with its topic in the abstract and often, fillers as often but only in the body."""
    chance = random.Random(number)  # noqa: S311  (no secret is made)
    topic = TOPICS[number % len(TOPICS)]
    front = f"{topic}, {chance.choice(FILLERS)}"
    body = ", ".join(chance.sample([topic] * 4 + FILLERS * 3, 28))
    document = analysed(f"{front}\n\n{body}", Section(SectionKind.ABSTRACT, 0, len(front)))
    return LabelledDocument(document, (GoldKeyphrase((topic,), "author"),))


def tagged_paper(number: int) -> LabelledDocument[AnalysedDocument]:
    """A tagged paper with its topic early and often, other topics late and once."""
    chance = random.Random(number)  # noqa: S311  (no secret is made)
    topic, others = TAGGED_TOPICS[number % 4], [each for each in TAGGED_TOPICS if each != TAGGED_TOPICS[number % 4]]
    pieces = [topic, *chance.sample(_TAGGED_FILLERS, 2), topic, topic, chance.choice(_TAGGED_FILLERS), *others]
    document = tagged(" ,/, ".join(pieces))
    return LabelledDocument(document, (GoldKeyphrase((topic.replace("/NN", ""),), "author"),))
