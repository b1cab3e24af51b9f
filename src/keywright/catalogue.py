"""Systems, protocols and tables by name; each is imported when asked for.

Each name has a ``module:thing``. Other packages add things with entry points of the shelf's group, such as
``[project.entry-points."keywright.systems"]``; these are looked up for names that are not built in, and for lists.
"""

import importlib
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Final

from keywright.core.errors import MissingExtra, UnknownName, unknown_name
from keywright.core.interfaces import needs_of
from keywright.core.signatures import explain_parameters, list_parameters, sign_fields
from keywright.core.word_lists import read_sections
from keywright.experiments.semeval2010_records import list_known_scores
from keywright.neural.systems import SYSTEMS as GENERATORS


@dataclass(frozen=True, slots=True)
class Shelf:
    """Things of one kind, by name.

    ``group``: group of entry points that add to it; ``built_in``: ``module:thing`` by name.
    """

    kind: str
    group: str
    listing: str
    built_in: Mapping[str, str]

    def names(self) -> tuple[str, ...]:
        """Return all names: built-in ones in their order, then those of other packages in alphabetical order."""
        return (*self.built_in, *sorted(self._others().keys() - self.built_in.keys()))

    def find(self, name: str) -> Any:
        """Return the thing of a name. Other packages cannot replace built-in ones."""
        if name in self.built_in:
            module, _, thing = self.built_in[name].partition(":")
            return getattr(importlib.import_module(module), thing)
        others = self._others()
        if name not in others:
            raise self.unknown(name)
        point = others[name]
        try:
            return point.load()
        except Exception as error:  # any error is reported as one of the other package
            package = point.dist.name if point.dist else point.module
            message = f"{self.kind} {name!r} of package {package} does not load: {type(error).__name__}: {error}"
            raise MissingExtra(message, f"`pip install --upgrade {package}`, or remove the package") from error

    def unknown(self, name: str) -> UnknownName:
        """Return the error for an unknown name, with the nearest existing name."""
        return unknown_name(self.kind, name, self.names(), self.listing)

    def packages(self) -> frozenset[str]:
        """Return the top-level packages of all things."""
        return frozenset({"keywright", *(point.module.partition(".")[0] for point in self._others().values())})

    def _others(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self.group)}


def _list_things(section: str) -> dict[str, str]:
    """Return names of a section of the list, and their modules with the things."""
    lines = map(str.split, read_sections("catalogue.txt", "\n")[section].splitlines())
    words = ((module, *word.partition(":")[::2]) for module, *names in lines for word in names)
    return {name: f"keywright.{module}:{thing or name.upper().replace('-', '_')}" for module, name, thing in words}


_OTHER_SYSTEMS: Final = {**GENERATORS, "vote": "keywright.ensembles.voting:Vote"}
SYSTEMS: Final = Shelf(
    "system", "keywright.systems", "keywright systems", MappingProxyType(_list_things("SYSTEMS") | _OTHER_SYSTEMS)
)

EXTRACTORS: Final = tuple(name for name in SYSTEMS.built_in if name not in {*GENERATORS, "llm"})
"""Systems that choose phrases of the text; the others generate, and run only when trained or with an address."""

CONCEPT_SYSTEMS: Final = Shelf(
    kind="system of concepts", group="keywright.concept_systems", listing="keywright systems",
    built_in=MappingProxyType({"subject": "keywright.extraction.subjects.subject_ranker:SubjectRanker"}),
)  # fmt: skip
"""Systems that rank the concepts of a vocabulary, and only after they were trained for it."""

PROTOCOLS: Final = Shelf(
    "protocol", "keywright.protocols", "keywright protocols", MappingProxyType(_list_things("PROTOCOLS"))
)
TABLES: Final = Shelf(
    "table", "keywright.tables", "keywright reproduce --list", MappingProxyType(_list_things("TABLES"))
)


def system_class(name: str) -> Any:
    """Return the class of a system; a module-level function, so that it pickles."""
    shelf = CONCEPT_SYSTEMS if name in CONCEPT_SYSTEMS.built_in else SYSTEMS
    return shelf.find(name)


def describe_system(name: str) -> dict[str, Any]:
    """Return the description of a system, as JSON values.

    Raises:
        UnknownName: there is no such system.
    """
    kind = system_class(name)
    meanings = explain_parameters(kind)
    rows = [
        {
            "name": each.name,
            "takes": each.kind,
            "default": None if each.required else getattr(each.default, "__name__", None) or str(each.default),
            "meaning": meanings.get(each.name, ""),
        }
        for each in list_parameters(kind)
    ]
    trainable, needs = hasattr(kind, "fit") or name in {*GENERATORS, *CONCEPT_SYSTEMS.built_in}, sorted(needs_of(kind))
    # The class describes the system, or its module does where the class has but its idea and a table of parameters.
    described, module = (inspect.cleandoc(text or "") for text in (kind.__doc__, sys.modules[kind.__module__].__doc__))
    idea, more = (described or module).partition("\n")[::2]
    about = described if more and "  " not in more.strip().partition("\n")[0] else module or described
    description = {"name": name, "idea": idea, "about": about, "needs": needs, "trainable": trainable}
    return {**description, "parameters": rows, "scores": list(list_known_scores(name))}


def describe_protocol(name: str) -> dict[str, Any]:
    """Return a protocol's rules and signature, as JSON values.

    Raises:
        UnknownName: there is no such protocol.
    """
    protocol = PROTOCOLS.find(name)
    return {"name": name, "signature": protocol.signature, "unit": protocol.unit.value, "rules": sign_fields(protocol)}
