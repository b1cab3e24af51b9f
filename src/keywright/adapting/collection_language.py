"""The language of a collection: an extractor is adapted in one language, with its resources for that."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from keywright.core.errors import BadParameter
from keywright.systems.default import Default

Item = TypeVar("Item")

HEAD: Final = 50
"""First documents, which decide the language of all; arbitrary."""


def in_language_of_most(
    system: Default, items: Iterator[Item], language_of: Callable[[Item], str | None]
) -> tuple[Default, Iterator[Item]]:
    """Return the system for the language of most of the first documents, and all documents.

    Args:
        system: the default extractor.
        items: documents as they come.
        language_of: language of a document; None for that of the system.

    Raises:
        BadParameter: there is no model for the language.
    """
    head = list(itertools.islice(items, HEAD))
    languages = Counter(language_of(item) or system.language for item in head)
    language = languages.most_common(1)[0][0] if languages else system.language
    localised = system.for_language(language)
    if localised is None:
        hint = "give documents in another language; --language CODE takes all for one"
        raise BadParameter(f"there is no model for language {language!r} that could be adapted", hint)
    return localised, itertools.chain(head, items)


def counted(left_out: Counter[str]) -> str:
    """Return languages with the number of their documents, in words."""
    return ", ".join(f"{language} {count}" for language, count in left_out.items())
