"""Layout of the study of language identifiers: errors by length, on other texts, by language, and costs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from keywright.core.pages import Table
from keywright.experiments.study import PERCENT, Lines, group_rows, lay_out_groups, lay_out_rows
from studies.languages.identifiers import FORMER, OURS
from studies.languages.rows import Cost, Errors
from studies.languages.texts import DECLARATION

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
