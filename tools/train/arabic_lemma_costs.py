"""Search the costs of ``keywright.text.arabic.lemmas`` on every second document of UD Arabic-PUD, and print them.

    KEYWRIGHT_MIRROR=... python -m tools.train.arabic_lemma_costs

Needs the extra ``arabic``; about a minute. The search goes along one axis after the other from the costs in the file,
which it reproduces; they are then copied by hand. The other documents give the accuracy that is printed last.
"""

from dataclasses import asdict, replace
from typing import Final

from keywright.text.arabic.lemmas import Costs, Lemmatiser, lexicon
from keywright.text.tokens import normal_form
from studies.arabic_text.treebank import Word, treebank

STEPS: Final = (-1.0, -0.5, -0.25, 0.25, 0.5, 1.0)
ROUNDS: Final = 2
NOMINAL_WEIGHT: Final = 0.3
"""Weight of a noun or adjective beyond that of other words, because keyphrases are made of these; arbitrary."""
NOMINAL: Final = frozenset({"NOUN", "ADJ"})


def accuracy(words: list[Word], costs: Costs, *, nominal: bool = False) -> float:
    """Return the share of words with the treebank's lemma; of nouns and adjectives only when ``nominal``."""
    lemma = Lemmatiser(lexicon(), costs)
    hits = [lemma(normal_form(word.text)) == word.lemma for word in words if not nominal or word.tag in NOMINAL]
    return sum(hits) / len(hits)


def worth(words: list[Word], costs: Costs) -> float:
    """Return the objective of the search."""
    share = sum(word.tag in NOMINAL for word in words) / len(words)
    return accuracy(words, costs) + NOMINAL_WEIGHT * share * accuracy(words, costs, nominal=True)


def main() -> None:
    """Search and print."""
    words: tuple[list[Word], list[Word]] = ([], [])
    for sentence in treebank():
        words[sentence.document % 2].extend(word for word in sentence.words if word.lemma)
    costs = Costs()
    best = worth(words[0], costs)
    for _ in range(ROUNDS):
        for name in asdict(costs):
            for step in STEPS:
                moved = replace(costs, **{name: round(getattr(costs, name) + step, 3)})
                value = worth(words[0], moved)
                if value > best:
                    best, costs = value, moved
    for name, cost in asdict(costs).items():
        print(f"    {name}: float = {cost}")
    for part, title in zip(words, ("searched on", "tested on"), strict=True):
        nominal = accuracy(part, costs, nominal=True)
        print(f"{title} {len(part)} words: {accuracy(part, costs):.4f}, nouns and adjectives {nominal:.4f}")


if __name__ == "__main__":
    main()
