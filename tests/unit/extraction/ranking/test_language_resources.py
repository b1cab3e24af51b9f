"""What there is for documents of each language."""

import hashlib
from pathlib import Path

import pytest
from tests.house.tree import PACKAGE

from keywright.core.documents import Style
from keywright.core.signatures import signature
from keywright.extraction.corpus.knowledge import COMMON_WORDS, knowledge_of
from keywright.extraction.ranking.language_resources import (
    Languages,
    load_shipped_prose,
    load_shipped_ranker,
    load_shipped_tags,
)
from keywright.text.tag_lexicon import WORD_CLASSES


@pytest.mark.parametrize("language", ["en", "fr", "any"])
def test_trees_have_a_card(language):
    card = load_shipped_ranker(language).card
    assert {"name", "what", "sources", "licence", "made_by", "date", "sha256", "checked"} <= card.keys()
    assert card["name"] == f"default_{language}"


def test_all_trees_read_the_same_columns():
    assert load_shipped_ranker("fr").columns == load_shipped_ranker("any").columns == load_shipped_ranker("en").columns


def test_styles_that_were_learnt():
    assert set(load_shipped_ranker("fr").probability) == {Style.AUTHOR, Style.GENERAL}
    assert set(load_shipped_ranker("any").probability) == set(Style) - {Style.TAGS}
    for language in ("en", "any"):
        assert set(load_shipped_tags(language).probability) == {Style.TAGS, Style.GENERAL}
        assert set(load_shipped_prose(language).probability) == {Style.GENERAL}


def test_languages_without_trees_of_their_own_share_some():
    own, portuguese, german = map(Languages().of, ("fr", "pt", "de"))
    assert own.ranker is load_shipped_ranker("fr")
    assert own.knowledge is knowledge_of("fr")
    assert portuguese.ranker is german.ranker is load_shipped_ranker("any")
    assert portuguese.knowledge is knowledge_of("pt")


@pytest.mark.parametrize("language", ["zh", "ja", "fr", "de"])
def test_other_languages_share_trees_for_tags_and_prose(language):
    assert Languages().of(language).tags is load_shipped_tags("any")
    assert Languages().of(language).prose is load_shipped_prose("any")


def test_the_signature_names_trees_and_tables():
    printed = Languages().fingerprint
    files = (PACKAGE / "models" / f"default_{name}.json.zst" for name in ("any", "fr", "tags_any", "prose_any"))
    for part in map(hashlib.sha256, map(Path.read_bytes, files)):
        assert part.hexdigest()[:8] in printed
    for part in (PACKAGE / "models" / name for name in (COMMON_WORDS, WORD_CLASSES)):
        assert hashlib.sha256(part.read_bytes()).hexdigest()[:8] in printed
    for table in (knowledge_of("fr").background, knowledge_of("fr").chosen, knowledge_of("fr").chosen_heads):
        assert table.fingerprint in printed
    assert Languages().fingerprint == printed
    assert signature(Languages()).startswith("Languages|v")
