"""Store of a collection: the phrases of each document without its text, in a file of SQLite.

Everything else is counted from these rows, so that counts do not depend on the order, the parts or the processes in
which documents come, memory does not grow with their number, and documents can be added later without the old texts.
Probabilities are whole millionths: their sums are exact in any order.
"""

import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from keywright.collecting.forms import form_key, is_short_form, list_definitions, turn_heading
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, list_names
from keywright.core.predictions import Failure, Outcome

CERTAIN: Final = 1_000_000  # probability 1 in the unit of the store
_VERSION: Final = 1  # version of the tables: others are refused
_TABLES: Final = """
CREATE TABLE documents(number INTEGER PRIMARY KEY, id TEXT UNIQUE, language TEXT, meta TEXT);
CREATE TABLE keys(number INTEGER PRIMARY KEY, text TEXT UNIQUE);
CREATE TABLE forms(number INTEGER PRIMARY KEY, text TEXT, language TEXT, folded TEXT, key INTEGER,
 UNIQUE(text, language));
CREATE INDEX forms_by_key ON forms(key);
CREATE INDEX forms_by_folded ON forms(folded);
CREATE TABLE uses(document INTEGER, form INTEGER, key INTEGER, probability INTEGER, mentions INTEGER);
CREATE TABLE definitions(short INTEGER, long INTEGER, text TEXT, documents INTEGER, PRIMARY KEY(short, text));
"""
_SHARE: Final = 0.6
"""Least share of the documents that define an acronym which mean the same by it; chosen on half of the judged pairs."""
_LONGEST: Final = 200  # characters of a phrase, and of a value of a column that is kept; arbitrary


class PhraseUse(NamedTuple):
    """A phrase of a document; ``probability`` 1 for those that people chose."""

    text: str
    probability: float = 1.0
    mentions: int = 1


@dataclass(frozen=True, slots=True)
class PhrasesOfDocument:
    """A document as a collection knows it: its phrases, and the acronyms that it defines, as keys with long forms."""

    id: str
    language: str | None
    phrases: tuple[PhraseUse, ...]
    definitions: tuple[tuple[str, str], ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def make(
        cls, name: str, language: str | None, phrases: Iterable[PhraseUse], text: str, meta: Mapping[str, Any]
    ) -> "PhrasesOfDocument":
        """Return a document with the definitions in its text."""
        listed = tuple(use for use in phrases if len(use.text) <= _LONGEST and form_key(use.text, language))
        definitions = tuple(list_definitions(text, (use.text for use in listed), language))
        scalars = {name: value for name, value in meta.items() if _is_kept(value)}
        return cls(name, language, listed, definitions, scalars)


def _is_kept(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_kept, value)) and sum(len(str(item)) for item in value) <= _LONGEST
    return isinstance(value, str | int | float) and len(str(value)) <= _LONGEST


def finish_document(document: Document | None, outcome: Outcome) -> PhrasesOfDocument | Failure:
    """Return what a collection keeps of an outcome; made in the process that extracts."""
    if isinstance(outcome, Failure):
        return outcome
    phrases = (
        PhraseUse(each.text, 1.0 if each.probability is None else each.probability, max(1, len(each.spans)))
        for each in outcome.keyphrases
    )
    text = document.text if document else ""
    return PhrasesOfDocument.make(outcome.document_id, outcome.language, phrases, text, outcome.meta)


