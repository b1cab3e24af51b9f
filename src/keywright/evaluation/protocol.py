"""A protocol is a value: the rules by which predictions and gold become numbers."""

from dataclasses import dataclass

from keywright.core.signatures import signature
from keywright.evaluation import rules
from keywright.evaluation.measures.counts import Means
from keywright.evaluation.measures.measure import Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """The rules of one scorer, in the order in which they apply.

    Derive another with ``dataclasses.replace(SEMEVAL2010, name="...", average=(Average.MACRO,))``.

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
    marks: rules.ByteMarks
    write: rules.Write
    repeated_ids: rules.OddIds
    unknown_ids: rules.OddIds
    missing_ids: rules.OddIds
    normalise: rules.Normalise
    accept: rules.Accept
    accept_gold: rules.Accept
    repeats: rules.Repeats
    gold_repeats: rules.Repeats
    alternatives: rules.Alternatives
    matching: rules.Matching
    short_list: rules.ShortList
    no_gold: rules.NoGold
    documents: rules.Documents
    average: tuple[rules.Average, ...]
    zero_divisor: rules.ZeroDivisor
    f_from: rules.FScore
    unit: rules.Unit
    decimals: int | None
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

    @property
    def signature(self) -> str:
        """Every rule, and the version; printed beside every number."""
        return signature(self)
