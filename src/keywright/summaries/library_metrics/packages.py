"""Optional packages, and texts as these packages take them."""

import importlib
import re
from typing import Any, Final

from keywright.core.errors import MissingExtra
from keywright.summaries.texts import SummaryText

NO_REFERENCE: Final = "no reference to compare with"

_TOKEN: Final = re.compile(r"\w+|[^\w\s]")


def optional_package(module: str, evaluator: str, install: str) -> Any:
    """Return a module of an optional package.

    Args:
        module: its name.
        evaluator: the evaluator that needs it.
        install: the command line that installs the package.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        message = f"the evaluator {evaluator} needs the package {package}, which cannot be imported: {error}"
        raise MissingExtra(message, install) from error


def token_list(text: SummaryText) -> list[str]:
    """Return the tokens of a text as given, or its words and punctuation marks."""
    if text.tokens is None:
        return _TOKEN.findall(text.whole)
    return [token for sentence in text.tokens for token in sentence]
