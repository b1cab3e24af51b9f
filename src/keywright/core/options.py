"""Options of a request, each declared once, as rows of tables.

The command line, the check of keywords in Python, the HTTP interface with its description, the tools of assistants, the
form of the page and the reference page are made from these tables. To add an option, add a field here, its keyword in
``ListKeywords`` for type checkers, and the code that does something with it.
"""

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypedDict

from keywright.core.documents import Match, Quality, Style
from keywright.core.errors import BadParameter
from keywright.core.option_types import Option, Range, User, declare

_SHARE: Final = Range(0, 1)
_INNER_SHARE: Final = Range(0, 1, is_open=True)
AUTO: Final = "auto"  # length of a list that the system chooses, by its own rule or the highest expected F1
Length: TypeAlias = int | Literal["auto"]  # number of keyphrases, or ``auto``
MOST_KEYPHRASES: Final = 10_000  # most keyphrases in a request of others; arbitrary, as many as a paper has candidates


@dataclass(frozen=True)
class GeneralOptions:
    """Options of every request."""

    title: ClassVar[str] = ""

    # fmt: off
    top: int | None = declare(
        "Number of keyphrases, near repeats merged first (default: 10); auto: as many as give the best expected F1.",
        "N", Range(1), MOST_KEYPHRASES, word=AUTO, letter="n", label="How many", example="10",
    )
    language: str | None = declare(
        "ISO 639-1 code of the language of all documents, such as en (default: detected for each document).",
        "CODE", label="Language", example="detect",
    )
    explain: bool = declare(
        "Also show the reasons for each keyphrase, its score, its places and a sentence.",
        users=~User.PAGE, default=False,
    )
    # fmt: on


@dataclass(frozen=True)
class ChoiceOptions:
    """Options of whose choice a system imitates, and how closely it reads: parameters of the default."""

    title: ClassVar[str] = "Keyphrase style"

    # fmt: off
    style: Style | None = declare(
        "Whose choice of keyphrases to imitate: author, reader, indexer, subject headings, tags, or general.",
        "STYLE", label="Choose like",
        words={
            "": "people in general", Style.AUTHOR: "authors of papers", Style.READER: "readers of papers",
            Style.INDEXER: "indexers of abstracts", Style.SUBJECT: "cataloguers, who give subject headings",
            Style.TAGS: "people who tag, mostly with single words",
        },
    )
    expect: float | None = declare(
        "Number of keyphrases that people give to such a document: probabilities and the list length depend on it,"
        " the order does not.",
        "N", Range(0, is_open=True), label="Expected number", example="8",
    )
    quality: Quality | None = declare(
        "Quality of the default: standard, or best, which reads phrases in their context with an encoder;"
        " slower, and needs the extra embed.",
        "QUALITY", label="read more closely (slower)",
    )
    # fmt: on


