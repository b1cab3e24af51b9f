"""A protocol is a value: the rules by which predictions and gold become numbers."""

from dataclasses import dataclass

from keywright.core.signatures import signature
from keywright.evaluation.measures.document_means import Means
from keywright.evaluation.measures.measure import Measure
from keywright.evaluation.rules import (
    Accept,
    Alternatives,
    Average,
    ByteMarks,
    Documents,
    FScore,
    GoldClass,
    Matching,
    NoGold,
    Normalise,
    OddIds,
    PartialMatching,
    PhraseClass,
    Presence,
    Repeats,
    ShortList,
    TextOf,
    Unit,
    Write,
    ZeroDivisor,
    token_run,
    whole_text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """The rules of one scorer, in the order in which they apply.

    Derive another with ``dataclasses.replace(SEMEVAL2010, name="...", average=(Average.MACRO,))``.

    Attributes:
        name: part of the signature.
        golds: kinds of gold scored, in the order of the report; empty stands for all that the gold has.
        marks: byte order marks and carriage returns of answer and gold files.
        write: how a system's surface forms become answers; answer files do not pass through it.
        repeated_ids, unknown_ids, missing_ids: answers for a document twice, for one without gold, for none.
        normalise: phrase to the form that is compared, on both sides.
        accept, accept_gold: forms that stay; the others take no rank and are no gold.
        repeats, gold_repeats: forms that came before. A gold entry that shares a form with an earlier one is a repeat.
        alternatives: which forms of a gold entry are accepted.
        matching: hits by rank.
        short_list: lists shorter than a cutoff.
        no_gold: documents without gold.
        documents: by how many documents is divided.
        average: how documents become one number; the first gives the plain names of values, others a prefix.
        zero_divisor: quotients by 0.
        f_from: what F is computed from.
        unit, decimals: values are rounded to these decimals of the unit; None leaves them exact.
        measures: P, R and F at cutoffs.
        depth: how many of a document's predictions are looked at, before anything else; None for all.
        normalise_gold: phrase to form on the gold side; None where it is as for predictions.
        one_word: how many predictions of one word stay, the first ones, before others are dropped; None for all.
        classes: which phrases are scored, each class apart; empty where the class plays no part and values are named
            by the kind of gold alone.
        text: which text of a document decides what is present.
        presence: whether a phrase stands in the text, which is normalised as predictions are.
        gold_class: what tells present gold from absent gold.
        means: further measures, each a number for a document and the mean of it.
    """

    name: str
    golds: tuple[str, ...] = ()
    marks: ByteMarks
    write: Write
    repeated_ids: OddIds
    unknown_ids: OddIds
    missing_ids: OddIds
    normalise: Normalise
    accept: Accept
    accept_gold: Accept
    repeats: Repeats
    gold_repeats: Repeats
    alternatives: Alternatives
    matching: Matching | PartialMatching
    short_list: ShortList
    no_gold: NoGold
    documents: Documents
    average: tuple[Average, ...]
    zero_divisor: ZeroDivisor
    f_from: FScore
    unit: Unit
    decimals: int | None
    measures: tuple[Measure, ...]
    depth: int | None = None
    normalise_gold: Normalise | None = None
    one_word: int | None = None
    classes: tuple[PhraseClass, ...] = ()
    text: TextOf = whole_text
    presence: Presence = token_run
    gold_class: GoldClass = GoldClass.TEXT
    means: tuple[Means, ...] = ()

    @property
    def reported(self) -> tuple[Measure, ...]:
        """Every measure of its reports."""
        return (*self.measures, *(measure for family in self.means for measure in family.measures))

    @property
    def needs_texts(self) -> bool:
        """Whether phrases are told apart by the text of their document."""
        return any(part is not PhraseClass.ALL for part in self.classes)

    @property
    def signature(self) -> str:
        """Every rule, and the version; it stands beside every number."""
        return signature(self)
