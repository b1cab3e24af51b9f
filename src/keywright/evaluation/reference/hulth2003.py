"""The tasks of evalHulth2003: ``eval``, ``evalGen`` (eight schemes over folders, as text) and ``keywords``."""

import glob
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from keywright.core.errors import BadRecord, MissingData
from keywright.evaluation.normal_forms import phrases as forms
from keywright.evaluation.rules import part_of
from keywright.reading.limits import Limits

GOLD: Final = "uncontr"
GOLD_IN: Final = "uncontr_in"
ABSTRACT: Final = "abstr"
Progress: TypeAlias = Callable[[int, int | None], None]  # receives how many documents are done, of how many
_TITLES: Final = ("", " on lower case form", " on lower case lemma form", " on lower case stem form")
_PUBLISHED: Final = (forms.spacy2_tokens, forms.spacy2_lower, forms.spacy2_lemmas, forms.nltk325_stems)
_MODERN: Final = (forms.modern_words, forms.modern_lower, forms.modern_lemmas, forms.modern_stems)
_MATCHINGS: Final = ("Exact match", "Part of match")
_MISSING_GOLD: Final = "each abstract needs its file of gold phrases beside it"
_MISSING_ANSWERS: Final = "every gold document needs one; --missing empty scores it as an empty list"


@dataclass(frozen=True, slots=True)
class Reading:
    """Options of finding and reading files; the defaults reproduce the reference."""

    glob_folders: bool = False  # brackets, stars and question marks in a folder's name are a pattern
    strip_bom: bool = False  # a byte order mark at the start of a file is dropped
    collapse_space: bool = False  # white space inside a prediction becomes one blank
    skip_blank: bool = False  # empty lines are ignored
    missing_empty: bool = False  # a missing file of predictions is an empty list; the reference fails

    def documents(self, folder: str, ending: str) -> dict[str, str]:
        """Find paths by document id: sorted, without hidden files; none if there is no such folder."""
        if self.glob_folders:
            paths: Sequence[str] = glob.glob(os.path.join(folder, f"*.{ending}"))  # noqa: PTH118, PTH207 - kept as is
        elif Path(folder).is_dir():
            paths = [os.path.join(folder, file) for file in os.listdir(folder)]  # noqa: PTH118, PTH208 - a name stays as it is
        else:
            paths = ()
        names = {path: os.path.basename(path) for path in sorted(paths)}  # noqa: PTH119 - a thousand files, fast
        wanted = {path: name for path, name in names.items() if name.endswith(f".{ending}") and name[0] != "."}
        return {name.removesuffix(f".{ending}"): path for path, name in wanted.items()}

    def gold(self, path: str) -> list[str]:
        """Read phrases of a gold file in its order, white space collapsed, empty ones dropped."""
        pieces = (" ".join(piece.split()) for piece in self.text(path, _MISSING_GOLD).split(";"))
        return [piece for piece in pieces if piece]

    def predictions(self, folder: str, name: str) -> list[str]:
        """Read phrases of ``NAME.res``, one per line, stripped; an empty line is the empty phrase."""
        path = os.path.join(folder, f"{name}.res")  # noqa: PTH118 - as above
        if self.missing_empty and not Path(path).exists():
            return []
        lines = [line.strip() for line in self.text(path, _MISSING_ANSWERS).split("\n")]
        if not lines[-1]:  # after the last line end; an empty line before it is a phrase
            lines.pop()
        if self.collapse_space:
            lines = [" ".join(line.split()) for line in lines]
        return [line for line in lines if line] if self.skip_blank else lines

    def text(self, path: str, hint: str = "") -> str:
        """Read a file of UTF-8 with line ends as line feeds."""
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - a thousand small files a run, and Path takes its time
                Limits().check_file(os.fstat(file.fileno()).st_size, path)
                text = file.read().decode("utf-8")
        except FileNotFoundError as error:
            raise MissingData(f"no file {path}", hint) from error
        except UnicodeDecodeError as error:
            raise BadRecord(f"{path} is not valid UTF-8: byte {error.start}", "convert it to UTF-8") from error
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text.removeprefix("\ufeff") if self.strip_bom else text


def count_holding(answers: Collection[str], entries: Collection[str]) -> int:
    """Count the gold entries that have a prediction as part: the numerator of a recall that stays within 1."""
    padded = [f" {form} " for form in answers if form]
    return len(entries) if "" in answers else sum(any(form in f" {entry} " for form in padded) for entry in entries)


@dataclass(slots=True)
class Totals:
    """Counts of one scheme over all documents."""

    title: str
    correct: int = 0
    recalled: int = 0  # numerator of recall, ``correct`` unless ``recall_of_gold``
    extracted: int = 0
    ground_truth: int = 0

    @property
    def values(self) -> tuple[float, float, float]:
        """Precision, recall, F1; a quotient by 0 is the whole number 0, which prints without a point."""
        precision = self.correct / self.extracted if self.extracted else 0
        recall = self.recalled / self.ground_truth if self.ground_truth else 0
        return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0