@dataclass(frozen=True)
class PhraseOptions:
    """Options for the phrases of any system. Order and scores stay, except with ``vocabulary``.

    Phrases of the vocabulary that occur in the text without being candidates of the system come behind the others of
    the vocabulary, most frequent first, without probability. Words with a digit, sign or inner capital are long enough.
    A number out of range, a phrase without letter or digit, and a missing vocabulary are a ``BadParameter``.
    """

    title: ClassVar[str] = "Which phrases are shown"

    # fmt: off
    min_probability: float | None = declare(
        "Show only phrases that are at least this probable, 0 to 1; needs a system with probabilities.",
        "P", _SHARE, label="Least probability",
    )
    diversity: float = declare(
        "Leave out phrases whose similarity to a better one is above 1 minus this number, 0 to 1; 0 keeps all.",
        "D", _SHARE, label="Diversity", default=0.0,
    )
    stop_phrases: tuple[str, ...] = declare(
        "Never show these phrases, matched by stem.",
        "FILE", file="FILE has one per line.", label="Never show, one per line", default=(),
    )
    vocabulary: Sequence[str] = declare(
        "Show the phrases of a vocabulary before all others, matched by stem.",
        "FILE", file="FILE has one per line, or is a thesaurus (SKOS, a table with URIs) or the folder of its index.",
        by_name="a vocabulary of the service (/api/vocabularies)", label="Vocabulary", needs="vocabulary", default=(),
    )
    only_vocabulary: bool = declare(
        "Show only phrases of `vocabulary`.", label="only phrases of the vocabulary", needs="vocabulary", default=False
    )
    match: Match = declare(
        "How phrases are matched with `vocabulary`: label, by stems; meaning, by the nearest label of an encoder, also"
        " where no word is the same; or both.",
        "HOW", label="Match with the vocabulary",
        words={Match.LABEL: "by their words", Match.MEANING: "by meaning", Match.BOTH: "by words and by meaning"},
        needs="vocabulary", default=Match.LABEL,
    )
    label_language: str | None = declare(
        "Language of the labels of concepts of `vocabulary` (default: that of each document).",
        "CODE", label="Language of its labels", needs="vocabulary", users=~User.ASSISTANT,
    )
    broader: bool = declare(
        "Show behind the concepts of `vocabulary` those directly above them, which are not in the text.",
        label="also the concepts above those in the text", needs="vocabulary", users=~User.ASSISTANT, default=False,
    )
    merges: tuple[tuple[str, str], ...] = declare(
        "Show forms as other phrases, or not at all.",
        "FILE", file="FILE is a table with the columns form and phrase; an empty phrase drops its form.",
        users=User.COMMAND_LINE, default=(),
    )
    min_words: int = declare(
        "Minimum length in words; terms such as IL-6 are always kept.", "N", Range(1), label="Minimum words", default=1
    )
    min_characters: int = declare(
        "Minimum length in characters; terms such as IL-6 are always kept.",
        "N", Range(1), label="Minimum characters", default=1,
    )
    expand_acronyms: bool = declare(
        "Show an acronym with its long form where the text gives it, each acronym once.",
        label="acronyms with their long forms", default=False,
    )
    absent: bool = declare(
        "Add up to five keyphrases that an English text does not contain, which its words suggest; few of them are"
        " right, as their probabilities say.",
        label="also suggest keyphrases that the text does not contain", default=False,
    )
    # fmt: on

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        check_values(self)
        # The labels of an index were read when it was built.
        for phrase in (*self.stop_phrases, *(self.vocabulary if isinstance(self.vocabulary, tuple) else ())):
            if not isinstance(phrase, str) or not any(map(str.isalnum, phrase)):
                raise BadParameter(f"{phrase!r} is not a phrase", "expected letters or digits in it")
        if self.only_vocabulary and not self.vocabulary:
            raise BadParameter("only_vocabulary without a vocabulary", "give its phrases")
        if self.match != Match.LABEL and not self.vocabulary:
            raise BadParameter(f"match {self.match} without a vocabulary", "give its phrases")
        if self.absent and self.only_vocabulary:
            raise BadParameter("absent keyphrases are of no vocabulary", "leave out --absent or --only-vocabulary")
        for name in ("label_language", "broader"):
            if getattr(self, name) and not self.names_concepts:
                hint = "build one: `keywright vocabulary build`"
                raise BadParameter(f"{name} without a vocabulary of concepts", hint)

    @property
    def names_concepts(self) -> bool:
        """True if the vocabulary has concepts, which phrases are labels of."""
        return getattr(self.vocabulary, "concepts", None) is not None


