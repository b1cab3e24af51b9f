"""The task ``keywords``: gold phrases that occur in the text, which makes the collection's ``.uncontr_in`` files."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from keywright.core.errors import MissingData
from keywright.evaluation.normal_forms.hulth import spacy2_lemmas, spacy2_tokens
from keywright.evaluation.reference.hulth2003 import Progress
from keywright.evaluation.reference.hulth2003_files import ABSTRACT, GOLD, GOLD_IN, Reading


@dataclass(slots=True)
class Selection:
    """One call of ``keywords``.

    Attributes:
        data: folder of the ``.abstr`` and ``.uncontr`` files.
        results: folder for the ``.uncontr_in`` files; it must exist.
        reading: how files are found and read.
        require_documents: a folder without abstracts is an error.
        warnings: messages for the user.
    """

    data: str
    results: str
    reading: Reading = field(default_factory=Reading)
    require_documents: bool = False
    warnings: list[str] = field(default_factory=list)

    def write(self, tell: Progress = lambda _done, _total: None) -> int:
        """Write a file for each abstract and return their number. Files written before an error remain.

        Raises:
            MissingData: an abstract has no gold, the folder of results is missing, or there are no abstracts and they
                are required.
            BadRecord: a file is not valid UTF-8.
        """
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
            written.write_bytes(("; ".join(map(spacy2_tokens, present)) + "\n").encode("utf-8"))
            tell(done, len(paths))
        return len(paths)


def present_phrases(text: str, gold: Sequence[str]) -> list[str]:
    """Select gold phrases whose lemmas follow each other among the text's, in their order, repeats kept."""
    lemmas = f" {spacy2_lemmas.__wrapped__(' '.join(text.split()))} "
    return [phrase for phrase in gold if f" {spacy2_lemmas(phrase)} " in lemmas]
