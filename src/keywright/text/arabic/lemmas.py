"""Lemmas of Arabic words as they are written, clitics attached: the dictionary of simplemma and rules around it.

simplemma lists inflected forms with their lemmas, but hardly any with clitics, and verbal nouns under their verbs. Here
a word has analyses: each division into clitics and a rest, looked up as it is and without each ending; that of least
cost gives the lemma. Lemmas are folded, without vowel points and hamzas on alef, so that all spellings share one.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from keywright.core.errors import needs_extra
from keywright.text.arabic import spelling
from keywright.text.arabic.spelling import ARTICLE, FOLDED, NO_ENDING, Ending, Split

_PERSON: Final = "ي"
_PERFECT: Final = ("وا", "تما")  # endings of the perfect that no noun has: they did, you two did
_LEAST_OF_VERB: Final = 3  # letters: the shortest verb has three radicals


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Inflected forms with their lemmas, and what follows from them about lemmas.

    ``exact``: lemma by form with hamzas; ``folded``: both folded; ``inflected``: lemmas with another form; ``verbs``:
    of an imperfect, or a perfect with an ending that no noun has; ``only_verbs``: those without a form with an article.
    """

    exact: Mapping[str, str]
    folded: Mapping[str, str]
    inflected: frozenset[str]
    verbs: frozenset[str]
    only_verbs: frozenset[str]

    @classmethod
    def of(cls, exact: Mapping[str, str]) -> "Lexicon":
        """Return the lexicon of a dictionary."""
        pairs = list(zip(_fold(exact.keys()), _fold(exact.values()), strict=True))
        folded: dict[str, str] = {}
        for form, lemma in pairs:
            if folded.get(form, form) == form:
                folded[form] = lemma
        verbs = frozenset(
            lemma
            for form, lemma in pairs
            if len(lemma) >= _LEAST_OF_VERB
            and ((form.startswith(_PERSON) and not lemma.startswith(_PERSON)) or form.removeprefix(lemma) in _PERFECT)
        )
        nouns = {lemma for form, lemma in pairs if form.startswith(ARTICLE)}
        inflected = frozenset(lemma for form, lemma in folded.items() if form != lemma)
        return cls(exact, folded, inflected, verbs, verbs - nouns)


def _fold(words: Iterable[str]) -> list[str]:
    """Return folded forms; one translation of the joined words takes a third of the time of one for each."""
    text = "\n".join(words).translate(spelling.ALEFS) + "\n"
    return text.replace(spelling.MAQSURA + "\n", spelling.YA + "\n").split("\n")[:-1]


@cache
def lexicon() -> Lexicon:
    """Return the lexicon of simplemma's dictionary, read once; takes about a second."""
    with needs_extra("arabic", "Arabic lemmas need the package simplemma"):
        from simplemma.strategies import DefaultDictionaryFactory  # noqa: PLC0415  (an extra)
    return Lexicon.of(DefaultDictionaryFactory().get_dictionary("ar"))


