"""Files of the collection as evalHulth2003 reads them: gold between semicolons, predictions one per line, abstracts."""

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from keywright.core.errors import BadRecord, MissingData
from keywright.reading.formats import Limits

GOLD: Final = "uncontr"
GOLD_IN: Final = "uncontr_in"
ABSTRACT: Final = "abstr"
_BYTE_ORDER_MARK: Final = "\ufeff"
_MISSING_GOLD: Final = "each abstract needs its file of gold phrases beside it"
_MISSING_ANSWERS: Final = "every gold document needs one; --missing empty scores it as an empty list"


@dataclass(frozen=True, slots=True)
class Reading:
    """Options of finding and reading files; the defaults reproduce the reference.

    Attributes:
        glob_folders: brackets, stars and question marks in a folder's name are a pattern.
        strip_bom: a byte order mark at the start of a file is dropped.
        collapse_space: white space inside a prediction becomes one blank.
        skip_blank: empty lines are ignored.
        missing_empty: a missing file of predictions is an empty list; the reference fails.
    """

    glob_folders: bool = False
    strip_bom: bool = False
    collapse_space: bool = False
    skip_blank: bool = False
    missing_empty: bool = False

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
        return text.removeprefix(_BYTE_ORDER_MARK) if self.strip_bom else text
