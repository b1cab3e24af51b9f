"""Stems of NLTK 3.2.5: Porter's own examples where NLTK keeps them, and each of its departures."""

import pytest

from keywright.evaluation.normal_forms.phrases import nltk_stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # The examples of the paper, step by step, carried through the whole algorithm.
        ("caresses", "caress"), ("ponies", "poni"), ("caress", "caress"), ("cats", "cat"),
        ("feed", "feed"), ("agreed", "agre"), ("plastered", "plaster"), ("bled", "bled"), ("motoring", "motor"),
        ("sing", "sing"), ("conflated", "conflat"), ("troubled", "troubl"), ("sized", "size"), ("hopping", "hop"),
        ("tanned", "tan"), ("falling", "fall"), ("hissing", "hiss"), ("fizzed", "fizz"), ("failing", "fail"),
        ("filing", "file"), ("happy", "happi"),
        ("relational", "relat"), ("conditional", "condit"), ("rational", "ration"), ("digitizer", "digit"),
        ("operator", "oper"), ("feudalism", "feudal"), ("decisiveness", "decis"), ("hopefulness", "hope"),
        ("callousness", "callous"), ("formality", "formal"), ("sensitivity", "sensit"), ("sensibility", "sensibl"),
        ("triplicate", "triplic"), ("formative", "form"), ("formalize", "formal"), ("electrical", "electr"),
        ("goodness", "good"), ("revival", "reviv"), ("adjustable", "adjust"), ("replacement", "replac"),
        ("adoption", "adopt"), ("homologous", "homolog"), ("bowdlerize", "bowdler"),
        ("probate", "probat"), ("rate", "rate"), ("cease", "ceas"), ("controller", "control"), ("roll", "roll"),
        # NLTK: words of one or two characters stay, in their case; longer ones are lowered.
        ("IT", "IT"), ("it", "it"), ("As", "As"), ("NETWORKS", "network"), ("", ""),
        # NLTK: irregular words, in the case of the table.
        ("news", "news"), ("News", "new"), ("dying", "die"), ("skies", "sky"), ("innings", "inning"),
        # NLTK: ies and ied keep an e in words of four letters.
        ("dies", "die"), ("died", "die"), ("ties", "tie"), ("tries", "tri"), ("tried", "tri"),
        # NLTK: y becomes i only after a consonant that is not the first letter.
        ("enjoy", "enjoy"), ("key", "key"), ("spy", "spi"), ("by", "by"), ("dry", "dri"),
        # NLTK: bli, fulli, logi; alli lays ational bare.
        ("possibly", "possibl"), ("hopefully", "hope"), ("archaeology", "archaeolog"), ("biology", "biolog"),
        ("logy", "logi"), ("conditionally", "condit"),
        # NLTK: a vowel and a consonant alone are short, so that an e is put back and none taken away.
        ("using", "use"), ("ice", "ice"),
        # NLTK takes its own sign for a doubled consonant as an ending.
        ("xa*ding", "xad"),
        # What is no letter counts as a consonant.
        ("wavelet-based", "wavelet-bas"), ("2000s", "2000"), ("...", "..."),
    ],
)  # fmt: skip
def test_stem(word, stem):
    assert nltk_stem(word) == stem