_LEAST: Final = 2  # letters of a word without its ending: the shortest nouns
_CERTAIN: Final = -9.0  # cost below that of every other reading
_SHORT, _THREE = 2, 3  # letters of words that are often found by chance behind clitics
_WEAK_PRONOUNS: Final = frozenset("يك")  # my, your: rare in the texts that have keyphrases
_ONLY_BEFORE_NOUNS: Final = frozenset("بك")  # prepositions
_LOST_BEFORE_PRONOUNS: Final = frozenset({"ا", "ون", "ين"})  # nunation, and endings whose n goes
_SHORTEST_NISBA: Final = 4  # letters of nouns such as village, which only look like adjectives of relation
_NEVER_BEHIND_ARTICLE: Final = frozenset({"nunation", "construct"})


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of the steps of an analysis; a field with the name of an inflection is the cost of its endings.

    Found by ``python -m tools.train.arabic_lemma_costs``, which searches along each axis on every second document of UD
    Arabic-PUD; the other documents test them. ``clitic``: a conjunction, a preposition or the sign of the future;
    ``weak_pronoun``: beside ``pronoun``, for *my* and *your*; ``short``, ``three``: two and three letters left behind
    clitics; ``identity``: a form that is its own lemma and has no other forms; ``folded``: a form that is found without
    its hamzas only; ``person``: an imperfect whose verb is the rest, ``person_and_alef``: behind an alef;
    ``around_verb``: an ending that goes with the letter of a person; ``unknown``: a lemma that is not in the
    dictionary; ``uninflected``: a base that has no other forms; ``other_lemma``: one that is a form of another lemma.
    """

    clitic: float = 0.25
    pronoun: float = 0.25
    weak_pronoun: float = 0.5
    article: float = -0.45
    short: float = 0.0
    three: float = 0.05
    identity: float = 0.5
    folded: float = 0.7
    plural: float = 1.55
    plural_of_marbuta: float = 0.3
    plural_of_nisba: float = -0.2
    dual: float = 2.25
    dual_construct: float = 1.5
    construct: float = 0.5
    nunation: float = 0.7
    feminine_nisba: float = -0.1
    feminine: float = 0.8
    marbuta_as_ha: float = 1.2
    verb: float = 3.2
    around_verb: float = 0.25
    person: float = 0.25
    person_and_alef: float = 0.35
    unknown: float = 3.0
    uninflected: float = 1.0
    other_lemma: float = 3.0


class Analysis(NamedTuple):
    """One reading of a written word by its ``split`` into clitics; the smallest one, of the least cost, is the best."""

    cost: float
    lemma: str
    split: Split
    ending: Ending = NO_ENDING
    verb: bool = False


Reading: TypeAlias = tuple[float, str, Ending, bool]  # cost, lemma, ending and verb of an analysis, without its clitics


@dataclass(frozen=True, slots=True)
class Lemmatiser:
    """Lemmas by least cost over the analyses of a word, from a lexicon and costs of steps."""

    lexicon: Lexicon
    costs: Costs = Costs()

    def __call__(self, word: str) -> str:
        """Return the lemma of a word without vowel points; words of other scripts stay as they are."""
        return self.best(word).lemma

    def best(self, word: str) -> Analysis:
        """Return the analysis of least cost; ties go to the lemma that is first in the alphabet."""
        folded = FOLDED(word)
        if folded in spelling.INVARIABLE or not (word.isalpha() and word.upper() == word):
            return Analysis(0, folded, Split((), article=False, word=word, pronoun=""))
        return min(self.analyses(word))

    def analyses(self, word: str) -> Iterator[Analysis]:
        """Yield all analyses of a word, at least one."""
        for split in spelling.split_clitics(word):
            if split.before[-1:] == (spelling.FUTURE,) and spelling.imperfect_bases(FOLDED(split.word)) is None:
                continue
            clitics = self._clitics(split)
            for form in spelling.original_endings(split):
                for cost, lemma, ending, verb in self._readings(form, split):
                    yield Analysis(clitics + cost, lemma, split, ending, verb)

    def _clitics(self, split: Split) -> float:
        costs = self.costs
        if split == (split.before, False, split.word, "") and not split.before:
            return 0
        cost = costs.clitic * len(split.before) + costs.article * split.article
        if split.pronoun:
            cost += costs.pronoun + costs.weak_pronoun * (split.pronoun in _WEAK_PRONOUNS)
        return cost + costs.short * (len(split.word) == _SHORT) + costs.three * (len(split.word) == _THREE)

    def _readings(self, form: str, split: Split) -> Iterator[Reading]:
        folded = FOLDED(form)
        noun = split.article or (split.before[-1:] != () and split.before[-1] in _ONLY_BEFORE_NOUNS)
        yield from self._as_it_is(form, folded, split, noun=noun)
        yield from self._as_noun(folded, split, noun=noun)
        if not noun:
            yield from self._as_verb(folded)

    def _as_it_is(self, form: str, folded: str, split: Split, *, noun: bool) -> Iterator[Reading]:
        costs, entries = self.costs, self.lexicon
        if form in spelling.IRREGULAR:
            yield _CERTAIN, spelling.IRREGULAR[form], NO_ENDING, False
        cost, lemma = 0.0, entries.exact.get(form)
        if lemma is None:
            cost, lemma = costs.folded, entries.folded.get(folded)
        if lemma is None:
            yield costs.unknown, folded, NO_ENDING, False
            return
        lemma = FOLDED(lemma)
        if self._is_noun(form, folded, lemma, noun=noun):
            lemma = folded
        if not (split.article and lemma.startswith(ARTICLE)):
            alone = lemma == folded and folded not in entries.inflected
            yield cost + costs.identity * alone, lemma, NO_ENDING, lemma in entries.only_verbs

    def _as_noun(self, folded: str, split: Split, *, noun: bool) -> Iterator[Reading]:
        costs, entries = self.costs, self.lexicon
        for ending in spelling.NOUN_ENDINGS:
            stem = folded.removesuffix(ending.written)
            if stem == folded or len(stem) < _LEAST or not _possible(ending, split):
                continue
            base, cost = stem + ending.base, getattr(costs, ending.kind)
            lemma = entries.folded.get(base)
            if lemma is None:
                yield cost + costs.unknown, base, ending, False
            elif self._is_noun(base, base, lemma, noun=noun):
                yield cost + costs.uninflected * (base not in entries.inflected), base, ending, False
            else:
                yield cost + costs.other_lemma, lemma, ending, False

    def _as_verb(self, folded: str) -> Iterator[Reading]:
        """Yield the readings without the endings of verbs, and without the letter of the person before imperfects."""
        costs, entries = self.costs, self.lexicon
        for ending in (NO_ENDING, *spelling.VERB_ENDINGS):
            stem = folded.removesuffix(ending.written) if ending.written else folded
            if (ending.written and stem == folded) or len(stem) < _LEAST:
                continue
            base, cost = stem + ending.base, costs.verb * (ending != NO_ENDING)
            perfect = entries.folded.get(base)
            if ending != NO_ENDING and perfect in entries.verbs:
                yield cost, perfect, ending, True
            verbs = zip(spelling.imperfect_bases(base) or (), (costs.person, costs.person_and_alef), strict=False)
            for verb, person in verbs:
                if verb in entries.verbs:
                    around = costs.around_verb if ending.written in spelling.AROUND_VERBS else cost
                    yield around + person, verb, ending, True

    def _is_noun(self, form: str, folded: str, lemma: str, *, noun: bool) -> bool:
        """Return whether a form is its own lemma as a participle in m-, or an adjective of relation in -i."""
        if folded == lemma or (folded.startswith("م") and not lemma.startswith("م")):
            return True
        if lemma in self.lexicon.only_verbs and (noun or spelling.is_verbal_noun_shape(form, folded, lemma)):
            return True
        return folded.endswith("ي") and lemma == folded[:-1]


def _possible(ending: Ending, split: Split) -> bool:
    if split.article and ending.kind in _NEVER_BEHIND_ARTICLE:
        return False
    if ending.kind == "feminine_nisba" and len(split.word) <= _SHORTEST_NISBA:
        return False
    if ending.kind == "dual_construct":
        return bool(split.pronoun)
    return not (split.pronoun and ending.written in _LOST_BEFORE_PRONOUNS)


@cache
def lemmatiser() -> Lemmatiser:
    """Return the lemmatiser of simplemma's dictionary, made once."""
    return Lemmatiser(lexicon())
