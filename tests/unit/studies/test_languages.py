"""The study of language identifiers: shares counted by hand, parts of the declaration, tables."""

import json

import numpy as np
import pytest

from keywright.catalogue import system_class
from keywright.core.errors import MissingData, MissingExtra
from keywright.core.zstandard import zstd
from keywright.experiments import study as publishing
from studies.languages import identifiers, texts
from studies.languages.identifiers import FORMER, OURS, loaded
from studies.languages.study import STUDY, evaluate
from studies.languages.texts import DECLARATION, Cost, Errors, Sample

ENGLISH = "This is the first of all the texts that we have read, and it is not the last of them."
POLISH = "Wszyscy ludzie rodzą się wolni i równi w swojej godności i prawach."
CROATIAN = "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima."


def test_shares_are_counted_by_kind_of_text_and_by_language():
    samples = (
        Sample(DECLARATION, 50, "en", ENGLISH),
        Sample(DECLARATION, 50, "pl", POLISH),
        Sample(DECLARATION, 50, "de", ENGLISH),  # wrong on purpose: taken for English
        Sample(DECLARATION, 50, "hr", CROATIAN),  # Bosnian, Croatian and Serbian count as one
        Sample("titles", None, "en", "12 13"),
    )
    *errors, cost = evaluate((OURS, samples))
    by_kind = {(row.texts, row.length, row.language): row for row in errors}
    declared = by_kind[DECLARATION, 50, None]
    assert (declared.number, declared.wrong, declared.undecided, declared.english) == (4, 0.25, 0.0, 0.25)
    assert by_kind[DECLARATION, 50, "de"].wrong == 1
    assert by_kind[DECLARATION, 50, "hr"].wrong == 0
    assert by_kind["titles", None, None].undecided == 1
    assert 0 < cost.seconds < 5
    assert 1 < cost.megabytes < 10


def test_the_former_rule_still_takes_polish_for_english_words():
    """Of the words of this line that are English stop words as well, too few are Polish ones alone."""
    assert loaded(FORMER, ())("do tej pory a do tego i na to i do") != "pl"
    assert loaded(FORMER, ())(ENGLISH) == "en"


def test_identifiers_that_are_not_installed_are_named(monkeypatch):
    missing = identifiers.Identifier("other", lambda _: __import__("no_such_module"), ("some-package",), "", "")
    monkeypatch.setitem(identifiers.IDENTIFIERS, "other", missing)
    with pytest.raises(MissingExtra, match="other is not installed") as raised:
        loaded("other", ())
    assert raised.value.hint == "pip install some-package"


def test_parts_of_the_declaration_begin_with_a_word(tmp_path):
    record = {"language": "en", "paragraphs": [ENGLISH, ENGLISH]}
    (tmp_path / "languages").mkdir()
    content = zstd.compress(json.dumps(record).encode())
    (tmp_path / "languages" / "udhr.jsonl.zst").write_bytes(content)
    parts = list(texts._declaration(np.random.default_rng(1), tmp_path))
    assert {part.length for part in parts} == {20, 50, 100}  # the text has 171 characters
    whole = f"\n{ENGLISH}\n{ENGLISH}".replace("\n", " ")
    assert all(len(part.text) == part.length for part in parts)
    assert all(" " + part.text.replace("\n", " ") in whole for part in parts)
    with pytest.raises(MissingData, match=r"there is no languages/udhr\.jsonl\.zst"):
        list(texts._declaration(np.random.default_rng(1), tmp_path / "languages"))


def test_tables():
    declared = Errors(OURS, DECLARATION, 20, None, 840, 0.0631, 0.216, 0.009, 31.2)
    polish = Errors(OURS, DECLARATION, 20, "pl", 20, 0.05, 0.1, 0.0, 31.2)
    timed = [
        Errors(OURS, f"English: {name}", None, None, 200, 0.0, 0.015, 0.0, 270.4) for name in ("abstracts", "papers")
    ]
    cost = Cost(OURS, 0.061, 3.91, "MIT", "2026-10")
    rows = STUDY.read(row.record() for row in (declared, polish, *timed, cost))
    assert rows == (declared, polish, *timed, cost)
    tables = publishing.lay_out_study(STUDY, rows, system_class)
    text = [[cell.text for cell in table.rows[0]] for table in tables if table.rows]
    assert text == [
        [OURS, "6.3 (21.6)"],
        [OURS, "0.9"],
        ["English: abstracts", "0.0 (1.5)"],
        ["pl", "5.0 (10.0)"],
        [OURS, "270", "270", "0.06", "3.9", "MIT", "2026-10"],
    ]