@dataclass(frozen=True, slots=True)
class Schemes:
    """Options of counting; each fixes a known bug."""

    modern: bool = False  # tokens, lemmas and stems by current tools; phrases without a word are dropped
    recall_of_gold: bool = False  # part-of recall counts gold phrases that contain a prediction
    require_documents: bool = False  # a gold folder without gold files is an error
    fixed: bool = False  # numbers are printed with six decimals

    def totals(self, documents: Iterable[tuple[Sequence[str], Sequence[str]]]) -> list[Totals]:
        """Count all schemes, in the order of printing, over pairs of gold phrases and predictions."""
        blocks = [[Totals(f"{matching}{title}") for matching in _MATCHINGS] for title in _TITLES]
        for gold, predicted in documents:
            for form, pair in zip(_MODERN if self.modern else _PUBLISHED, blocks, strict=True):
                entries, answers = (dict.fromkeys(map(form, phrases), (0,)) for phrases in (gold, predicted))
                if self.modern:  # an empty form is not a phrase
                    entries.pop("", None)
                    answers.pop("", None)
                equal = len(entries.keys() & answers.keys())
                within = sum(part_of(answers, entries))
                recalled = count_holding(answers, entries) if self.recall_of_gold else within
                for block, correct, in_gold in zip(pair, (equal, within), (equal, recalled), strict=True):
                    block.correct += correct
                    block.recalled += in_gold
                    block.extracted += len(answers)
                    block.ground_truth += len(entries)
        return [block for pair in blocks for block in pair]


@dataclass(slots=True)
class Evaluation:
    """One call of ``eval`` or ``evalGen``."""

    gold: str
    predicted: str  # folder of the ``.res`` files
    ending: str  # ending of the gold files, ``uncontr_in`` or ``uncontr``
    reading: Reading = field(default_factory=Reading)  # how files are found and read
    schemes: Schemes = field(default_factory=Schemes)
    warnings: list[str] = field(default_factory=list)

    def text(self, tell: Progress = lambda _done, _total: None) -> str:
        """Count the eight schemes and return the text that evalHulth2003 prints, numbers without loss."""
        paths = self.reading.documents(self.gold, self.ending)
        if not paths:
            message = f"no .{self.ending} files in {self.gold}"
            if self.schemes.require_documents:
                raise MissingData(message, "name the folder that holds the gold files")
            self.warnings.append(f"{message}: every number is 0")

        def read() -> Iterable[tuple[Sequence[str], Sequence[str]]]:
            for done, name in enumerate(paths, start=1):
                # As in the reference, the folder's name is not a pattern here, even where one matched the documents.
                gold = self.reading.gold(os.path.join(self.gold, f"{name}.{self.ending}"))  # noqa: PTH118 - fast
                yield gold, self.reading.predictions(self.predicted, name)
                tell(done, len(paths))

        lines = []
        for block in self.schemes.totals(read()):
            lines.append(f"{block.title}:\n")
            for name, value in zip(("precision", "recall", "F1"), block.values, strict=True):
                lines.append(f"\t{name}\t{f'{value:.6f}' if self.schemes.fixed else repr(value)}\n")
        return "".join(lines)


@dataclass(slots=True)
class Selection:
    """One call of ``keywords``."""

    data: str  # folder of the ``.abstr`` and ``.uncontr`` files
    results: str  # folder for the ``.uncontr_in`` files; it must exist
    reading: Reading = field(default_factory=Reading)
    require_documents: bool = False  # a folder without abstracts is an error
    warnings: list[str] = field(default_factory=list)

    def write(self, tell: Progress = lambda _done, _total: None) -> int:
        """Write a file for each abstract and return their number. Files written before an error remain."""
        paths = self.reading.documents(self.data, ABSTRACT)
        if not paths:
            message = f"no .{ABSTRACT} files in {self.data}"
            if self.require_documents:
                raise MissingData(message, "name the folder that holds the abstracts")
            self.warnings.append(f"{message}: nothing was written")
        for done, (name, path) in enumerate(paths.items(), start=1):
            gold = self.reading.gold(f"{path.removesuffix(ABSTRACT)}{GOLD}")
            present = present_phrases(self.reading.text(path), gold)
            if not Path(self.results).is_dir():
                raise MissingData(f"no folder {self.results}", "create it first; files in it are replaced")
            written = Path(os.path.join(self.results, f"{name}.{GOLD_IN}"))  # noqa: PTH118 - as the reference joins
            written.write_bytes(("; ".join(map(forms.spacy2_tokens, present)) + "\n").encode("utf-8"))
            tell(done, len(paths))
        return len(paths)


def present_phrases(text: str, gold: Sequence[str]) -> list[str]:
    """Select gold phrases whose lemmas follow each other among the text's, in their order, repeats kept."""
    lemmas = f" {forms.spacy2_lemmas.__wrapped__(' '.join(text.split()))} "
    return [phrase for phrase in gold if f" {forms.spacy2_lemmas(phrase)} " in lemmas]
