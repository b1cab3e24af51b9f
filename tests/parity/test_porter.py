"""Stems against references: NLTK's copy of Martin Porter's variant, and the answer files of SemEval-2010."""

import gzip
import json

import pytest

from keywright.datasets.collection import load
from keywright.text.stems import martin_stem, semeval_stem


@pytest.mark.data
def test_every_word_has_the_stem_of_martin_porter_s_variant(goldens):
    with gzip.open(goldens / "semeval2010" / "porter_variants.jsonl.gz", "rt", encoding="utf-8") as lines:
        words = [json.loads(line) for line in lines]
    assert len(words) > 10_000
    assert [word for word, _, martin, _ in words if martin_stem(word) != martin] == []


@pytest.mark.data
def test_lemmatised_answers_give_the_stemmed_answers(mirror):
    """All but the entries with *datum*: the lemma files have it where people wrote *data*."""
    entries = [
        ("+".join(lemma.forms), "+".join(stem.forms))
        for split in ("trial", "train")
        for lemmas, stems in zip(
            load(f"semeval2010/{split}", mirror, forms="lemma"), load(f"semeval2010/{split}", mirror), strict=True
        )
        for lemma, stem in zip(lemmas.gold, stems.gold, strict=True)
    ]
    wrong = [lemma for lemma, stem in entries if semeval_stem(lemma) != stem]
    assert (len(entries), len(entries) - len(wrong)) == (5902, 5836)
    assert all("datum" in lemma for lemma in wrong)
