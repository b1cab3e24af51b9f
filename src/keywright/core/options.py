"""Options of a request, each declared once.

The command line, the keywords of the Python verbs, the HTTP interface with its description, assistants' tools, the form
of the page and the reference page take names, types, ranges, defaults and help from here.
"""

import dataclasses
import hashlib
import typing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from keywright.core.documents import Quality, Style
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True)
class Option:
    """How an option is shown to people.

    Attributes:
        help: one sentence that is readable alone.
        value: placeholder for the value; empty for a switch. ``FILE`` is a file with one phrase a line.
    """

    help: str
    value: str = ""


@dataclass(frozen=True)
class ChoiceOptions:
    """Options of whose choice a system imitates, and how closely it reads: parameters of the default."""

    style: Annotated[
        Style | None,
        Option(
            "Whose choice of keyphrases to imitate: author, reader, indexer, subject headings, or general.", "STYLE"
        ),
    ] = None
    expect: Annotated[
        float | None,
        Option(
            "Number of keyphrases that people give to such a document: probabilities and the list length depend on it,"
            " the order does not.",
            "N",
        ),
    ] = None
    quality: Annotated[
        Quality | None,
        Option(
            "Quality of the default: standard, or best, which reads phrases in their context with an encoder of"
            " English; slower, and needs the extra embed.",
            "QUALITY",
        ),
    ] = None


@dataclass(frozen=True)
class PhraseOptions:
    """Options for the phrases of any system. Order and scores stay, except with ``vocabulary``.

    Phrases of the vocabulary that occur in the text without being candidates of the system come behind the others of
    the vocabulary, most frequent first, without probability. Words with a digit, sign or inner capital are long enough.

    Raises:
        BadParameter: a number out of range, a phrase without letter or digit, a missing vocabulary.
    """

    min_probability: Annotated[
        float | None,
        Option("Show only phrases with a probability of at least P, 0 to 1; needs a system with probabilities.", "P"),
    ] = None
    diversity: Annotated[
        float, Option("Leave out phrases more similar to a better one than 1 - D; D is 0 to 1, 0 keeps all.", "D")
    ] = 0.0
    stop_phrases: Annotated[
        tuple[str, ...], Option("Never show the phrases of FILE, one per line, matched by stem.", "FILE")
    ] = ()
    vocabulary: Annotated[
        Sequence[str],
        Option(
            "Show the phrases of FILE before all others: one per line, or the folder of an index"
            " (`keywright vocabulary build`); matched by stem.",
            "FILE",
        ),
    ] = ()
    only_vocabulary: Annotated[bool, Option("Show only phrases of --vocabulary.")] = False
    label_language: Annotated[
        str | None,
        Option("Language of the labels of concepts of --vocabulary (default: that of each document).", "CODE"),
    ] = None
    broader: Annotated[
        bool, Option("Show behind the concepts of --vocabulary those directly above them, which are not in the text.")
    ] = False
    min_words: Annotated[int, Option("Minimum length in words; terms such as IL-6 are always kept.", "N")] = 1
    min_characters: Annotated[int, Option("Minimum length in characters; terms such as IL-6 are always kept.", "N")] = 1
    expand_acronyms: Annotated[
        bool, Option("Show an acronym with its long form where the text gives it, each acronym once.")
    ] = False
    absent: Annotated[
        bool,
        Option(
            "Add up to five keyphrases that an English text does not contain, which its words suggest; few of them are"
            " right, as their probabilities say."
        ),
    ] = False

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        for name in ("min_probability", "diversity"):
            if (share := getattr(self, name)) is not None and not 0 <= share <= 1:
                raise BadParameter(f"{name} {share}", "expected a number from 0 to 1")
        for name in ("min_words", "min_characters"):
            if (length := getattr(self, name)) < 1:
                raise BadParameter(f"{name} {length}", "expected a number from 1")
        # The labels of an index were read when it was built.
        for phrase in (*self.stop_phrases, *(self.vocabulary if isinstance(self.vocabulary, tuple) else ())):
            if not isinstance(phrase, str) or not any(map(str.isalnum, phrase)):
                raise BadParameter(f"{phrase!r} is not a phrase", "expected letters or digits in it")
        self._check_vocabulary()

    def _check_vocabulary(self) -> None:
        """Refuse options that need a vocabulary without one, and absent phrases of a vocabulary."""
        if self.only_vocabulary and not self.vocabulary:
            raise BadParameter("only_vocabulary without a vocabulary", "give its phrases")
        if self.absent and self.only_vocabulary:
            raise BadParameter("absent keyphrases are of no vocabulary", "leave out --absent or --only-vocabulary")
        for name in ("label_language", "broader"):
            if getattr(self, name) and not self.names_concepts:
                raise BadParameter(
                    f"{name} without a vocabulary of concepts", "build one: `keywright vocabulary build`"
                )

    @property
    def names_concepts(self) -> bool:
        """True if the vocabulary has concepts, which phrases are labels of."""
        return getattr(self.vocabulary, "concepts", None) is not None


