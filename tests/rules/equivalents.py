"""Equivalents: changes of a rule that cannot alter a number, whatever the data, each with its reason."""

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from tests.rules.mutants import Mutant

from keywright.evaluation import rules
from keywright.evaluation.measures.counts import RP


@dataclass(frozen=True)
class Equivalent:
    """Changes that cannot alter a number, whatever the data.

    Attributes:
        rules: patterns of rules.
        values: patterns of new values.
        why: the reason.
        holds: for which mutants.
    """

    rules: str
    values: str
    why: str
    holds: Callable[[Mutant], bool]

    def covers(self, mutant: Mutant) -> bool:
        """Whether a mutant is one of them."""
        fits = fnmatchcase(mutant.rule, self.rules) and any(
            fnmatchcase(mutant.value, one) for one in self.values.split()
        )
        return fits and self.holds(mutant)


def _named(start: str) -> Callable[[Mutant], bool]:
    """Mutants of protocols whose name begins so."""
    return lambda one: one.before.name.startswith(start)


def _fixed_documents(one: Mutant) -> bool:
    """Whether P divides by the cutoff in each of a hundred documents, or means do by a hundred."""
    now = one.before
    left_out_of_means = rules.Average.MICRO not in now.average
    return (
        now.documents is rules.Documents.HUNDRED
        and now.no_gold is rules.NoGold.ZERO
        and (left_out_of_means or (one.value == "not_counted" and now.short_list is rules.ShortList.NOTHING))
    )


NO_TEXT: Final = "without classes no text is looked at"
FIFTEEN: Final = "no measure looks at more than 15 predictions"
EQUIVALENT: Final = (
    Equivalent("f_from", "rounded", "nothing is rounded, as decimals is None", lambda one: one.before.decimals is None),
    Equivalent("text", "*", NO_TEXT, lambda one: not one.before.classes),
    Equivalent("presence", "*", NO_TEXT, lambda one: not one.before.classes),
    Equivalent("gold_class", "*", "without classes gold has none", lambda one: not one.before.classes),
    Equivalent(
        "normalise_gold",
        "*",
        "it is the function of the predictions, which holds for gold where none is named",
        lambda one: one.before.normalise_gold is None and one.after.normalise_gold is one.before.normalise,
    ),
    Equivalent("short_list", "*", "the only cutoff is M: no list is shorter", _named("hulth2003")),
    Equivalent("write", "never_empty", "accept drops the empty phrase put in", lambda one: not one.before.accept("")),
    Equivalent(
        "depth",
        "200",
        FIFTEEN,
        lambda one: one.before.name.startswith("semeval2010") and one.before.repeats is rules.Repeats.KEPT,
    ),
    Equivalent("write.depth", "16 None", FIFTEEN, _named("semeval2010")),
    Equivalent(
        "no_gold",
        "left_out not_counted",
        "documents without gold have no hits, and the divisor is that of a hundred documents without them, too",
        _fixed_documents,
    ),
    Equivalent(
        "accept",
        "known",
        "no form holds `<unk>`: its signs are tokens of their own",
        lambda one: one.before.name.startswith("hulth2003") and one.before.accept == rules.everything,
    ),
    Equivalent(
        "accept*", "telling", "no token is a sign, so that only the empty form is dropped", _named("hulth2003-modern")
    ),
    Equivalent(
        "means.0.of.*",
        "*",
        "of the ranked measures only RP is reported",
        lambda one: one.before.means[0].measures == (RP,),
    ),
    Equivalent(
        "matching.levels",
        "*",
        "levels are tried nearest first, in whatever order they are named",
        lambda one: set(one.before.matching.levels) == set(one.after.matching.levels),  # type: ignore[union-attr]
    ),
)
"""Why the changes that no row notices cannot be noticed."""
