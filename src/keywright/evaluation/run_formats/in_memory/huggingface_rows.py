"""Rows in the layout of keyphrase data sets on Hugging Face: tokens, and extractive and abstractive keyphrases."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

_LISTED: Final = ("extractive_keyphrases", "abstractive_keyphrases")
_TAGS: Final = "doc_bio_tags"


def is_huggingface(fields: Collection[str]) -> bool:
    """Return whether the fields of a row are those of this layout."""
    return "document" in fields and not {*_LISTED, _TAGS}.isdisjoint(fields)


def all_phrases(fields: Mapping[str, Any]) -> list[Any]:
    """Return extractive, then abstractive phrases; without both, those that the tags mark."""
    lists = [_plain(fields[name]) for name in _LISTED if fields.get(name) is not None]
    if lists:
        return [phrase for phrases in lists for phrase in phrases]
    tokens, tags = _plain(fields.get("document")), _plain(fields.get(_TAGS))
    return list(_tagged(tokens, tags)) if isinstance(tokens, list) and isinstance(tags, list) else []


def text_of_tokens(value: Any) -> str:
    """Return a text of tokens; a text unchanged, and nothing for a missing value."""
    value = _plain(value)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def plain_record(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its phrases as ``keyphrases`` and its tokens as ``text``."""
    return {**fields, "keyphrases": all_phrases(fields), "text": text_of_tokens(fields.get("document"))}


def _plain(value: Any) -> Any:
    """Return the list of an array, which tables hold in place of lists."""
    return value.tolist() if hasattr(value, "tolist") else value


def _tagged(tokens: Sequence[Any], tags: Sequence[Any]) -> Iterator[str]:
    """Yield phrases of tokens: B begins one, I continues it, all else ends it."""
    phrase: list[str] = []
    for token, tag in [*zip(tokens, tags, strict=False), ("", "O")]:
        if tag != "I" and phrase:
            yield " ".join(phrase)
            phrase = []
        if tag == "B" or (tag == "I" and phrase):
            phrase.append(str(token))
