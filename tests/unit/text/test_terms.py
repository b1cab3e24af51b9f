"""Terms with inner signs: one token where people take them for one word, and candidates as people write them."""

from pathlib import Path

import numpy as np
import pytest

import keywright
from keywright.core.documents import Document
from keywright.extraction.candidates.prefilter import find_joints, find_torn, usual_candidates
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key
from keywright.text.tokens import cut, cut_terms

WHOLE = """
    Node.js GPT-3.5 H.264 v2.0 ASP.NET numpy.fft cloud.gov E.coli E.ON 1,2-diol 2,4-D N,N-dimethylformamide 5'-UTR Ph.D.
    LSDA+U UO2+x cis-1,4-polyisoprene iron(III) e+e− Θ+ Socket.IO Data.Gov Win32.Worm four-charm–quark Яндекс.Маркет
    18f.gsa.gov np.linalg.matrix_rank document.getElementById La0.6Sr0.4CoO3−δ UO2−x FEC.gov
    solar_system CD4+ Na+/K+-ATPase San`a Navier–Stokes Vue.js-based C++ C# U.S. X-ray A/B AT&T NF-κB O'Brien TCP/IP
"""
CUT = {
    "end.The": ["end", ".", "The"],
    "Paris.The": ["Paris", ".", "The"],
    "(III)": ["(", "III", ")"],
    "x+y": ["x", "+", "y"],
    "N−1": ["N", "−", "1"],
    "CO2.In": ["CO2", ".", "In"],
    "Node.jsは": ["Node.js", "は"],
    "3–5": ["3", "–", "5"],
    "__init__": ["__", "init", "__"],
    "(Node.js).": ["(", "Node.js", ")", "."],
    "H.264.": ["H.264", "."],
    "a.b@c.de": ["a.b@c.de"],
    "1,000.5": ["1,000.5"],
}
TERMS = """
Alzheimer's disease|Bayes' theorem|shareholders' meeting|women’s health|Node.js|GPT-3.5|1,2-diol|
solar_system|CD4+ T cells|E. coli|T. rex|St. John's wort|San`a|
Intergovernmental Panel on Climate Change|freedom of speech|Ph.D. thesis|SAML 2.0|IEEE 802.11|
COVID-19|A/B testing|C++|AT&T|NF-κB|U.S. Supreme Court|IL-6|C#|X-ray|O'Brien|TCP/IP|
standard of living|Navier–Stokes equations|Parkinson’s disease|Na+/K+-ATPase
"""


@pytest.mark.parametrize("chunk", WHOLE.split())
def test_terms_are_one_token(chunk):
    assert [text for text, *_ in cut_terms(chunk)] == [chunk]


@pytest.mark.parametrize(("chunk", "tokens"), CUT.items())
def test_other_signs_are_tokens(chunk, tokens):
    assert [text for text, *_ in cut_terms(chunk)] == tokens


@pytest.mark.parametrize("chunk", WHOLE.split())
def test_every_character_is_in_one_token_either_way(chunk):
    for tokens in (cut(chunk), cut_terms(chunk)):
        assert "".join(text for text, *_ in tokens) == chunk


@pytest.mark.parametrize("term", "".join(TERMS.split("\n")).split("|"))
def test_terms_can_be_keyphrases(term):
    text = f"We studied {term} for years. The results on {term} are clear, and {term} is a topic of its own."
    texts = keywright.extract(text, top=10_000, language="en").texts
    assert term.lower() in map(str.lower, texts)


def candidates(text: str, language: str = "en") -> list[str]:
    document = TextAnalyser(language, terms=True).analyse(Document("d", text, language=language))
    phrases = usual_candidates(document)
    ends = document.end[phrases.first + phrases.length - 1].tolist()
    return [text[start:end] for start, end in zip(document.start[phrases.first].tolist(), ends, strict=True)]


IN_SENTENCES = Path(__file__).with_name("terms_in_sentences.tsv").read_text("utf-8").splitlines()


