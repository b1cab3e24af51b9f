"""Lists of phrases as language models write them: JSON, also damaged or inside prose, bullets, numbers, commas, tables.

A model that is asked for JSON may write a fence around it, thoughts before it, reasons beside each phrase, or stop in
the middle. All that can be read as a phrase is taken in the order of writing; what cannot is counted, not guessed.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from keywright.core.word_lists import read_patterns
from keywright.reading.phrase_lists import LONGEST

MOST_PHRASES: Final = 200  # phrases that are taken of one answer; a degenerate answer repeats without end. Arbitrary
_MOST_CHARACTERS: Final = 100_000  # characters of an answer that are read; arbitrary
_MOST_STARTS: Final = 20
"""Brackets of an answer at which JSON is looked for; arbitrary, a bound on the work for hostile answers."""
_MOST_WORDS: Final = 12  # words of a phrase; longer items are sentences. The longest keyphrase of Inspec has ten
_FEWEST_WORDS: Final = 6
"""Words above which a line that ends like a sentence, with at most one comma, is one; arbitrary."""
_KEYS: Final = ("keyphrase", "phrase", "keyword", "term", "label", "text", "name", "topic", "tag", "concept")
_WORDS: Final = re.compile(r"(?!.*<[^<>]*>).*[^\W_].*")  # a text with a letter or digit, and without tags of markup
_THOUGHTS: Final = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)|<\|\w+\|>", re.DOTALL | re.IGNORECASE)
_FENCE: Final = re.compile(r"```[a-z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:\s*(?="))?(\s*:)?')
"""A complete JSON string; the second group is there for a key of a string, the third for another key."""
_BULLET: Final = re.compile(read_patterns("reading/patterns.txt")["BULLETS"])
_NUMBER_IN_LINE: Final = re.compile(r"[,;.]?\s+(?=\(?\d{1,2}[.)]\s)")
"""White space before the next number of a list in one line."""
_HEAD: Final = re.compile(read_patterns("reading/patterns.txt")["LIST_HEADS"], re.IGNORECASE)
_NOTHING: Final = re.compile(r"\W*(?:none|null|n/?a|no key ?-?(?:phrases|words)(?: found)?)?\W*", re.IGNORECASE)
_REFUSAL: Final = re.compile(read_patterns("reading/patterns.txt")["REFUSALS"], re.IGNORECASE)
_BOLD: Final = re.compile(r"(\*\*|__|`)(.+?)\1")
_REMARK: Final = re.compile(r"(?::\s| [-–—] | ?\((?:score|confidence|relevance)?[: ]{0,2}[01]?\.?\d*\)?$).*")
_SEPARATORS: Final = (";；", "|\t", ",，、،")


class ModelList(NamedTuple):
    """Phrases in the order of writing, repeats included, and the number of items that are not phrases."""

    phrases: tuple[str, ...]
    dropped: int = 0


def parse_model_list(answer: str) -> ModelList:
    """Return the phrases of a language model's answer."""
    text = _THOUGHTS.sub("", answer[:_MOST_CHARACTERS]).strip()
    if _NOTHING.fullmatch(text) or _REFUSAL.match(text):
        return ModelList(())
    if fenced := _FENCE.search(text):
        text = fenced[1].strip() or text
    items = _read_json(text)
    phrases: list[str] = []
    dropped = 0
    for item in _read_lines(text) if items is None else items:
        phrase = " ".join(item.split()).strip("\"'“”‘’«»*_`.,;:[] ")
        if len(phrase.split()) <= _MOST_WORDS and len(phrase) <= LONGEST and _WORDS.fullmatch(phrase):
            phrases.append(phrase)
        else:
            dropped += bool(phrase)
    return ModelList(tuple(phrases[:MOST_PHRASES]), dropped + len(phrases[MOST_PHRASES:]))


def has_marks(answer: str) -> bool:
    """Return whether a text has marks of a language model's list, beside separators that lists in any file have."""
    text, lines = answer.strip(), answer.strip().splitlines()
    if text[:1] in ("[", "{") or any(mark in text for mark in ("<think", "```", '["', '{"', "|--", "| --")):
        return True
    if any(map(_HEAD.match, lines[:1])) or _REFUSAL.match(text):
        return True
    return sum(map(bool, map(_BULLET.match, lines))) > len(lines) / 3  # bullets with reasons on two lines below each


def is_bullet(text: str) -> bool:
    """Return whether a text is one line behind a bullet or a number, as a phrase such as *- 0* may be."""
    return _BULLET.fullmatch(text) is not None


