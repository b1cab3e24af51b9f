"""Generators by name: made anew for some examples, or again from their saved values."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.errors import unknown_name
from keywright.neural.data.examples import Example
from keywright.neural.data.vocabulary import Vocabulary
from keywright.neural.decoding.exclusive_lists import HARD, Exclusion, ListLimits
from keywright.neural.models.copy_transformer import One2Seq, Size
from keywright.neural.models.exhird import ExHiRD, ExHiRDSize
from keywright.neural.models.generator import KeyphraseGenerator
from keywright.neural.models.one2set import One2Set, Slots

Files: TypeAlias = Mapping[str, str]
"""Texts that are saved beside the weights, by file name: a vocabulary, or a tokeniser."""
_VOCABULARY: Final = "vocabulary.json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of generator.

    Attributes:
        make: makes a generator with random weights from its ``config()`` and ``files()``.
        files: learns vocabulary or tokeniser from examples, with so many words or pieces at most.
        from_folder: reads a generator of the library transformers from a folder; None where it has no such kind.
    """

    make: Callable[[Mapping[str, Any], Files], KeyphraseGenerator]
    files: Callable[[Iterable[Example], int], Files]
    from_folder: Callable[[Path], KeyphraseGenerator] | None = None


def _words(examples: Iterable[Example], size: int) -> Files:
    return {_VOCABULARY: Vocabulary.of(examples, size).as_json()}


def _one2seq(config: Mapping[str, Any], files: Files) -> KeyphraseGenerator:
    return One2Seq(Vocabulary.from_json(files[_VOCABULARY]), Size(**config))


def _one2set(config: Mapping[str, Any], files: Files) -> KeyphraseGenerator:
    size = Size(**{name: value for name, value in config.items() if name != "slots"})
    return One2Set(Vocabulary.from_json(files[_VOCABULARY]), size, Slots(**config.get("slots", {})))


def _exhird(config: Mapping[str, Any], files: Files) -> KeyphraseGenerator:
    parts = {"exclusion", "limits"}
    size = ExHiRDSize(**{name: value for name, value in config.items() if name not in parts})
    exclusion, limits = Exclusion(**config.get("exclusion", asdict(HARD))), ListLimits(**config.get("limits", {}))
    return ExHiRD(Vocabulary.from_json(files[_VOCABULARY]), size, exclusion, limits)


def _bart() -> Kind:
    from keywright.neural.models.pretrained import Bart  # noqa: PLC0415 - loads transformers, which takes seconds

    return Kind(Bart.from_config, Bart.files_from, Bart.from_folder)


def _t5() -> Kind:
    from keywright.neural.models.pretrained import T5  # noqa: PLC0415 - the same

    return Kind(T5.from_config, T5.files_from, T5.from_folder)


GENERATORS: Final[Mapping[str, Callable[[], Kind]]] = {
    "bart": _bart,
    "exhird": lambda: Kind(_exhird, _words),
    "one2seq": lambda: Kind(_one2seq, _words),
    "one2set": lambda: Kind(_one2set, _words),
    "t5": _t5,
}


def kind_of(name: str) -> Kind:
    """Return the kind of generator of a name.

    Raises:
        UnknownName: there is no such generator.
    """
    if name not in GENERATORS:
        raise unknown_name("generator", name, tuple(GENERATORS), "keywright systems")
    return GENERATORS[name]()
