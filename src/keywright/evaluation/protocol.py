"""A protocol is a value: the rules by which predictions and gold become numbers, with its own measures or others."""

from dataclasses import dataclass, replace
from typing import Final

from keywright.core.errors import BadParameter
from keywright.core.signatures import signature
from keywright.evaluation import rules
from keywright.evaluation.measures.counts import NAMES, ByDocument, Means, Measure
from keywright.evaluation.measures.list_measures import AlphaValues, RankedValues


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """The rules of one scorer, in the order in which they apply.

    Derive another with ``dataclasses.replace(SEMEVAL2010, name="...", average=(Average.MACRO,))``. Where a protocol
    names no rule, it has that of a scorer without known bugs.

    Attributes:
        name: part of the signature.
        golds: kinds of gold scored, in the order of the report; empty for every kind that the gold has.
        marks: byte order marks and carriage returns of answer and gold files.
        write: a system's surface forms as answers; answer files do not pass through it.
        repeated_ids, unknown_ids, missing_ids: answers for a document twice, for one without gold, for none.
        normalise: phrase to the form that is compared, on both sides.
        accept, accept_gold: forms that count; the others take no rank and are not gold.
        repeats, gold_repeats: repeated forms. A gold entry that shares a form with an earlier one is a repeat.
        alternatives: which forms of a gold entry are accepted.
        matching: hits by rank.
        short_list: lists shorter than a cutoff.
        no_gold: documents without gold.
        documents: number of documents that averages divide by.
        average: how documents become one number; the first gives the plain names of values, others a prefix.
        zero_divisor: quotients by 0.
        f_from: values from which F is computed.
        unit, decimals: values are rounded to these decimals of the unit; None leaves them exact.
        measures: P, R and F at cutoffs.
        depth: number of a document's predictions that are read, before any other rule; None for all.
        normalise_gold: phrase to form on the gold side; None where it is as for predictions.
        one_word: how many one-word predictions are kept, the first ones, before others are dropped; None for all.
        classes: classes of phrases that are scored separately; empty where the class plays no part and values are
            named by the kind of gold alone.
        text: the text of a document by which phrases are present or absent.
        presence: test whether a phrase occurs in the text, which is normalised as predictions are.
        gold_class: how present gold is distinguished from absent gold.
        means: further measures, each a number for a document and the mean of it.
    """

    name: str
    golds: tuple[str, ...] = ()
    marks: rules.ByteMarks = rules.ByteMarks.STRIPPED
    write: rules.Write = rules.unchanged
    repeated_ids: rules.OddIds = rules.OddIds.REFUSED
    unknown_ids: rules.OddIds = rules.OddIds.REFUSED
    missing_ids: rules.OddIds = rules.OddIds.REFUSED
    normalise: rules.Normalise = rules.neutral
    accept: rules.Accept = rules.not_empty
    accept_gold: rules.Accept = rules.not_empty
    repeats: rules.Repeats = rules.Repeats.FIRST
    gold_repeats: rules.Repeats = rules.Repeats.FIRST
    alternatives: rules.Alternatives = rules.every
    matching: rules.Matching = rules.once
    short_list: rules.ShortList = rules.ShortList.OF_CUTOFF
    no_gold: rules.NoGold = rules.NoGold.ZERO
    documents: rules.Documents = rules.Documents.COUNTED
    average: tuple[rules.Average, ...] = (rules.Average.MICRO,)
    zero_divisor: rules.ZeroDivisor = rules.ZeroDivisor.ZERO
    f_from: rules.FScore = rules.FScore.EXACT
    unit: rules.Unit = rules.Unit.FRACTION
    decimals: int | None = None
    measures: tuple[Measure, ...]
    depth: int | None = None
    normalise_gold: rules.Normalise | None = None
    one_word: int | None = None
    classes: tuple[rules.PhraseClass, ...] = ()
    text: rules.TextOf = rules.whole_text
    presence: rules.Presence = rules.token_run
    gold_class: rules.GoldClass = rules.GoldClass.TEXT
    means: tuple[Means, ...] = ()

    @property
    def reported(self) -> tuple[Measure, ...]:
        """Every measure of its reports."""
        return (*self.measures, *(measure for family in self.means for measure in family.measures))

    @property
    def needs_texts(self) -> bool:
        """True if the text of their document decides which phrases are present."""
        return any(part is not rules.PhraseClass.ALL for part in self.classes)

    @property
    def partial(self) -> bool:
        """True if hits may be fractions."""
        return isinstance(self.matching, rules.PartialCredit)

    def name_value(self, by: str, average: rules.Average, measure: Measure) -> str:
        """Name a value of a gold set, such as ``combined/macro-F@15``; the first average has no prefix."""
        return f"{by}/{measure}" if average is self.average[0] else f"{by}/{average}-{measure}"

    @property
    def signature(self) -> str:
        """Every rule, and the version; printed beside every number."""
        return signature(self)


_RANKED: Final = ("RP", "MAP", "MRR", "nDCG")
_RANKED_VALUES: Final[ByDocument] = RankedValues()
_ALPHA_VALUES: Final[ByDocument] = AlphaValues()
_GIVE_IT: Final = "keywright-1 and the protocols of kpg give it"
_CREDITS: Final = "a ranked measure credits each gold phrase once, and its matching can credit one several times"
_EQUALS: Final = "alpha-nDCG finds the gold phrase of each prediction by equal forms, and its matching finds others"
_MEANING: Final = "it compares forms of phrases, not their meanings"
_REFUSALS: Final = {
    "AlphaNDCG": (_EQUALS, _GIVE_IT),
    **dict.fromkeys(_RANKED, (_CREDITS, _GIVE_IT)),
    **dict.fromkeys(("SemP", "SemR", "SemF"), (_MEANING, "keywright-1-semantic gives it")),
}
"""Why a protocol cannot give a measure, and which one can; any other is one of repetition."""
_REPETITION: Final = (
    "a measure of repetition needs the list with its repeated phrases",
    "keywright-1-diversity gives it",
)


def with_measures(protocol: Protocol, measures: tuple[Measure, ...]) -> Protocol:
    """Return the protocol with these measures in the place of its own; all other rules stay.

    P, R and F have any cutoff under any protocol, and a protocol's own means have any cutoff that they are defined for.
    Ranked measures are added to protocols that credit each gold phrase once. Raises BadParameter: the protocol cannot
    give a measure; the message says why, the hint which one can.
    """
    families: dict[int, Means] = {}
    counted = tuple(measure for measure in measures if measure.name in NAMES)
    for measure in (measure for measure in measures if measure not in counted):
        family = _find_family(protocol, measure)
        earlier = families.get(id(family.of), replace(family, measures=()))
        families[id(family.of)] = replace(family, measures=(*earlier.measures, measure))
    return replace(protocol, measures=counted, means=tuple(families.values()))


def _find_family(protocol: Protocol, measure: Measure) -> Means:
    """Return the family that computes a mean: the protocol's own, else one that its rules allow."""
    for family in protocol.means:
        if any(measure.name == each.name for each in family.measures) or (
            measure.name in _RANKED and isinstance(family.of, RankedValues)
        ):
            return family
    if measure.name in (*_RANKED, "AlphaNDCG") and protocol.matching is rules.once:
        return Means((), _RANKED_VALUES if measure.name in _RANKED else _ALPHA_VALUES)
    reason, hint = _REFUSALS.get(measure.name, _REPETITION)
    raise BadParameter(f"protocol {protocol.name} cannot give {measure}: {reason}", hint)
