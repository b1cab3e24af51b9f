"""Names of files and addresses in the place of texts: recognised, so that no name is read as if it were a text."""

from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from keywright.core.errors import EmptyInput, MissingData, UnreadableInput
from keywright.core.word_lists import read_sections
from keywright.reading.formats import BY_NAME, REFUSED
from keywright.reading.limits import Limits

_LONGEST_PATH: Final = 4_096  # characters of the longest path on Linux (PATH_MAX); a longer text is not a name
_SHOWN: Final = 60  # characters of a long text that a message shows; arbitrary
_SIMILAR: Final = 0.75  # least similarity of a name that is suggested, as ``difflib`` measures it; arbitrary
_ADDRESSES: Final = ("http://", "https://", "ftp://", "file://", "s3://", "gs://", "www.")
_PATH_STARTS: Final = ("/", "./", "../", "~/", "\\\\")
_OTHER_ENDINGS: Final = frozenset(read_sections("reading/file_types.txt")["OTHER_ENDINGS"].split())
ENDINGS: Final = frozenset(ending for form in BY_NAME.values() for ending in form.extensions) | REFUSED.keys()
"""Endings of documents: those of the formats that are read, and of those that are refused by name."""


def shorten(text: str) -> str:
    """Return the beginning of a text for a message, with an ellipsis where it is cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else f"{flat[: _SHOWN - 1].rstrip()}…"


def is_address(text: str) -> bool:
    """Return whether a text is an address on the network and nothing else."""
    return len(text.split(None, 1)) == 1 and text.lower().startswith(_ADDRESSES)


def path_exists(name: str | Path) -> bool:
    """Return whether a file or folder has this name; False for texts that cannot be names."""
    try:
        return bool(str(name)) and Path(name).exists()
    except (OSError, ValueError):  # too long for a name, or with a null character
        return False


def names_file(text: str) -> bool:
    """Return whether a text is the name of a file: of one that exists, or like those of files.

    A text of several words is a name only if it exists or begins like a path; of one word, also if it has the ending
    of a file, as ``report.md`` and ``node.js`` have.
    """
    name = text.strip()
    if not name or len(name) > _LONGEST_PATH or "\n" in name or "\r" in name:
        return False
    if path_exists(name) and ("/" in name or "\\" in name or not Path(name).is_dir()):
        return True  # a folder only where the name is written as a path
    ending = _ending(name)
    if len(name.split()) > 1:
        return name.startswith(_PATH_STARTS) and ending in ENDINGS
    return ending in ENDINGS or ending in _OTHER_ENDINGS


def check_text(text: str, *, is_cell: bool = False) -> None:
    """Raise ``UnreadableInput`` for the name of a file or folder, or an address, in the place of a text.

    ``is_cell``: whether it is one of many short texts, some of which may be words that folders have as names.
    """
    if is_address(text.strip()):
        message = f"{shorten(text)!r} is an address, and nothing is downloaded"
        raise UnreadableInput(
            message, "save the page and read the file, or get its text with a tool of your choice and pass the text"
        )
    name = text.strip()
    as_text = f"for the text: kw.document({name!r})"
    if not is_cell and path_exists(name) and Path(name).is_dir():
        hint = f"for its files: kw.extract(kw.read_all({name!r})); {as_text}"
        raise UnreadableInput(f"{shorten(text)!r} is the name of a folder, and is not a text", hint)
    folder, slash, _ = name.replace("\\", "/").rpartition("/")  # a path from the root or here, or in a known folder
    is_path = bool(slash) and not is_cell and len(name.split(None, 1)) == 1
    if (is_path and (name.startswith(_PATH_STARTS) or path_exists(folder))) or names_file(text):
        state, near = "is the name of a file", None
        if not path_exists(name):
            state, near = "looks like the name of a file, which does not exist", _find_nearest(Path(name))
        hint = f"for the file: kw.extract(kw.read({near or name!r})) or a pathlib.Path; {as_text}"
        hint = f"did you mean {near!r}? {hint}" if near else hint
        raise UnreadableInput(f"{shorten(text)!r} {state}, and is not a text", hint)


def explain_missing(name: str) -> tuple[str, str]:
    """Return message and hint for a name that no file has: an address, a text, or a mistyped name."""
    if is_address(name.strip()):
        hint = "save it first: curl -sL ADDRESS -o page.html, then pass page.html"
        return f"{shorten(name)!r} is an address, and nothing is downloaded", hint
    message = f"no file {shorten(name)!r}"
    with suppress(OSError, ValueError):  # too long for a name, or with a null character
        if Path(name).is_symlink():
            target = shorten(str(Path(name).readlink()))
            return f"{message}: it is a link to {target!r}, which is not there", "check the link"
    if len(name) > _LONGEST_PATH or (len(name.split()) > 1 and _ending(name) not in ENDINGS):
        return message, "for a text: `keywright extract -` reads standard input; in Python kw.extract(text)"
    near = _find_nearest(Path(name))
    return message, f"did you mean {near!r}?" if near else "check the path"


def read_bytes(path: Path, name: str, limits: Limits) -> bytes:
    """Return the content of a regular file that is neither empty nor above the limits."""
    try:
        limits.check_file(path.stat().st_size, name)
        if not path.is_file():
            raise UnreadableInput(f"{name} is not a regular file", "name a file, or a folder of files")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise MissingData(*explain_missing(str(path))) from error
    except OSError as error:
        raise UnreadableInput(f"{name} cannot be opened: {error.strerror or error}", "check its permissions") from error
    if not data:
        raise EmptyInput(f"{name} is an empty file", "give a file with at least one word")
    return data


def _find_nearest(path: Path) -> str | None:
    """Return the most similar name of a file or folder in the same folder, as a path; None if none is similar."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except (OSError, ValueError):
        return None
    near = get_close_matches(path.name, names, n=1, cutoff=_SIMILAR)
    return path.with_name(near[0]).as_posix() if near else None


def _ending(name: str) -> str:
    """Return the ending of a file's name in lower case; empty for a name of an ending alone."""
    path = Path(name.replace("\\", "/"))
    return path.suffix.lower() if path.stem.strip(".") else ""
