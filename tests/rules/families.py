"""Families of protocols, as patterns of their names: whom a hand-computed outcome holds for.

``K`` are keywright-1 and those made of it, ``S`` the SemEval scorers, ``G`` those of keyphrase generation, ``H`` those
of Hulth's tool.
"""

K, S, G, H = "keywright-1*", "semeval2010*", "kpg*", "hulth2003*"
STRICT, MACRO, CLEAN = "semeval2010-strict", "semeval2010-macro", "semeval2010-clean"
APPROXIMATE, OVERLAP = "keywright-1-approximate", "keywright-1-ngram-rp"
SEMANTIC, COMPAT = "keywright-1-semantic", "keywright-1-semantic-kpeval"
PART_OF = "hulth2003-part-of* hulth2003-modern-part-of*"
MODERN = "hulth2003-modern*"
MENG17, MENG21 = "kpg-meng2017", "kpg-meng2021"
ALL = "*"
