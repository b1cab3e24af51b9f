"""Values that options take by name: enumerations that the command line shares with the parts that they choose."""

import enum
from typing import Final

InputFormat = enum.StrEnum(
    "InputFormat",
    "AUTO TEXT MARKDOWN HTML PDF JATS TEI DOCX MARC MARCXML REFERENCES JSONL MAIL MBOX MHTML SUBTITLES NOTEBOOK "
    "EVERNOTE FEED EPUB ODT PPTX RTF LATEX RST ASCIIDOC ORG MEDIAWIKI DOCBOOK FB2",
)
"""Formats of documents; ``auto`` recognises each file."""

FORMATS: Final = ", ".join(form for form in InputFormat if form != "auto")  # names of formats, for people

EngineName = enum.StrEnum("EngineName", "SERIAL PROCESSES RAY")  # executors of the work on documents

CalibrationMethod = enum.StrEnum("CalibrationMethod", "BETA PLATT ISOTONIC HISTOGRAM LOGISTIC TEMPERATURE SHIFT")
"""Maps from confidences to probabilities."""

PairedTest = enum.StrEnum("PairedTest", "RANDOMISATION BOOTSTRAP T WILCOXON")
"""Significance tests of a difference; ``t`` and ``wilcoxon`` for means of document scores only."""

Level = enum.StrEnum("Level", "SYSTEM SUMMARY TOPIC")
"""Items and groups of a correlation.

``system``: mean of each system over topics, one coefficient. ``summary``: one coefficient over systems for each topic,
then their mean. ``topic``: one coefficient over topics for each system, then their mean.
"""

Coefficient = enum.StrEnum("Coefficient", "PEARSON SPEARMAN KENDALL")
"""Pearson's r, Spearman's rho (equal values share their average rank), or Kendall's tau-b."""

Resampled = enum.StrEnum("Resampled", "DOCUMENTS SYSTEMS BOTH")
"""Items that a bootstrap draws: documents (topics), systems, or both."""

Precision = enum.StrEnum("Precision", "INT8 FLOAT32")  # numbers that exported weights consist of


class CombineMethod(enum.StrEnum):
    """Ways to combine runs: the methods of voting, and a ranker that is trained on gold."""

    VOTES = "votes"
    RANKS = "ranks"
    PROBABILITIES = "probabilities"
    META_RANKER = "meta-ranker"


class Confidence(enum.StrEnum):
    """Fields of a phrase that can serve as its confidence."""

    PROBABILITY = "probability"  # given by a calibrator
    KPP_S = "kpp-s"  # product of the token probabilities, its root by the number of words
    KPP = "kpp"  # product of the token probabilities, its root by the number of tokens
    PRODUCT = "product"  # product of the token probabilities: the probability of the phrase
    MINIMUM = "minimum"  # least token probability
    FIRST = "first"  # probability of the first token
    MEAN = "mean"  # arithmetic mean of the token probabilities
    SCORE = "score"  # ranking score: comparable within a document only, and of any size