@pytest.mark.parametrize(("language", "term", "text"), [line.split("\t") for line in IN_SENTENCES])
def test_terms_of_many_kinds_are_candidates_of_one_sentence(language, term, text):
    assert term.lower() in map(str.lower, candidates(text, language))


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("Type 2 diabetes is rare.", "Type 2"),
        ("Children with type 2 diabetes play.", "Children with type 2"),
        ("She bought 3 apples.", "bought 3 apples"),
        ("Table 2 results are clear.", "Table 2 results"),
        ("The book is Peter's.", "Peter's"),
        ("See https://example.org/a for it.", "https://example.org/a"),
        ("We take N people.", "N"),
        ("Section 3 presents the data.", "Section 3 presents"),
        ("Chapter One is long.", "Chapter One"),
        ("Phones like Alcatel One Touch sell.", "Alcatel One"),
    ],
)
def test_what_looks_like_such_terms(text, absent):
    assert absent not in candidates(text)


@pytest.mark.parametrize(
    ("term", "parts"),
    [
        ("St. John's wort", ("wort", "St. John", "St. John's")),
        ("Symphony No. 5", ("Symphony",)),
        ("Roe v. Wade", ("Roe", "Wade")),
        ("Alzheimer's disease", ("Alzheimer", "disease")),
        ("Chapter 11 bankruptcy", ("Chapter", "bankruptcy")),
        ("Bayes' theorem", ("Bayes", "theorem")),
    ],
)
def test_parts_that_are_in_a_term_alone_come_behind_it(term, parts):
    text = f"People asked about {term} in May. Some books on {term} are old, and {term} is taught in schools."
    texts = keywright.extract(text, top=10_000, language="en").texts
    assert all(texts.index(term) < texts.index(part) for part in parts if part in texts)
    again = f"{text} Whoever reads of {parts[0]} alone wants {parts[0]} explained."
    document = TextAnalyser("en", terms=True).analyse(Document("d", again))
    torn = find_torn(usual_candidates(document), document, find_joints(document))
    named = dict(zip(candidates(again), torn.tolist(), strict=True))
    assert [named[part] for part in parts if part in named] == [part != parts[0] for part in parts if part in named]


@pytest.mark.parametrize(
    "term",
    "first aid|second language acquisition|third party|back pain|land use planning|best practices|least squares|"
    "Down syndrome|decision making|phone call|last mile delivery|new product development".split("|"),
)
def test_stop_words_of_known_terms_begin_and_end_phrases(term):
    text = f"People asked about {term} in May. Some books on {term} are old, and {term} is taught in schools."
    assert keywright.extract(text, top=1, language="en").texts == (term,)


@pytest.mark.parametrize(
    ("language", "text", "terms"),
    [
        ("es", "Se habla de {}. Un libro sobre {} es viejo.", "segunda guerra mundial|tiempo real|mercado de trabajo"),
        ("fr", "On parle de {}. Un livre sur {} est ancien.", "mal de dos|personnes âgées|droits de la personne"),
        ("it", "Si parla di {}. Un libro su {} è vecchio.", "primo soccorso|mercato del lavoro"),
        ("nl", "Men praat over {}. Een boek over {} is oud.", "eerste hulp|derde wereld"),
        ("pt", "Fala-se de {}. Um livro sobre {} é antigo.", "mercado de trabalho|tempo real"),
        ("ru", "Говорили про {}. Книга про {} старая.", "качество жизни|права человека|первая помощь"),
        ("sv", "Man talar om {}. En bok om {} är gammal.", "första hjälpen"),
    ],
)
def test_stop_words_that_are_nouns_or_adjectives_begin_and_end_phrases_of_other_languages(language, text, terms):
    for term in terms.split("|"):
        texts = keywright.extract(text.format(term, term), top=10_000, language=language).texts
        assert term in texts
        assert not {"tiempo", "dos", "personnes", "lavoro", "tempo", "человека", "первая", "derde"} & set(texts)