@dataclass(frozen=True)
class GuaranteeOptions:
    """Options for the phrases of a system with a calibrator; some do not go together."""

    title: ClassVar[str] = "Guarantees (need a calibrator)"

    # fmt: off
    min_precision: float | None = declare(
        "Guarantee at least this mean precision over documents; needs a calibrator.",
        "X", _INNER_SHARE, label="Guaranteed precision", needs="calibrator",
    )
    confidence_level: float | None = declare(
        "Confidence level of the guarantee of `min_precision` (default: 0.9).",
        "C", _INNER_SHARE, label="Its confidence level", example="0.9", needs="calibrator",
    )
    min_recall: float | None = declare(
        "Guarantee that at least this share of the correct phrases in a system's list is shown, on average; needs a"
        " calibrator.",
        "X", _INNER_SHARE, label="Guaranteed recall", needs="calibrator",
    )
    abstain_below: float = declare(
        "Show nothing for a document whose most probable phrase is less probable than this; needs a calibrator.",
        "P", _SHARE, label="Nothing where the best phrase is below", needs="calibrator", default=0.0,
    )
    # fmt: on

    def __post_init__(self) -> None:
        """Refuse values that mean nothing, and options that contradict each other."""
        check_values(self)
        if self.confidence_level is not None and self.min_precision is None:
            raise BadParameter("confidence_level without min_precision", "add a precision, such as --min-precision 0.5")
        apart = [name for name in ("min_precision", "min_recall") if name in self.changed]
        if len(apart) > 1:
            raise BadParameter(f"{' and '.join(apart)} together", "each decides how many are shown: leave one out")
        if self.min_recall is not None and self.abstain_below:
            raise BadParameter("min_recall and abstain_below together", "recall cannot be guaranteed for cut lists")

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the options that differ from their defaults."""
        return tuple(name for name, option in options_of(type(self)).items() if getattr(self, name) != option.default)


class ListKeywords(TypedDict, total=False):
    """Keywords of the verbs of Python: all options that are not arguments of their own, for type checkers."""

    style: str | None
    expect: float | None
    quality: str | None
    min_probability: float | None
    diversity: float
    stop_phrases: str | Path | Iterable[str] | None
    vocabulary: str | Path | Iterable[str] | None
    only_vocabulary: bool
    merges: str | Path | Mapping[str, str] | None
    match: str
    label_language: str | None
    broader: bool
    min_words: int
    min_characters: int
    expand_acronyms: bool
    absent: bool
    min_precision: float | None
    confidence_level: float | None
    min_recall: float | None
    abstain_below: float


TABLES: Final = (GeneralOptions, ChoiceOptions, PhraseOptions, GuaranteeOptions)


def options_of(*tables: Any) -> dict[str, Option]:
    """Return the options of tables by name, in order."""
    return {option.name: option for table in tables for option in _list_options(table)}


@cache
def _list_options(table: Any) -> tuple[Option, ...]:
    fields = dataclasses.fields(table)
    return tuple(
        dataclasses.replace(each.metadata["option"], name=each.name, type=each.type, default=each.default)
        for each in fields
    )


def options_for(user: User) -> dict[str, Option]:
    """Return the options that somebody may use, by name and in order; with the ranges of requests of others."""
    options = {name: option for name, option in options_of(*TABLES).items() if user in option.users}
    return options if user is User.COMMAND_LINE else {name: option.request for name, option in options.items()}


def check_values(table: Any) -> None:
    """Check the types and ranges of the values in a table."""
    for name, option in options_of(type(table)).items():
        option.check(getattr(table, name))


def changed_options(options: PhraseOptions, **others: Any) -> dict[str, Any]:
    """Return the options that are not the default, for records; ``others`` come first, None or False by default."""
    changed = {name: value for name, value in others.items() if value not in (None, False)}
    for name, option in options_of(PhraseOptions).items():
        if (value := getattr(options, name)) != option.default:
            if isinstance(value, Sequence) and not isinstance(value, str):  # phrases, which may be many
                content = "\n".join(map(str, value)).encode("utf-8", "surrogatepass")
                digest = (
                    getattr(value, "digest", "") or hashlib.sha256(content).hexdigest()
                )  # an index has one of labels
                value = f"{len(value)} phrases, sha256:{digest[:8]}"
            changed[name] = value
    return changed
