"""The tasks ``eval`` and ``evalGen``: eight schemes over a folder of gold and a folder of predictions, as text."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from keywright.core.errors import MissingData
from keywright.evaluation.matching.part_of import holding, part_of
from keywright.evaluation.normal_forms.hulth import nltk325_stems, spacy2_lemmas, spacy2_lower, spacy2_tokens
from keywright.evaluation.reference.hulth2003_files import Reading

Told: TypeAlias = Callable[[int, int | None], None]
"""Told how many documents are done, of how many."""
_TITLES: Final = ("", " on lower case form", " on lower case lemma form", " on lower case stem form")
_MATCHINGS: Final = ("Exact match", "Part of match")


@dataclass(slots=True)
class Totals:
    """What one scheme counts over all documents.

    Attributes:
        title: how the block is headed.
        correct: predictions that match.
        recalled: what recall divides, ``correct`` unless corrected.
        extracted: predictions.
        ground_truth: gold phrases.
    """

    title: str
    correct: int = 0
    recalled: int = 0
    extracted: int = 0
    ground_truth: int = 0

    def add(self, correct: int, recalled: int, extracted: int, ground_truth: int) -> None:
        """Add one document."""
        self.correct += correct
        self.recalled += recalled
        self.extracted += extracted
        self.ground_truth += ground_truth

    @property
    def values(self) -> tuple[float, float, float]:
        """Precision, recall, F1; a quotient by 0 is the whole number 0, which prints without a point."""
        precision = self.correct / self.extracted if self.extracted else 0
        recall = self.recalled / self.ground_truth if self.ground_truth else 0
        return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0


@dataclass(frozen=True, slots=True)
class Schemes:
    """What is counted, and corrections of it.

    Attributes:
        modern: tokens, lemmas and stems of today; phrases without a word drop out.
        recall_of_gold: part-of recall counts gold phrases that hold a prediction.
        require_documents: a gold folder without gold files is an error.
        fixed: numbers are printed with six decimals.
    """

    modern: bool = False
    recall_of_gold: bool = False
    require_documents: bool = False
    fixed: bool = False

    def totals(self, documents: Iterable[tuple[Sequence[str], Sequence[str]]]) -> list[Totals]:
        """Counts of all schemes, in the order of printing, over pairs of gold phrases and predictions."""
        blocks = [[Totals(f"{what}{form}") for what in _MATCHINGS] for form in _TITLES]
        forms = self._forms()
        for gold, predicted in documents:
            for form, (exact, part) in zip(forms, blocks, strict=True):
                entries = self._distinct(form, gold)
                given = self._distinct(form, predicted)
                equal = len(entries.keys() & given.keys())
                within = sum(part_of(given, entries))
                exact.add(equal, equal, len(given), len(entries))
                part.add(within, holding(given, entries) if self.recall_of_gold else within, len(given), len(entries))
        return [block for pair in blocks for block in pair]

    def text(self, totals: Iterable[Totals]) -> str:
        """The blocks as they are printed."""
        return "".join(self._block(one) for one in totals)

    def _forms(self) -> tuple[Callable[[str], str], ...]:
        """The forms, in the order of printing."""
        if not self.modern:
            return spacy2_tokens, spacy2_lower, spacy2_lemmas, nltk325_stems
        from keywright.evaluation.normal_forms import hulth_modern as modern  # noqa: PLC0415 - loads more than the others need

        return modern.modern_words, modern.modern_lower, modern.modern_lemmas, modern.modern_stems

    def _distinct(self, form: Callable[[str], str], phrases: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Forms in order, without repeats; of the modern ones, those with a word in them."""
        found: dict[str, tuple[int, ...]] = dict.fromkeys(map(form, phrases), (0,))
        if self.modern:
            found.pop("", None)
        return found

    def _block(self, block: Totals) -> str:
        """A title and three numbers, each as short as it can be without loss."""
        values = (f"{value:.6f}" if self.fixed else repr(value) for value in block.values)
        lines = (f"\t{name}\t{value}" for name, value in zip(("precision", "recall", "F1"), values, strict=True))
        return "\n".join((f"{block.title}:", *lines)) + "\n"


@dataclass(slots=True)
class Evaluation:
    """One call of ``eval`` or ``evalGen``.

    Attributes:
        gold: folder of the gold files.
        predicted: folder of the ``.res`` files.
        ending: of the gold files, ``uncontr_in`` or ``uncontr``.
        reading: how files are found and read.
        schemes: what is counted.
        warnings: what the person should know.
    """

    gold: str
    predicted: str
    ending: str
    reading: Reading = field(default_factory=Reading)
    schemes: Schemes = field(default_factory=Schemes)
    warnings: list[str] = field(default_factory=list)

    def totals(self, tell: Told = lambda _done, _total: None) -> list[Totals]:
        """Counts of the eight schemes.

        Raises:
            MissingData: a document has no file of predictions; or there is no gold, and some is required.
            BadRecord: a file is not UTF-8.
        """
        paths = self.reading.documents(self.gold, self.ending)
        if not paths:
            message = f"no .{self.ending} files in {self.gold}"
            if self.schemes.require_documents:
                raise MissingData(message, "name the folder that holds the gold files")
            self.warnings.append(f"{message}: every number is 0")
        return self.schemes.totals(self._read(paths, tell))

    def text(self, tell: Told = lambda _done, _total: None) -> str:
        """What evalHulth2003 prints; raises as ``totals`` does."""
        return self.schemes.text(self.totals(tell))

    def _read(self, paths: Mapping[str, str], tell: Told) -> Iterable[tuple[Sequence[str], Sequence[str]]]:
        """Gold phrases and predictions of each document."""
        for done, name in enumerate(paths, start=1):
            # The folder's name is no pattern here, also where one found the documents: so does the reference.
            gold = self.reading.gold(os.path.join(self.gold, f"{name}.{self.ending}"))  # noqa: PTH118 - fast
            yield gold, self.reading.predictions(self.predicted, name)
            tell(done, len(paths))