def test_stop_words_of_no_known_term_begin_and_end_nothing():
    text = "Other people had a new idea for the next house. Many houses have the same roof, which they use."
    phrases = {word for text in keywright.extract(text, top=10_000, language="en").texts for word in text.split()}
    assert phrases.isdisjoint("Other new next Many same use".split())


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "it"])
def test_only_some_languages_leave_out_vowels_before_words(language):
    words = TextAnalyser(language, terms=True).analyse(Document("d", "d'Alembert s’mores O'Neill L'Oréal")).words
    whole = ("d'alembert", "s'mores", "o'neill", "l'oréal")
    assert words == (
        whole if language not in {"fr", "it"} else ("d'", "alembert", "s'", "mores", "o'neill", "l'", "oréal")
    )


def test_possessives_of_a_sentence_tear_nothing():
    text = "The company's revenue rose. The book is Peter's. Johnson & Johnson met Johnson & Johnson."
    document = TextAnalyser("en", terms=True).analyse(Document("d", text))
    assert not find_torn(usual_candidates(document), document, find_joints(document)).any()


def test_a_name_with_its_possessive_again_is_a_candidate():
    assert "McDonald's" in candidates("They met at McDonald's. The boys like McDonald's, and the girls do not.")


def test_signs_inside_terms_are_no_words_and_not_in_keys():
    text = "Bayes' theorem and Bayes theorem, one of Dr. Martens' big shoe factories' old walls."
    document = TextAnalyser("en", terms=True).analyse(Document("d", text))
    phrases = usual_candidates(document)
    theorem = phrases.key == np.uint64(phrase_key("Bayes theorem"))
    assert phrases.frequency[theorem].tolist() == [2]
    assert "Martens' big shoe factories' old" in candidates(text)  # five words and two signs
    assert "Martens' big shoe factories' old walls" not in candidates(text)


def test_systems_of_papers_cut_terms_as_their_papers_do():
    text = "Node.js streams and Node.js buffers use Node.js streams."
    assert "Node.js" not in keywright.extract(text, "tfidf", language="en").texts
    assert TextAnalyser("en").signature != TextAnalyser("en", terms=True).signature


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("en", "He met Capt. Smith on St. John Street in Washington, D.C. The end.", 1),
        ("en", "She has a Ph.D. Thesis work is long. It ends.", 2),
        ("de", "Das sind zehn Mrd. Euro, vgl. Abs. Drei. Ende.", 2),
        ("fr", "Voir la fig. Deux de M. Dupont, éd. Plon. Fin.", 2),
        ("en", "That is all. We go on. The rest is in. Nothing more.", 4),
    ],
)
def test_abbreviations_end_no_sentence(language, text, sentences):
    document = TextAnalyser(language, terms=True).analyse(Document("d", text, language=language))
    assert document.sentence[-1] + 1 == sentences


def test_keys_of_terms_are_those_of_phrases():
    document = TextAnalyser("en", terms=True).analyse(Document("d", "solar_system CD4+ 1,2-diol Node.js"))
    keys = document.word_key[document.word].tolist()
    assert keys == [phrase_key(term) for term in ("solar system", "CD4+", "1 2 diol", "Node js")]


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("It depends on graph G. then the node fails. It depends on G. then.", "G"),
        ("See Figure 2.1 and Table 3.4 and Figure 2.1 again.", "Figure 2.1"),
        ("The company's revenue rose.", "company's"),
        ("He said 'heat pumps' and 'heat pumps' again.", "pumps'"),
    ],
)
def test_signs_alone_make_no_terms(text, absent):
    assert absent not in keywright.extract(text, top=10_000, language="en").texts


@pytest.mark.parametrize("name", ["Windows 10", "Apollo 11", "Boeing 747", "iPhone 15"])
def test_a_name_with_the_same_number_again_can_be_a_keyphrase(name):
    again = f"We looked at {name} for a year. Then the others bought {name} as well."
    assert name in keywright.extract(again, top=1000).texts
    assert name not in keywright.extract(f"We looked at {name} for a year.", top=1000).texts


@pytest.mark.parametrize("part", ["Table 2", "March 12", "Paris 2024", "Step 3"])
def test_numbers_of_parts_days_and_years_are_not_of_names(part):
    text = f"We met as {part} says in the hall. It was {part} that they liked."
    assert part not in keywright.extract(text, top=1000).texts
