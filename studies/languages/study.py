"""Layout of the study of language identifiers: errors by length, on other texts, by language, and costs.

Language identifiers side by side: errors by length of text, on English that resembles none, time and size.

Codes of a macrolanguage count as one language: Bosnian, Croatian and Serbian, and the two written forms of Norwegian.
"""

import importlib.metadata
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.experiments.study import PERCENT, Lines, Study, lay_out_groups, run_units
from studies.languages.identifiers import FORMER, IDENTIFIERS, OURS, loaded
from studies.languages.texts import DECLARATION, Cost, Errors, Sample, samples
from studies.tables import group_rows, lay_out_rows, list_uniform_records

_NOTES: Final = (
    "first: percent of texts taken for another language; in brackets: for none",
    "Bosnian, Croatian and Serbian count as one language, as do the two written forms of Norwegian",
)
_TIMED: Final = ("English: abstracts", "English: papers")


def sheets(rows: Sequence[Any]) -> Iterator[Table]:
    """Yield the tables."""
    errors = [row for row in rows if isinstance(row, Errors)]
    declared = [row for row in errors if row.texts == DECLARATION]
    lengths = list(dict.fromkeys(str(row.length) for row in declared))
    together = [row for row in declared if row.language is None]
    caption = "Parts of the Universal Declaration of Human Rights in 42 languages, by length in characters"
    yield _by_identifier(f"{caption}.", together, lengths, _shares)
    yield _by_identifier(f"{caption}: percent taken for English.", together, lengths, _as_english, notes=False)
    others = [row for row in errors if row.texts != DECLARATION]
    names = dict.fromkeys(row.identifier for row in others)
    lines = group_rows(others, lambda row: (row.texts,), lambda row: row.identifier)
    cells: Lines = {line: {name: _shares(row) for name, row in by_name.items()} for line, by_name in lines.items()}
    yield lay_out_groups("Other texts.", ("texts",), cells, list(names), _NOTES[:1])
    for name in (FORMER, OURS):
        of_name = [row for row in declared if row.language and row.identifier == name]
        by_language = group_rows(of_name, lambda row: (str(row.language),), lambda row: str(row.length))
        texts: Lines = {
            line: {key: _shares(row) for key, row in by_length.items()} for line, by_length in by_language.items()
        }
        yield lay_out_groups(f"{caption}: {name}.", ("language",), texts, lengths, _NOTES)
    yield _costs(errors, [row for row in rows if isinstance(row, Cost)])


def _by_identifier(
    caption: str, rows: Sequence[Errors], lengths: Sequence[str], cell: Any, *, notes: bool = True
) -> Table:
    lines = group_rows(rows, lambda row: (row.identifier,), lambda row: str(row.length))
    cells: Lines = {line: {length: cell(row) for length, row in by_length.items()} for line, by_length in lines.items()}
    return lay_out_groups(caption, ("identifier",), cells, lengths, _NOTES if notes else ())


def _shares(row: Errors) -> str:
    return f"{PERCENT * row.wrong:.1f} ({PERCENT * row.undecided:.1f})"


def _as_english(row: Errors) -> str:
    return f"{PERCENT * row.english:.1f}"


def _costs(errors: Sequence[Errors], costs: Sequence[Cost]) -> Table:
    times = {(row.identifier, row.texts): row.microseconds for row in errors if row.texts in _TIMED}
    columns = {
        "identifier": lambda row: row.identifier,
        "abstract, us": lambda row: f"{times[row.identifier, _TIMED[0]]:.0f}",
        "paper, us": lambda row: f"{times[row.identifier, _TIMED[1]]:.0f}",
        "load, s": lambda row: f"{row.seconds:.2f}",
        "size, MB": lambda row: f"{row.megabytes:.1f}",
        "licence": lambda row: row.licence,
        "released": lambda row: row.released,
    }
    notes = (
        "processor time; load: import and one sentence, in a process that has numpy",
        "size: of files that the rest of keywright does not need",
    )
    return lay_out_rows("Costs.", costs, columns, ("identifier", "licence", "released"), notes)


