"""Which rules each convention of keyphrase generation has, as the papers and their code say; a rule that moves is told.

Numbers under these rules are shown by hand in ``test_kpg_rules`` and against references in ``parity/``.
"""

import dataclasses

import pytest

from keywright.catalogue import PROTOCOLS
from keywright.core.signatures import sign_fields
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG, KPG_STRICT

STRICT = {
    "golds": "",
    "marks": "kept",  # a byte order mark is part of the first phrase
    "write": "unchanged",
    "repeated_ids": "counted",
    "unknown_ids": "counted",
    "missing_ids": "counted",  # the shortest file ends the run
    "normalise": "blank_stems",
    "accept": "valid_and_known",
    "accept_gold": "everything",
    "repeats": "first",
    "gold_repeats": "first",
    "alternatives": "every",
    "matching": "once",
    "short_list": "of_cutoff_if_any",
    "no_gold": "zero",
    "documents": "counted",
    "average": "macro,micro,mean",
    "zero_divisor": "zero",
    "f_from": "exact",
    "unit": "fraction",
    "decimals": "None",
    "measures": "P@5,R@5,F@5,P@10,R@10,F@10,P@M,R@M,F@M,P@O,R@O,F@O",
    "depth": "200",
    "normalise_gold": "None",
    "one_word": "None",
    "classes": "all,present,absent",
    "text": "title_and_abstract",
    "presence": "token_run",
    "gold_class": "text",
    "means": "",
}
AS_KPG = {
    "kpg-stemmed-gold": {"normalise_gold": "published_tokens"},
    "kpg-chan2019": {"average": "macro", "measures": "P@5,R@5,F@5,P@M,R@M,F@M"},
    "kpg-ye2021": {"average": "macro", "measures": "P@5,R@5,F@5,P@M,R@M,F@M"},
    "kpg-exhird": {"average": "macro", "measures": "P@5,R@5,F@5,P@M,R@M,F@M", "accept": "known"},
    "kpg-deepkpg": {"average": "macro,micro", "write": "never_empty", "accept": "everything"},
    "kpg-simckp": {"average": "macro", "measures": "P@5,R@5,F@5,P@M,R@M,F@M", "no_gold": "not_counted"},
    "kpg-meng2017": {
        "one_word": "1",
        "no_gold": "not_counted",
        "average": "mean",
        "measures": "P@5,R@5,F@5,P@10,R@10,F@10,P@50,R@50,F@50",
    },
    "kpg-meng2021": {
        "gold_repeats": "kept",
        "short_list": "of_length",
        "no_gold": "not_counted",
        "average": "mean",
        "measures": "P@5,R@5,F@5,P@10,R@10,F@10,P@O,R@O,F@O,P@M,R@M,F@M",
    },
}


def test_the_evaluator_s_rules():
    assert sign_fields(KPG_STRICT) == STRICT
    assert STRICT.keys() == {field.name for field in dataclasses.fields(Protocol)} - {"name"}


def test_kpg_cuts_text_itself_and_wants_every_document():
    refused = dict.fromkeys(("repeated_ids", "unknown_ids", "missing_ids"), "refused")
    own = {"marks": "stripped", "normalise": "published_stems", "accept": "telling", "accept_gold": "not_empty"}
    assert sign_fields(KPG) == STRICT | refused | own


@pytest.mark.parametrize("name", AS_KPG)
def test_what_sets_a_convention_apart(name):
    found = PROTOCOLS.find(name)
    assert found.name == name
    assert sign_fields(found) == sign_fields(KPG) | AS_KPG[name]


def test_every_convention_is_here():
    assert {name for name in PROTOCOLS.built_in if name.startswith("kpg")} == {"kpg", "kpg-strict", *AS_KPG}
