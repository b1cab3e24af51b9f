"""A summary with the texts that it is compared with: their forms, their languages, and files of them."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Final

from keywright.core.errors import BadRecord
from keywright.core.json_values import check_list, check_number, check_object, check_text, check_texts
from keywright.reading.language_identification import check_declared, detect_language
from keywright.text.analyser import split_sentences

_SAMPLE: Final = 500  # characters of a text that its script is read from; arbitrary


@dataclass(frozen=True, eq=True)
class SummaryText:
    """One text of an evaluation."""

    whole: str  # the text as one string: as given, or its sentences on lines of their own, tokens joined by blanks
    given_sentences: tuple[str, ...] | None = None  # sentences, where the text came in sentences; else None
    # Tokens of each sentence, where the text came in tokens; else None. Evaluators use them as they are.
    tokens: tuple[tuple[str, ...], ...] | None = None
    language: str | None = None  # ISO 639-1 code; None if unknown

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Sentences: as given, else the lines of a text that has line breaks, else as the splitter finds them."""
        if self.given_sentences is not None:
            return self.given_sentences
        if "\n" in self.whole:
            return tuple(line.strip() for line in self.whole.splitlines() if line.strip())
        return split_sentences(self.whole, self.language)

    @property
    def empty(self) -> bool:
        """True if no character is a letter or a digit."""
        return not any(map(str.isalnum, self.whole))

    @classmethod
    def from_json(cls, value: Any, place: str, language: str | None = None) -> "SummaryText":
        """Return the text of a string, a list of sentences, or lists of tokens; else raises ``BadRecord``."""
        if isinstance(value, str):
            return cls(value, language=language)
        with suppress(TypeError):
            if any(isinstance(item, list) for item in check_list(value, place)):
                tokens = tuple(check_texts(sentence, place) for sentence in value)
                sentences = tuple(map(" ".join, tokens))
                return cls("\n".join(sentences), sentences, tokens, language)
            return cls("\n".join(check_texts(value, place)), tuple(value), language=language)
        hint = "expected a string, a list of sentences, or a list of lists of tokens"
        raise BadRecord(f"{place} is {value!r:.60}", hint)


_PAIR_FORM: Final = 'expected {"id": topic, "system": name, "summary": TEXT, "references": [TEXT, …]}'


@dataclass(frozen=True)
class Pair:
    """One summary of one topic, and what it is judged by."""

    id: str  # the topic, or source document; summaries of several systems share it
    system: str
    summary: SummaryText
    # Summaries by people, without one that the summariser itself wrote. May be empty beside a source.
    references: tuple[SummaryText, ...] = ()
    own_reference: bool = False  # True if one of the references given was the summariser's own, which is left out
    source: SummaryText | None = None
    human: Mapping[str, float] = field(default_factory=dict)  # scores that people gave, by protocol
    notes: tuple[str, ...] = ()  # oddities of the texts, for people

    def reference_sets(self, *, jackknife: bool) -> tuple[tuple[SummaryText, ...], ...]:
        """Return the sets of references whose scores are averaged: with ``jackknife`` each left out in turn."""
        if not jackknife or self.own_reference or len(self.references) < 2:  # noqa: PLR2004 - none left otherwise
            return (self.references,)
        return tuple(self.references[:at] + self.references[at + 1 :] for at in range(len(self.references)))


def parse_pair(record: Mapping[str, Any]) -> Pair:
    """Return the pair of one JSON object; raises ``BadRecord`` if a key is missing or has the wrong type."""
    try:
        names = {key: record.get(key) for key in ("id", "system")}
        for key, value in names.items():
            if not isinstance(value, (str, int)) or isinstance(value, bool) or value == "":
                raise BadRecord(f'"{key}" is {value!r:.60}', _PAIR_FORM)
        topic, system = map(str, names.values())
        written, source, language = map(record.get, ("references", "source", "language"))
        if language is not None:
            language = check_declared(check_text(language, "language"))
        if written is None and source is None:
            raise BadRecord('neither "references" nor "source"', _PAIR_FORM)
        if not isinstance(written, list | None):
            raise BadRecord(f'"references" is {written!r:.60}', "expected a list of texts")
        references = [SummaryText.from_json(value, "a reference", language) for value in written or ()]
        authors = check_texts(record.get("reference_authors") or [], "reference_authors")
        if authors and len(authors) != len(references):
            raise BadRecord(f"{len(authors)} authors of {len(references)} references", "name one author for each")
        human = check_object(record.get("human") or {})
        return Pair(
            topic,
            system,
            SummaryText.from_json(record.get("summary"), '"summary"', language),
            tuple(item for at, item in enumerate(references) if not authors or authors[at] != system),
            system in authors,
            None if source is None else SummaryText.from_json(source, '"source"', language),
            {name: check_number(value, f"human score {name}") for name, value in human.items()},
        )
    except TypeError as error:
        raise BadRecord(str(error), _PAIR_FORM) from error


def keep_distinct_pairs(pairs: Iterable[Pair]) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """Return the first pair of each topic and system, and notes for people on repeats and gaps."""
    first: dict[tuple[str, str], Pair] = {}
    repeated = (pair for pair in pairs if first.setdefault((pair.id, pair.system), pair) is not pair)
    repeats = [f"{pair.system} on {pair.id}" for pair in repeated]
    notes = []
    if repeats:
        notes.append(f"{len(repeats)} repeated lines left out, the first of each kept: {_list_some(repeats)}")
    topics_of: dict[str, set[str]] = {}
    for topic, system in first:
        topics_of.setdefault(system, set()).add(topic)
    topics = set().union(*topics_of.values())
    for system, summarised in topics_of.items():
        if missing := sorted(topics - summarised):
            notes.append(f"{system} has no summary of {len(missing)} of {len(topics)} topics: {_list_some(missing)}")
    return tuple(first.values()), tuple(notes)


def _list_some(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def add_languages(pairs: Iterable[Pair], language: str | None = None) -> Iterator[Pair]:
    """Yield pairs whose texts have a language, stated or that of what a summary is compared with, and a note."""
    language = check_declared(language)
    detected, script = cache(detect_language), cache(find_main_script)
    for pair in pairs:
        others = tuple(text for text in (pair.source, *pair.references) if text)
        summary, together = pair.summary.whole, "\n".join(text.whole for text in others)
        notes = pair.notes
        if script(summary) and script(together) and script(summary) != script(together):
            notes = (*notes, f"the summary is in {script(summary)} letters, other texts in {script(together)} ones")
        elif detected(summary) and detected(together) and detected(summary) != detected(together):
            notes = (*notes, f"the summary seems to be in {detected(summary)!r}, other texts in {detected(together)!r}")
        code = language or next((text.language for text in (*others, pair.summary) if text.language), None)
        code = code or detected(together) or detected(summary)

        def speak(text: SummaryText, code: str | None = code) -> SummaryText:
            return replace(text, language=text.language or code)

        source = pair.source and speak(pair.source)
        references = tuple(map(speak, pair.references))
        yield replace(pair, summary=speak(pair.summary), references=references, source=source, notes=notes)


def find_main_script(text: str) -> str:
    """Return the script of most letters, such as ``Latin``; empty without letters."""
    names = (unicodedata.name(letter, "").partition(" ")[0] for letter in text[:_SAMPLE] if letter.isalpha())
    most = Counter(filter(None, names)).most_common(1)
    return most[0][0].capitalize() if most else ""
