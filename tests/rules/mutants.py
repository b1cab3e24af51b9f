"""Mutants: a protocol with one rule changed, for each rule and each other sensible value of it.

Enums take each other member, rules that are functions each other function of their kind, numbers and tuples a step to
either side, switches the other way; values with rules of their own, such as a matching with levels, are changed inside.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from tests.rules.probing import KINDS, lightened

from keywright.catalogue import PROTOCOLS
from keywright.core.errors import BadParameter
from keywright.evaluation import rules
from keywright.evaluation.answers import semeval_line
from keywright.evaluation.matching import Approximate, WordOverlap, lowered
from keywright.evaluation.measures import list_measures
from keywright.evaluation.measures.counts import Measure
from keywright.evaluation.normal_forms import phrases as hulth
from keywright.evaluation.normal_forms import phrases as kpg_forms
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import never_empty

NORMAL: Final = (
    *(rules.as_given, rules.neutral, lowered),
    *(hulth.spacy2_tokens, hulth.spacy2_lower, hulth.spacy2_lemmas, hulth.nltk325_stems),
    *(hulth.modern_words, hulth.modern_lower, hulth.modern_lemmas, hulth.modern_stems),
    *(kpg_forms.blank_stems, kpg_forms.blank_tokens, kpg_forms.published_stems, kpg_forms.published_tokens),
)
ACCEPTING: Final = (
    *(rules.everything, rules.not_empty),
    *(kpg_forms.valid, kpg_forms.known_words, kpg_forms.valid_and_known, kpg_forms.valid_known_not_empty),
)
FUNCTIONS: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType(
    {
        "write": (rules.unchanged, semeval_line, never_empty),
        "normalise": NORMAL,
        "normalise_gold": (None, *NORMAL),
        "accept": ACCEPTING,
        "accept_gold": ACCEPTING,
        "alternatives": (rules.first_two, rules.every),
        "matching": (rules.pairs, rules.any_entry, rules.once, rules.part_of, Approximate(), WordOverlap()),
        "text": (rules.whole_text, rules.title_and_abstract),
        "presence": (rules.token_run, rules.substring),
        "relevant": tuple(list_measures.Relevant),
    }
)
"""The functions there are for each rule that is one."""
STEPS: Final[Mapping[str, Callable[[Any], tuple[Any, ...]]]] = MappingProxyType(
    {
        "decimals": lambda now: (2, 4) if now is None else (None, now - 1, now + 1),
        "depth": lambda now: (5, 200) if now is None else (None, now - 1, now + 1),
        "one_word": lambda now: (0, 1) if now is None else (None, now - 1, now + 1),
        "alpha": lambda now: (round(now - 0.1, 1), round(now + 0.1, 1)),
        "threshold": lambda now: (round(now - 0.1, 1), round(now + 0.1, 1)),
    }
)
"""Other numbers near the one there is."""
MAY_BE_EMPTY: Final = frozenset({"golds", "classes", "means"})
NO_RULES: Final = frozenset({"name", "encode", "rewards"})
"""Fields that are no rules: the name; the encoder, whose numbers only its own files give; a note for readers."""


@dataclass(frozen=True)
class Mutant:
    """A protocol with one rule changed.

    Attributes:
        before: the protocol.
        rule: which rule, with dots where it is a part of one.
        value: what it became, in words.
        after: the changed protocol.
    """

    before: Protocol
    rule: str
    value: str
    after: Protocol

    def __str__(self) -> str:
        return f"{self.before.name}: {self.rule} becomes {self.value}"


def mutants(name: str) -> Iterator[Mutant]:
    """Every change of one rule of a protocol of the catalogue."""
    before = lightened(PROTOCOLS.find(name))
    for rule, value, after in changes(before):
        yield Mutant(before, rule, value, after)


def changes(holder: Any) -> Iterator[tuple[str, str, Any]]:
    """Every change of one field of a dataclass, parts of parts included: field, new value in words, changed copy."""
    for field in fields(holder):
        if field.name in NO_RULES:
            continue
        now = getattr(holder, field.name)
        for value in others(field.name, now):
            try:
                yield field.name, words(value), replace(holder, **{field.name: value})
            except BadParameter:  # a value that cannot be had, such as no level at all
                continue
        for inner, value, changed in parts(now):
            yield f"{field.name}.{inner}", value, replace(holder, **{field.name: changed})


def parts(now: Any) -> Iterator[tuple[str, str, Any]]:
    """Changes inside a value that has rules of its own."""
    if dataclasses.is_dataclass(now) and not isinstance(now, type | Measure | rules.AcceptForms):
        yield from changes(now)
    elif isinstance(now, tuple):
        for place, one in enumerate(now):
            for inner, value, changed in parts(one):
                yield f"{place}.{inner}", value, (*now[:place], changed, *now[place + 1 :])


def others(rule: str, now: Any) -> tuple[Any, ...]:
    """Other sensible values of a rule."""
    if rule in FUNCTIONS:
        return tuple(one for one in FUNCTIONS[rule] if one is not now and not _same_kind(one, now))
    if rule in STEPS:
        return STEPS[rule](now)
    if isinstance(now, bool):
        return (not now,)
    if isinstance(now, Enum):
        return tuple(one for one in type(now) if one is not now)
    if isinstance(now, tuple):
        return tuple(dict.fromkeys(one for one in near(rule, now) if one != now and (one or rule in MAY_BE_EMPTY)))
    return ()


def _same_kind(one: Any, now: Any) -> bool:
    """Whether both are the same dataclass, whose own rules are changed by themselves, unless it is one named rule."""
    return dataclasses.is_dataclass(one) and type(one) is type(now) and not isinstance(one, rules.AcceptForms)


def near(rule: str, now: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Tuples one step away: one element less, two exchanged, one more, a cutoff moved."""
    for place, one in enumerate(now):
        yield (*now[:place], *now[place + 1 :])
        yield (*now[:place], *now[place + 1 : place + 2], one, *now[place + 2 :])
        if isinstance(one, Measure) and isinstance(one.k, int):
            for k in (one.k - 1, one.k + 1):
                yield (*now[:place], one @ k, *now[place + 1 :])
    possible = {"average": tuple(rules.Average), "classes": tuple(rules.PhraseClass), "golds": KINDS}.get(rule, ())
    for one in possible:
        if one not in now:
            yield (*now, one)
            yield from ((*now[:place], one, *now[place + 1 :]) for place in range(len(now)))


def words(value: Any) -> str:
    """A value as people write it."""
    if isinstance(value, tuple):
        return " ".join(map(words, value)) or "()"
    if dataclasses.is_dataclass(value) and not isinstance(value, Measure):
        return str(getattr(value, "name", type(value).__name__))
    return str(getattr(value, "__name__", value))