@dataclass(frozen=True)
class GuaranteeOptions:
    """Options for the phrases of a system with a calibrator.

    Raises:
        BadParameter: options that do not go together.
    """

    min_precision: Annotated[
        float | None, Option("Guarantee a mean precision of at least X over documents; needs a calibrator.", "X")
    ] = None
    confidence_level: Annotated[
        float | None, Option("Confidence level of the guarantee of --min-precision (default: 0.9).", "C")
    ] = None
    min_recall: Annotated[
        float | None,
        Option(
            "Guarantee that at least a share X of the correct phrases in a system's list is shown, on average;"
            " needs a calibrator.",
            "X",
        ),
    ] = None
    abstain_below: Annotated[
        float,
        Option(
            "Show nothing for a document whose most probable phrase has a probability below P; needs a calibrator.", "P"
        ),
    ] = 0.0
    best_f1: Annotated[
        bool, Option("Choose the list length that maximises expected F1 per document; needs a calibrator.")
    ] = False

    def __post_init__(self) -> None:
        """Refuse options that contradict each other."""
        if self.confidence_level is not None and self.min_precision is None:
            raise BadParameter("confidence_level without min_precision", "add a precision, such as --min-precision 0.5")
        apart = [name for name in ("min_precision", "min_recall", "best_f1") if name in self.changed]
        if len(apart) > 1:
            raise BadParameter(f"{' and '.join(apart)} together", "each decides how many are shown: leave one out")
        if self.min_recall is not None and self.abstain_below:
            raise BadParameter("min_recall and abstain_below together", "recall cannot be guaranteed for cut lists")

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the options that differ from their defaults."""
        return tuple(one.name for one in dataclasses.fields(self) if getattr(self, one.name) != one.default)


def options_of(table: type) -> Iterator[tuple["dataclasses.Field[Any]", Any, Option]]:
    """Yield field, type and description of each option of a table, in order."""
    hints = typing.get_type_hints(table, include_extras=True)
    for field in dataclasses.fields(table):
        kind, option = typing.get_args(hints[field.name])
        yield field, kind, option


def changed_options(options: "PhraseOptions", **others: Any) -> dict[str, Any]:
    """Return the options that are not the default, for records; ``others`` come first, None or False by default."""
    changed = {name: value for name, value in others.items() if value not in (None, False)}
    values = ((field, getattr(options, field.name)) for field in dataclasses.fields(options))
    return changed | {field.name: _describe_value(value) for field, value in values if value != field.default}


def _describe_value(value: Any) -> Any:
    """Return the value of an option for records; of phrases, which may be many, their number and digest."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        digest = getattr(value, "digest", "")  # an index of a vocabulary has that of its labels
        digest = digest or hashlib.sha256("\n".join(value).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{len(value)} phrases, sha256:{digest[:8]}"
    return value
