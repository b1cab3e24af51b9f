"""Numbers by which pages are read, in one table: ``page_numbers.txt``, each with its meaning.

They were set by hand on the training papers of SemEval-2010 and on the PDFs that ``tests/unit/reading`` reads.
``tools/checks/page_numbers.py`` moves each by a fifth and measures what becomes of the sections and the text of
labelled pages: ``docs/explanation/page-numbers.csv``. Bounds that only protect time and memory are beside their code.
"""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

from keywright.core.word_lists import read_sections


class Numbers(SimpleNamespace):
    """Numbers by name, whole ones and fractions."""

    if TYPE_CHECKING:  # whole numbers are taken for fractions as well

        def __getattribute__(self, name: str) -> int: ...


def _read_numbers(section: str) -> Numbers:
    lines = read_sections("reading/page_numbers.txt", "\n")[section].splitlines()
    pairs = (line.partition("#")[0].split(" = ") for line in lines)
    return Numbers(**{name: float(number) if "." in number else int(number) for name, number in pairs})


TEXT: Final = _read_numbers("TEXT")
PRINT: Final = _read_numbers("PRINT")
