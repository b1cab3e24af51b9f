"""One folder of which files may be read, and nothing outside."""

from dataclasses import dataclass
from pathlib import Path

from keywright.core.errors import KeywrightError, MissingData, TooLarge, UnreadableInput


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """A folder whose files an assistant may name.

    Attributes:
        folder: absolute, with all links resolved.
        most_bytes: size of the largest file.
    """

    folder: Path
    most_bytes: int

    def file(self, name: str) -> Path:
        """Return the file of a name, which is a path within the folder, with all links resolved.

        Names that lead outside, also by links, get the same error whether or not something is there.

        Raises:
            UnreadableInput: the name leads outside, or is not the name of a file.
            MissingData: nothing in the folder has this name.
            TooLarge: the file has more bytes than ``most_bytes``.
        """
        try:
            path = (self.folder / name).resolve()
            if not path.is_relative_to(self.folder):
                raise _outside(name)
            size, is_file = path.stat().st_size, path.is_file()
        except FileNotFoundError:
            raise MissingData(f"no file {name!r:.100}", "name a file by its path within the folder") from None
        except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a null character, too long a name
            if isinstance(error, KeywrightError):
                raise
            raise UnreadableInput(f"{name!r:.100} cannot be opened", "name a file within the folder") from None
        if not is_file:
            raise UnreadableInput(f"{name!r:.100} is not a file", "name one file; folders are not listed")
        if size > self.most_bytes:
            message = f"{name!r:.100} has {size:,} bytes; at most {self.most_bytes:,} are read"
            raise TooLarge(message, "split it, or ask whoever runs the server to raise --max-bytes")
        return path


def _outside(name: str) -> UnreadableInput:
    hint = "name a file by its path within the folder that --root opened"
    return UnreadableInput(f"{name!r:.100} is outside the folder that may be read", hint)
