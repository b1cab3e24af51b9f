"""Which language a collection is in: an extractor is adapted in one, with what it knows of that."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from keywright.core.errors import BadParameter
from keywright.systems.default import Default

Item = TypeVar("Item")

FIRST: Final = 50
"""Documents that tell the language of all."""


def in_language_of_most(
    system: Default, items: Iterator[Item], language_of: Callable[[Item], str | None]
) -> tuple[Default, Iterator[Item]]:
    """The system with what there is for the language of most of the first documents, and all documents.

    Args:
        system: the default extractor.
        items: documents as they come.
        language_of: language of a document; where it is not known, that of the system is taken.

    Raises:
        BadParameter: nothing was learnt for the language.
    """
    head = list(itertools.islice(items, FIRST))
    languages = Counter(language_of(item) or system.language for item in head)
    language = languages.most_common(1)[0][0] if languages else system.language
    found = system.for_language(language)
    if found is None:
        hint = "give documents in another language; --language CODE takes all for one"
        raise BadParameter(f"nothing was learnt for language {language!r} that could be adapted", hint)
    return found, itertools.chain(head, items)


def told(left_out: Counter[str]) -> str:
    """Languages with the number of their documents, in words."""
    return ", ".join(f"{language} {count}" for language, count in left_out.items())
