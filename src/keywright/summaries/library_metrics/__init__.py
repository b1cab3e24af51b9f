"""BLEU, chrF, METEOR and BERTScore, computed by other packages, which are optional; nothing is downloaded."""
