"""PDF files: bad ones, odd ones, the project's example, and the sample papers with what a person read in them."""

import importlib.util
import pickle
import re
import sys
from pathlib import Path

import pytest

from keywright.core import errors
from keywright.core.documents import Document, SectionKind
from keywright.reading.formats.pdf import read_pdf
from keywright.reading.limits import Limits

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[3]
SENTENCE = "A plain sentence about rain gardens."


def _load(name: str):
    """A module beside this one: tests are no package, and their folder is not on the path."""
    if name not in sys.modules:
        specification = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
        sys.modules[name] = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(sys.modules[name])
    return sys.modules[name]


small = _load("small_pdf")
PLAIN = small.text(50, 400, SENTENCE)


def read(data: bytes, **limits: int) -> Document:
    return read_pdf(data, "x.pdf", Limits(**limits))


def of_kind(document: Document, kind: SectionKind) -> list[str]:
    return [document.text[section.start : section.end] for section in document.sections if section.kind == kind]


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", errors.EmptyInput, "empty"),
        (b"no pdf at all", errors.BrokenFile, "cannot be opened"),
        (small.small_pdf([PLAIN])[:300], errors.BrokenFile, "cannot be opened"),
        (small.small_pdf([None]), errors.BrokenFile, "no page"),
        (small.small_pdf([""]), errors.EmptyInput, "no text"),
        (small.small_pdf(["q 400 0 0 400 50 50 cm /I Do Q"]), errors.EmptyInput, "OCR"),
        (
            small.small_pdf([small.text(50, 400, "1.5  2.5  3.5")]),
            errors.EmptyInput,
            "no running text; left out: cells",
        ),
        ((HERE / "fixtures" / "protected.pdf").read_bytes(), errors.ProtectedFile, "password"),
    ],
    ids=["empty", "no pdf", "truncated", "no page", "blank", "picture", "numbers", "protected"],
)
def test_bad_files_have_their_errors(data, error, message):
    with pytest.raises(error, match=message) as caught:
        read(data)
    assert "x.pdf" in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).hint == caught.value.hint


def test_limits_hold_at_their_boundaries():
    data = small.small_pdf([PLAIN, PLAIN])
    characters = 2 * len(SENTENCE.replace(" ", ""))
    assert read(data, pages=2, text_characters=characters, file_bytes=len(data)).text
    for limit, value in (("pages", 1), ("text_characters", characters - 1), ("file_bytes", len(data) - 1)):
        with pytest.raises(errors.TooLarge, match=r"more than|at most"):
            read(data, **{limit: value})


def test_pages_that_fail_are_named_and_the_others_kept():
    document = read(small.small_pdf([PLAIN, None, PLAIN]))
    assert document.text == f"{SENTENCE}\n\n{SENTENCE}"
    assert document.warnings == ("pages that could not be read: 2",)
    assert document.meta["pages"] == [0, len(SENTENCE) + 2, len(SENTENCE) + 2]


def test_letters_of_private_use_are_unreadable():
    mapping = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def "
        b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7E> <E020> endbfrange endcmap end end"
    )
    font = small.HELVETICA.replace(b">>", b"/ToUnicode 6 0 R>>")
    stream = b"<</Length %d>>stream\n%s\nendstream" % (len(mapping), mapping)
    with pytest.raises(errors.UnreadableInput, match="no known letters"):
        read(small.small_pdf([PLAIN], font=font, extra=[stream]))


def test_text_up_a_margin_is_left_out_and_counted():
    document = read(small.small_pdf([PLAIN + "BT /F 10 Tf 0 1 -1 0 20 300 Tm (arXiv:1234.5678v1) Tj ET\n"]))
    assert document.text == SENTENCE
    assert document.warnings == ("left out: text turned sideways (17 characters)",)
    assert (document.coverage.read, document.coverage.given) == (31, 48)


def test_text_off_the_page_is_left_out_and_counted():
    document = read(small.small_pdf([PLAIN + small.text(700, 400, "slug") + small.text(5000, 400, "far")]))
    assert document.text == SENTENCE
    assert document.warnings == ("left out: text off the page (7 characters)",)


@pytest.mark.parametrize(
    ("rotation", "matrix", "step"),
    [(90, "0 1 -1 0", (12, 0)), (180, "-1 0 0 -1", (0, 12)), (270, "0 -1 1 0", (-12, 0))],
)
def test_pages_stored_turned_are_read_as_shown(rotation, matrix, step):
    lines = [
        f"BT /F 10 Tf {matrix} {300 + row * step[0]} {400 + row * step[1]} Tm ({words}) Tj ET\n"
        for row, words in enumerate(("A first line that", "has a second one."))
    ]
    document = read(small.small_pdf(["".join(lines)], page=f"/Rotate {rotation}"))
    assert document.text == "A first line that has a second one."


def test_separate_accents_are_taken_into_their_letters():
    document = read(small.small_pdf(["BT /F 10 Tf 50 400 Td [(A caf) (\\264) 333 (e in Paris)] TJ ET\n"]))
    assert document.text == "A café in Paris"