_SAME: Final = {
    **dict.fromkeys(("nb", "nn"), "no"),
    **dict.fromkeys(("bs", "hr", "sr"), "sh"),
    **dict.fromkeys(("wuu", "yue"), "zh"),
    "arz": "ar",
    "iw": "he",
}
"""Codes that count as another one."""
_BYTES: Final = 1e6  # bytes of a megabyte
_MICRO: Final = 1e6  # microseconds of a second
_LOADING: Final = """
import sys, time
import numpy, keywright.text.languages
from studies.languages.identifiers import loaded
start = time.process_time()
loaded(sys.argv[1], tuple(sys.argv[2:]))("A sentence in English, which is read to see whether all has been loaded.")
print(time.process_time() - start)
"""

Answer: TypeAlias = tuple[str | None, float]  # an identifier's answer, and the seconds that it took


def rows(
    *, progress: Progress | None = None, mirror: Path | None = None, jobs: int | None = None
) -> tuple[Errors | Cost, ...]:
    """Let every identifier read all texts.

    Raises:
        MissingData: the texts are not on this machine.
        MissingExtra: an identifier is not installed.
    """
    texts = samples(mirror)
    units = [(name, texts) for name in IDENTIFIERS]
    return tuple(row for _, unit_rows in run_units(evaluate, units, progress, jobs) for row in unit_rows)


def evaluate(unit: tuple[str, Sequence[Sample]]) -> tuple[Errors | Cost, ...]:
    """Return the errors of an identifier by kind of text and length, and its cost.

    Errors of ours and of the former rule on the declaration are also returned by language.
    """
    name, texts = unit
    codes = tuple(sorted({sample.language for sample in texts}))
    identify = loaded(name, codes)
    identify("A sentence to load what is loaded late.")
    by_kind: defaultdict[tuple[str, int | None, str | None], list[tuple[str, Answer]]] = defaultdict(list)
    for sample in texts:
        start = time.process_time()
        code = identify(sample.text)
        answer = (sample.language, (code, time.process_time() - start))
        by_kind[sample.group, sample.length, None].append(answer)
        if sample.group == DECLARATION and name in {FORMER, OURS}:
            by_kind[sample.group, sample.length, sample.language].append(answer)
    errors = (_errors(name, kind, answers) for kind, answers in by_kind.items())
    return (*errors, _cost(name, codes))


def _errors(name: str, kind: tuple[str, int | None, str | None], answers: Sequence[tuple[str, Answer]]) -> Errors:
    number = len(answers)
    pairs = [(_same(language), code and _same(code)) for language, (code, _) in answers]
    return Errors(
        identifier=name,
        texts=kind[0],
        length=kind[1],
        language=kind[2],
        number=number,
        wrong=sum(code not in {language, None} for language, code in pairs) / number,
        undecided=sum(code is None for _, code in pairs) / number,
        english=sum(code == "en" != language for language, code in pairs) / number,
        microseconds=_MICRO * sum(seconds for _, (_, seconds) in answers) / number,
    )


def _same(code: str) -> str:
    """Return the code that a code counts as; subtags of script and region are left out."""
    language = code.lower().partition("-")[0]
    return _SAME.get(language, language)


def _cost(name: str, codes: Sequence[str]) -> Cost:
    identifier = IDENTIFIERS[name]
    command = [sys.executable, "-c", _LOADING, name, *codes]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - this project's own program
    megabytes = sum(size for package in identifier.packages for size in _sizes(package)) / _BYTES
    return Cost(name, float(done.stdout), megabytes, identifier.licence, identifier.released)


def _sizes(package: str) -> Iterator[int]:
    """Yield the sizes of a distribution's files, without those that Python compiles."""
    for file in importlib.metadata.files(package) or ():
        path = Path(str(file.locate()))
        if path.is_file() and path.suffix != ".pyc":
            yield path.stat().st_size


STUDY: Final = Study("languages", rows, (Errors, Cost), sheets, lines=list_uniform_records)
