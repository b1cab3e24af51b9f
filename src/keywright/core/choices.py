"""Values that options take by name: enumerations that the command line shares with the parts that they choose."""

import enum


class InputFormat(enum.StrEnum):
    """Formats of documents; ``auto`` recognises each file."""

    AUTO = "auto"
    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    JATS = "jats"
    TEI = "tei"
    DOCX = "docx"
    MARC = "marc"
    MARCXML = "marcxml"
    JSONL = "jsonl"


class EngineName(enum.StrEnum):
    """Executors of the work on documents."""

    SERIAL = "serial"
    PROCESSES = "processes"
    RAY = "ray"


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


class CalibrationMethod(enum.StrEnum):
    """Maps from confidences to probabilities."""

    BETA = "beta"
    PLATT = "platt"
    ISOTONIC = "isotonic"
    HISTOGRAM = "histogram"
    LOGISTIC = "logistic"
    TEMPERATURE = "temperature"
    SHIFT = "shift"


class PairedTest(enum.StrEnum):
    """Significance tests of a difference."""

    RANDOMISATION = "randomisation"
    BOOTSTRAP = "bootstrap"
    T = "t"  # for means of document scores only, like the next
    WILCOXON = "wilcoxon"


class CombineMethod(enum.StrEnum):
    """Ways to combine runs: the methods of voting, and a ranker that is trained on gold."""

    VOTES = "votes"
    RANKS = "ranks"
    PROBABILITIES = "probabilities"
    META_RANKER = "meta-ranker"


class Level(enum.StrEnum):
    """Items and groups of a correlation.

    ``system``: mean of each system over topics, one coefficient. ``summary``: one coefficient over systems for each
    topic, then their mean. ``topic``: one coefficient over topics for each system, then their mean.
    """

    SYSTEM = "system"
    SUMMARY = "summary"
    TOPIC = "topic"


class Coefficient(enum.StrEnum):
    """Pearson's r, Spearman's rho (equal values share their average rank), or Kendall's tau-b."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"


class Resampled(enum.StrEnum):
    """Items that a bootstrap draws: documents (topics), systems, or both."""

    DOCUMENTS = "documents"
    SYSTEMS = "systems"
    BOTH = "both"


class Precision(enum.StrEnum):
    """Numbers that exported weights consist of."""

    INT8 = "int8"
    FLOAT32 = "float32"