def test_hyphens_at_line_ends_are_undone():
    lines = ("real work in a big world is in-", "teresting, and real-", "world data is more so.")
    page = "".join(small.text(50, 400 - 12 * row, words) for row, words in enumerate(lines))
    assert (
        read(small.small_pdf([page])).text == "real work in a big world is interesting, and real-world data is more so."
    )


# The example that `make demo` reads; its words are in tools/examples/article_text.py.


@pytest.fixture(scope="module")
def article() -> Document:
    return read((ROOT / "examples" / "article.pdf").read_bytes())


def test_the_example_has_its_parts(article):
    assert article.section(SectionKind.TITLE) == (
        "Soil Moisture Sensing with Low-Cost Sensor Networks: Calibration, Energy and Irrigation Scheduling"
    )
    assert of_kind(article, SectionKind.HEADING) == [
        "Abstract",
        "Keywords",
        "1. Introduction",
        "2. Related Work",
        "3. The Sensor Network",
        "4. Sensor Calibration",
        "4.1 Two-step calibration",
        "4.2 Temperature drift",
        "5. Results and Discussion",
        "6. Conclusion",
        "Acknowledgements",
        "References",
    ]
    assert article.meta["author_keywords"] == [
        "soil moisture",
        "low-cost sensor networks",
        "capacitive sensors",
        "sensor calibration",
        "irrigation scheduling",
        "temperature drift",
        "energy consumption",
    ]
    assert len(of_kind(article, SectionKind.CAPTION)) == 2
    assert article.section(SectionKind.ABSTRACT).startswith("Irrigation scheduling needs soil moisture")
    assert article.section(SectionKind.ABSTRACT).endswith("without any loss of yield.")


def test_the_example_reads_as_it_was_written(article):
    specification = importlib.util.spec_from_file_location(
        "article_text", ROOT / "tools" / "examples" / "article_text.py"
    )
    words = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(words)
    written = [words.ABSTRACT, *words.INTRODUCTION, *words.RELATED, *words.NETWORK, *words.CALIBRATION_FIRST]
    written += [*words.DRIFT, *words.RESULTS, *words.CONCLUSION, *words.ACKNOWLEDGEMENTS, *words.REFERENCES]
    read_paragraphs = article.text.split("\n\n")
    assert [" ".join(text.split()) for text in written if " ".join(text.split()) not in read_paragraphs] == []
    assert "Lindqvist et al." not in article.text
    assert "118" not in article.text
    assert article.meta["pages"][0] == 0
    assert article.text[article.meta["pages"][1] :].startswith("Table 1: Error")


# The sample papers; the expectations were read off the pages.


@pytest.fixture(scope="module")
def papers(mirror) -> dict[str, Document]:
    names = ("juliacon_00208_twocol", "juliacon_00129_twocol", "acl_N18-3011_twocol", "deep_rules_onecol")
    return {name.split("_")[1]: read((mirror / "docs_sample" / f"{name}.pdf").read_bytes()) for name in names}


@pytest.mark.data
@pytest.mark.parametrize(
    ("paper", "title"),
    [
        ("00208", "RationalFunctionApproximation.jl: Rational Approximation On Discrete and Continuous Domains"),
        ("00129", "Designing Machine Learning Pipeline Toolkit for AutoML Surrogate Modeling Optimization"),
        ("N18-3011", "Construction of the Literature Graph in Semantic Scholar"),
        ("rules", "Ten Quick Tips for Deep Learning in Biology"),
    ],
)
def test_titles_of_the_samples(papers, paper, title):
    assert papers[paper].section(SectionKind.TITLE) == title
    assert papers[paper].meta["title"] == title


HEADINGS = {
    "00208": """ABSTRACT|Keywords|1. Introduction|2. Mathematical background|2.1 AAA|2.2 Greedy Thiele|
        2.3 Prescribed poles|3. Key data types|3.1 DiscretizedPath|3.2 ArnoldiBasis and ArnoldiPolynomial|
        3.3 AbstractRationalFunction and AbstractRationalInterpolant|3.4 Approximation|4. Examples|
        5. Future work|6. Acknowledgments|7. References""",
    "00129": """ABSTRACT|Keywords|1. Introduction|1.1 Related Work|2. AMLP Architecture|2.1 AMLP workflow|
        3. Pipeline search strategy benchmark|3.1 Two-stage strategies|3.2 Experimental setup|
        3.3 Results and Discussion|4. Conclusion|5. References""",
    "N18-3011": """Abstract|1 Introduction|2 Structure of The Literature Graph|2.1 Node Types|2.2 Edge Types|
        3 Extracting Metadata|4 Entity Extraction and Linking|4.1 Approaches|4.2 Entity Extraction Models|
        4.3 Knowledge Bases|4.4 Entity Linking Models|5 Other Research Problems|6 Conclusion and Future Work|
        References""",
    "rules": """Introduction|Tip 1: Decide whether deep learning is appropriate for your problem|
        Tip 2: Use traditional methods to establish performance baselines|
        Tip 3: Understand the complexities of training deep neural networks|
        Tip 4: Know your data and your question|
        Tip 5: Choose an appropriate data representation and neural network architecture|
        Tip 6: Tune your hyperparameters extensively and systematically|
        Tip 7: Address deep neural networks’ increased tendency to overfit the dataset|
        Tip 8: Deep learning models can be made more transparent|Tip 9: Don’t over-interpret predictions|
        Tip 10: Actively consider the ethical implications of your work|Conclusion|Competing interests|
        Acknowledgements|References""",
}