def _read_json(text: str) -> list[str] | None:
    """Return the texts of the first JSON list in an answer, complete or not; None where there is none."""
    starts = [match.start() for match in re.finditer(r"[\[{]", text)][:_MOST_STARTS]
    lists: list[list[str]] = []
    for start in starts:
        try:
            value, end = json.JSONDecoder().raw_decode(text, start)
            items = list(_list_texts(value))
            while start == starts[0] and text[end:].lstrip()[:1] == "{":  # an object on each line
                following, end = json.JSONDecoder().raw_decode(text, text.index("{", end))
                items += _list_texts(following)
        except (ValueError, RecursionError):
            continue
        if start == starts[0] and (items or isinstance(value, dict) or not value):
            return items
        lists.append(items)
    if starts and text.startswith("['"):  # a list as Python prints it
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return list(_list_texts(ast.literal_eval(text[: text.rfind("]") + 1])))
    # JSON that was cut, or has a sign too many: its complete strings, those under the keys of phrases if there are any.
    keyed: list[str] = []
    plain: list[str] = []
    key = None
    for match in _STRING.finditer(text, starts[0]) if starts else ():
        if match[2] is None and match[3] is None:
            (plain if key is None else keyed if key.casefold() in _KEYS else []).append(match[1])
        key = match[1] if match[2] else None
    lists.append(list(map(_unescape, keyed or plain)))
    return max(lists, key=len) or None


def _unescape(string: str) -> str:
    try:
        return str(json.loads(f'"{string}"', strict=False))
    except ValueError:
        return string


def _list_texts(value: Any) -> Iterator[str]:
    """Yield the phrases of a JSON value: of lists, of objects with a phrase each, of objects that hold lists."""
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list | dict)]
        texts = [item for item in value.values() if isinstance(item, str)]
        named = next((value[key] for key in value if key.casefold() in _KEYS and isinstance(value[key], str)), None)
        if lists:
            value = [item for each in lists for item in (each if isinstance(each, list) else [each])]
        elif named is not None:
            value = [named]
        else:  # numbers of phrases, or a score for each
            value = texts or [key for key, item in value.items() if isinstance(item, int | float)]
            value = [item for text in value for item in _split_line(text)]
    if isinstance(value, list):
        for item in value:
            if isinstance(item, str):
                yield item
            elif isinstance(item, dict):
                yield from _list_texts(item)
            elif isinstance(item, list) and item and isinstance(item[0], str):
                yield item[0]


def _read_lines(text: str) -> list[str]:
    """Return the items of an answer without JSON: bullets where there are any, else the parts of its lines."""
    lines: list[str] = []
    if _BULLET.match(text) and "\n" not in text:
        text = _NUMBER_IN_LINE.sub("\n", text)
    for line in text.splitlines():
        if re.fullmatch(r"[\s|:+-]+", line) and "|" in line:
            lines = lines[:-1]  # the head of a table, above its rule
        elif line.strip():
            lines.append(line)
    bullets = [match for match in map(_BULLET.match, lines) if match]
    if bullets:
        return list(_clean_bullets(bullets))
    starts = [head.end() if (head := _HEAD.match(line)) else 0 for line in lines]
    return [item for line, start in zip(lines, starts, strict=True) for item in _split_line(line[start:])]


def _clean_bullets(bullets: Iterable[re.Match[str]]) -> Iterator[str]:
    """Yield the phrases of bullets: those below another one explain it, unless it is a heading."""
    outer: int | None = None  # indentation of the last phrase; None below a heading
    for bullet in bullets:
        depth, item = len(bullet[1]), bullet[2]
        head = _HEAD.match(item)
        if outer is not None and depth > outer and not head:
            continue
        is_heading = head is not None or item.rstrip(" *_").endswith(":")
        outer = None if is_heading else depth
        if head:
            yield from _split_line(item[head.end() :])
        elif bold := _BOLD.match(item):
            yield from () if is_heading else (bold[2],)
        elif not is_heading:  # without its explanation
            plain = " ".join(item.split())
            yield _REMARK.sub("", plain) or plain


def _split_line(line: str) -> Iterable[str]:
    """Return the parts of a line; none for sentences and headings."""
    line = line.strip()
    if quoted := re.fullmatch(r'"[^"]+"(?:\s*[,;]\s*"[^"]+")+\.?', line):
        return re.findall(r'"([^"]+)"', quoted[0])
    separators = next((signs for signs in _SEPARATORS if any(sign in line for sign in signs)), "")
    parts = re.split(f"[{re.escape(separators)}]", line) if separators else [line]
    if line.endswith(":") or (line.endswith((".", "!", "?")) and len(parts) <= 2 and len(line.split()) > _FEWEST_WORDS):  # noqa: PLR2004
        return ()
    if separators == "|\t":  # a row of a table, whose other cells are its number and score
        return [next((cell for cell in parts if re.search(r"[^\W\d_]", cell)), "")]
    return [re.sub(r"^\s*(?:and|und|y|et|e)\s+", "", part) for part in parts] if len(parts) > 1 else parts