class Store:
    """The rows of a collection in a file, temporary for None; ``BadParameter``: no store, or of another version."""

    def __init__(self, path: Path | None = None) -> None:
        self._folder = None if path else tempfile.TemporaryDirectory(prefix="keywright-collection-")
        self.path = path or Path(self._folder.name) / "collection.db"  # type: ignore[union-attr]
        is_new = not self.path.exists() or not self.path.stat().st_size
        try:
            self.rows = sqlite3.connect(self.path, isolation_level=None)
            self.rows.executescript("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE;")
            if is_new:
                self.rows.executescript(f"{_TABLES} PRAGMA user_version={_VERSION};")
            version = self.rows.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            message = f"{path} cannot be used as the state of a collection: {error}"
            raise BadParameter(message, "name a file that `keywright collection --state` made, or a new one") from error
        if version != _VERSION:
            raise BadParameter(f"{path} is the state of another version ({version})", "count the documents anew")
        self._last = 0
        self._keys: dict[str, int] = {}
        self._forms: dict[tuple[str, str | None], tuple[int, int]] = {}

    def close(self) -> None:
        """Close the file, and remove a temporary one."""
        self.rows.close()
        if self._folder:
            self._folder.cleanup()

    def __len__(self) -> int:
        return int(self.rows.execute("SELECT COUNT(*) FROM documents").fetchone()[0])

    def add(self, documents: Iterable[PhrasesOfDocument]) -> Counter[str]:
        """Add documents, all or none, those of one id with numbers; return the ids that were there before."""
        repeated = Counter[str]()
        self._last = self.rows.execute("SELECT COALESCE(MAX(number), 0) FROM documents").fetchone()[0]
        self.rows.execute("BEGIN")
        try:
            for document in documents:
                if not self._add_document(document):
                    repeated[document.id] += 1
            self.rows.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self.rows.execute("ROLLBACK")
            self._keys.clear()
            self._forms.clear()
            raise
        return repeated

    def _add_document(self, document: PhrasesOfDocument) -> bool:
        add = self.rows.execute
        meta = json.dumps(dict(document.meta), ensure_ascii=True)
        name = document.id.encode("utf-8", "replace").decode()
        for repeats in count(1):
            row = (f"{name}#{repeats}" if repeats > 1 else name, document.language, meta)
            added = add("INSERT OR IGNORE INTO documents(id, language, meta) VALUES(?, ?, ?)", row)
            if added.rowcount:
                break
            if add("SELECT number FROM documents WHERE id = ?", row[:1]).fetchone()[0] <= self._last:
                return False
        number, meanings, uses = added.lastrowid, dict(document.definitions), []
        for use in document.phrases:
            form, key, text = self._number_form(use.text, document.language)
            if text in meanings:  # the document says how it uses an acronym
                key = self._number_key(form_key(meanings[text], document.language))
            uses.append((number, form, key, round(CERTAIN * use.probability), use.mentions))
        self.rows.executemany("INSERT INTO uses VALUES(?, ?, ?, ?, ?)", uses)
        for short, long in document.definitions:
            statement = "INSERT INTO definitions VALUES(?, ?, ?, 1) ON CONFLICT DO UPDATE SET documents = documents + 1"
            add(statement, (self._number_key(short), self._number_key(form_key(long, document.language)), long))
        return True

    def _number_key(self, text: str) -> int:
        if (number := self._keys.get(text)) is None:
            self.rows.execute("INSERT OR IGNORE INTO keys(text) VALUES(?)", (text,))
            number = self.rows.execute("SELECT number FROM keys WHERE text = ?", (text,)).fetchone()[0]
            self._keys = {} if len(self._keys) > _CACHED else self._keys
            self._keys[text] = number
        return int(number)

    def _number_form(self, text: str, language: str | None) -> tuple[int, int, str]:
        text = " ".join(text.encode("utf-8", "replace").decode().split())
        key = form_key(text, language)
        if (numbers := self._forms.get((text, language))) is None:
            values = (text, language or "", text.casefold(), self._number_key(key))
            statement = "INSERT OR IGNORE INTO forms(text, language, folded, key) VALUES(?, ?, ?, ?)"
            self.rows.execute(statement, values)
            select = "SELECT number, key FROM forms WHERE text = ? AND language = ?"
            numbers = self.rows.execute(select, values[:2]).fetchone()
            self._forms = {} if len(self._forms) > _CACHED else self._forms
            self._forms[text, language] = numbers
        return (*numbers, key)

    def join_forms(self, merges: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Decide which forms are one phrase, in the table ``entries``, by ``read_merges``; yield warnings."""
        self.rows.executescript(
            "DROP TABLE IF EXISTS temp.joined; DROP TABLE IF EXISTS temp.chosen; DROP TABLE IF EXISTS temp.entries;"
            "DROP TABLE IF EXISTS temp.named; CREATE TEMP TABLE joined(key INTEGER PRIMARY KEY, target INTEGER);"
            "CREATE TEMP TABLE chosen(form INTEGER PRIMARY KEY, key INTEGER);"
            "CREATE TEMP TABLE named(key INTEGER PRIMARY KEY, text TEXT);"
        )
        yield from self._join_acronyms()
        yield from self._choose_forms(tuple(merges))
        # The index serves the order of entries, and that of the documents of each.
        self.rows.executescript(
            "CREATE TEMP TABLE entries AS"
            " SELECT COALESCE(c.key, j.target, u.key) AS entry, u.document AS document, u.form AS form,"
            " u.probability AS probability, u.mentions AS mentions FROM uses u"
            " LEFT JOIN chosen c ON c.form = u.form LEFT JOIN joined j ON j.key = u.key"
            " WHERE COALESCE(c.key, 1) != 0;"
            "CREATE INDEX temp.by_entry ON entries(entry, document);"
        )

    def _join_acronyms(self) -> Iterator[str]:
        """Join acronyms with the long forms by which most documents define them, headings with the order of a text."""
        rows = self.rows.execute(
            "SELECT d.short, s.text, d.long, l.text, SUM(d.documents) FROM definitions d"
            " JOIN keys s ON s.number = d.short JOIN keys l ON l.number = d.long"
            " WHERE d.short IN (SELECT key FROM forms) GROUP BY d.short, d.long"
            " ORDER BY s.text, -SUM(d.documents), l.text"
        )
        meanings: dict[int, list[tuple[int, str, int]]] = {}
        for short, _, long, text, documents in rows.fetchall():
            meanings.setdefault(short, []).append((long, text, documents))
        targets, doubtful = dict[int, int](), []
        for short, longs in meanings.items():
            written = self.rows.execute("SELECT text FROM forms WHERE key = ? ORDER BY text", (short,)).fetchall()
            if not any(is_short_form(text) for (text,) in written):
                continue
            if longs[0][2] >= _SHARE * sum(documents for *_, documents in longs):
                targets[short] = longs[0][0]
            else:
                doubtful.append(written[0][0])
        # A form that documents in several languages have, such as a name, is one phrase.
        rows = self.rows.execute(
            "SELECT f.key, m.least FROM forms f JOIN (SELECT folded, MIN(k.text) AS first FROM forms"
            " JOIN keys k ON k.number = key GROUP BY folded HAVING COUNT(DISTINCT key) > 1) g ON g.folded = f.folded"
            " JOIN (SELECT text, number AS least FROM keys) m ON m.text = g.first WHERE f.key != m.least"
        )
        for key, other in (*self._turn_headings(), *rows.fetchall()):
            targets.setdefault(key, other)
        for key, target in targets.items():
            path = {key}
            while target in targets and target not in path:
                path.add(target)
                target = targets[target]  # noqa: PLW2901 - followed to its end
            self.rows.execute("INSERT INTO joined VALUES(?, ?)", (key, target))
        if doubtful:
            yield f"acronyms with several meanings are expanded where a document says which: {list_names(doubtful)}"

    def _turn_headings(self) -> Iterator[tuple[int, int]]:
        """Yield keys of headings with the key of the same words in the order of a text, where that is a phrase."""
        rows = self.rows.execute("SELECT key, text, language FROM forms WHERE text LIKE '%, %' ORDER BY number")
        select = "SELECT k.number FROM keys k JOIN forms f ON f.key = k.number WHERE k.text = ? AND k.number != ?"
        for key, text, language in rows.fetchall():
            turned = form_key(turn_heading(text), language or None)
            yield from ((key, row[0]) for row in self.rows.execute(f"{select} LIMIT 1", (turned, key)).fetchall())

    def _choose_forms(self, merges: tuple[tuple[str, str], ...]) -> Iterator[str]:
        """Put the forms of a user's list under the phrases that the list names."""
        unused, apart = [], {form.casefold() for form, phrase in merges if form == phrase}
        for form, phrase in merges:
            folded, target = form.casefold(), phrase.casefold()
            rows = self.rows.execute("SELECT number, language, key FROM forms WHERE folded = ?", (folded,)).fetchall()
            unused += [] if rows else [form]
            for number, language, own_key in rows:
                if not phrase:
                    key = 0
                elif target == folded and form != phrase:  # another spelling is shown, and nothing else changes
                    key = own_key
                elif target in apart:
                    key = self._number_key(f"={target}")  # other forms of its key do not come along
                else:  # the key of a form, in the same language if it is one there
                    row = self.rows.execute(
                        "SELECT COALESCE(j.target, f.key) FROM forms f LEFT JOIN joined j ON j.key = f.key"
                        " WHERE f.folded = ? ORDER BY f.language != ?, f.language",
                        (target, language),
                    ).fetchone()
                    key = row[0] if row else self._number_key(form_key(phrase, language or None) or f"={phrase}")
                self.rows.execute("INSERT OR REPLACE INTO chosen VALUES(?, ?)", (number, key))
                self.rows.execute("INSERT OR IGNORE INTO named VALUES(?, ?)", (key, phrase))
        if unused:
            yield f"no document has {list_names(unused)}, which the merges name"


_CACHED: Final = 1 << 17  # forms and keys whose numbers are in memory; arbitrary, some 30 MB