@pytest.mark.data
@pytest.mark.parametrize("paper", list(HEADINGS))
def test_headings_of_the_samples(papers, paper):
    expected = [heading.strip() for heading in HEADINGS[paper].split("|")]
    assert of_kind(papers[paper], SectionKind.HEADING) == expected


@pytest.mark.data
def test_author_keywords_of_the_samples(papers):
    assert papers["00208"].meta["author_keywords"] == [
        "Julia",
        "Approximation",
        "Complex variables",
        "Rational functions",
    ]
    assert papers["00129"].meta["author_keywords"] == [
        "Julia",
        "Optimization",
        "AutoMLPipeline",
        "AutoML",
        "ML Pipeline Search",
        "Feature Engineering",
        "Modeling",
        "Classification",
        "Prediction",
        "Regression",
    ]
    assert "author_keywords" not in papers["N18-3011"].meta


@pytest.mark.data
@pytest.mark.parametrize(
    ("paper", "first", "last"),
    [
        ("00208", "Unlike polynomials, rational functions can", "or other domains in the complex plane."),
        ("00129", "The pipeline optimization problem in machine", "5 minutes of AMLP computation time."),
        ("N18-3011", "We describe a deployed scalable system", "semantic features in www.semanticscholar.org."),
    ],
)
def test_abstracts_of_the_samples(papers, paper, first, last):
    abstract = papers[paper].section(SectionKind.ABSTRACT)
    assert abstract.startswith(first)
    assert abstract.endswith(last)


@pytest.mark.data
@pytest.mark.parametrize(
    ("paper", "sentence"),
    [
        (
            "00208",
            "a fact used by Thiele over 100 years ago to derive an interpolation scheme via inverse differences [15].",
        ),
        ("00129", "commonly called combined algorithm selection and hyper-parameter optimization or CASH [9, 25]."),
        ("00129", "The former has significantly quick runtime but may not be optimal"),  # over a page's wide tables
        (
            "N18-3011",
            "CoNLL-2003 and ACE-2005 (e.g., Lample et al., 2016), and assume that entity types",
        ),  # over a page
        ("N18-3011", "the graph can be queried to find the number of nodes on the shortest undirected path"),
        ("N18-3011", "compute the Erdős number of an author X"),
        (
            "rules",
            "Overfitting occurs when a model fits patterns in the training data so closely",
        ),  # ligatures
        ("rules", "a wide range of different hyperparameter settings"),
    ],
)
def test_sentences_go_on_over_lines_columns_and_pages(papers, paper, sentence):
    assert sentence in papers[paper].text


@pytest.mark.data
@pytest.mark.parametrize(
    ("paper", "pattern"),
    [
        ("00208", r"Proceedings of the JuliaCon Conferences|8\(86\)"),
        ("00129", r"Proceedings of JuliaCon\b|1\(1\), 2021|rbfsvc|analcatdata"),
        ("N18-3011", r"Association for Computational Linguistics\n|New Orleans, Louisiana, June|92\.1 92\.1"),
    ],
)
def test_running_heads_and_tables_are_no_text(papers, paper, pattern):
    assert re.search(pattern, papers[paper].text) is None


@pytest.mark.data
def test_figures_keep_their_captions_only(papers):
    captions = of_kind(papers["N18-3011"], SectionKind.CAPTION)
    assert captions[0] == "Figure 1: Part of the literature graph."
    assert len(captions) == 5  # one figure, four tables
    assert "links to" not in papers["N18-3011"].text  # a label in that figure


@pytest.mark.data
def test_references_are_one_paragraph_each(papers):
    for paper, count in (("00208", 27), ("00129", 28), ("N18-3011", 27)):
        (references,) = of_kind(papers[paper], SectionKind.REFERENCES)
        assert len(references.split("\n\n")) == count, paper


@pytest.mark.data
def test_page_offsets_begin_with_the_first_words_of_pages(papers):
    pages = papers["N18-3011"].meta["pages"]
    text = papers["N18-3011"].text
    starts = ["Construction of the", "2016), and assume", "Although some publishers"]
    assert [text[at:].startswith(start) for at, start in zip(pages, starts, strict=False)] == [True, True, True]
    assert pages == sorted(pages)
    assert len(pages) == 8
