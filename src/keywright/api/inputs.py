"""What verbs are given, and what they make of it: names, paths and texts become systems and documents."""

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from keywright.catalogue import SYSTEMS
from keywright.core import saving
from keywright.core.documents import Document
from keywright.core.errors import UnreadableInput
from keywright.core.interfaces import Extractor
from keywright.core.interfaces import Progress as Progress  # noqa: PLC0414  (offered with what verbs are given)
from keywright.core.parameters import changed, make, parameters, parsed, takes_systems
from keywright.reading.plain import document_of_text
from keywright.reading.sources import read as read_file

Given: TypeAlias = str | Path | Document
"""A text, a file of one document, or a document."""

Chosen: TypeAlias = str | Path | Extractor
"""A system by name, by the folder of a trained one, or itself."""


def document(text: str, name: str = "text", language: str | None = None) -> Document:
    """A document of a text, with the sections that can be seen in it.

    Raises:
        EmptyInput: the text has no words.
    """
    return document_of_text(text, name, language=language)


def read(path: str | Path) -> Document:
    """The document in a file.

    Raises:
        UnreadableInput: the file cannot be read, or holds several documents, which ``read_all`` takes.
    """
    found = list(itertools.islice(read_file(path), 2))
    if len(found) > 1:
        raise UnreadableInput(f"{path} holds several documents", "kw.read_all gives them one by one")
    return found[0]


def system(name: str | Path, **given: Any) -> Extractor:
    """A system by name, with parameters, or a trained one by its folder.

    Where a parameter takes systems, their names and folders do, too.

    Raises:
        UnknownName: there is none of this name.
        BadParameter: a parameter is unknown or has a value of another type.
    """
    if str(name) not in SYSTEMS.own and ("/" in str(name) or Path(name).is_dir()):
        trained = load(name)
        return changed(trained, _with_systems(type(trained), given), trained.name)
    kind = SYSTEMS.find(str(name))
    made: Extractor = make(kind, _with_systems(kind, given), str(name))
    return made


def parametrised(name: str, texts: Mapping[str, str]) -> Extractor:
    """A system with parameters given as texts, as on a command line.

    Raises:
        BadParameter: a parameter is unknown, or its text is no value of its type.
    """
    chosen = system(name)
    return changed(chosen, parsed(type(chosen), texts, chosen.name, system), chosen.name)


def _with_systems(kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with systems in place of their names, for those that take systems."""
    taking = {parameter.name for parameter in parameters(kind) if takes_systems(parameter)}
    return {name: _systems(value) if name in taking else value for name, value in given.items()}


def _systems(value: Any) -> Any:
    """A system for each name; several in any sequence are a tuple."""
    return tuple(map(_systems, value)) if isinstance(value, list | tuple) else system_of(value)


def load(folder: str | Path) -> Extractor:
    """A trained system from the folder that ``train`` wrote.

    Raises:
        MissingData: there is none.
        BrokenFile: it is damaged, or made of code that is not installed.
    """
    loaded: Extractor = saving.load(Path(folder), SYSTEMS.packages())
    return loaded


def system_of(given: Chosen) -> Extractor:
    """A system, however it was given."""
    return system(given) if isinstance(given, (str, Path)) else given


def document_of(given: Given) -> Document:
    """A document, however it was given."""
    if isinstance(given, str):
        return document(given)
    return read(given) if isinstance(given, Path) else given
