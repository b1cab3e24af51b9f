"""Tokens of single chunks, by hand, and what holds of the tokens of any chunk."""

import time
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from keywright.core.documents import Case
from keywright.text.tokens import _WORD, _compile_pattern, _cut_by_pattern, case_of, cut, cut_terms


class Token(NamedTuple):
    text: str
    start: int
    symbolic: bool
    closes: bool


def tokenise(chunk):
    return tuple(map(Token._make, cut(chunk)))


TABLE = {
    # words and signs
    "network": "network",
    "network,": "network ,",
    "(networks);": "( networks ) ;",
    "“Yes,”": "“ Yes , ”",
    "'quoted'": "' quoted '",
    "--": "--",
    "word--word": "word -- word",
    "a—b": "a — b",
    "p<0.05": "p < 0.05",
    "&": "&",
    # abbreviations keep their stops when these stand inside
    "e.g.,": "e.g. ,",
    "(i.e.": "( i.e.",
    "U.S.": "U.S.",
    "J.R.R.": "J.R.R.",
    "al.": "al .",
    # citations
    "[10,": "[ 10 ,",
    "15].": "15 ] .",
    "end.[3]": "end . [ 3 ]",
    # formulas
    "O(n^2)": "O ( n ^ 2 )",
    "x=y": "x = y",
    "x_i": "x_i",
    "__init__": "__ init __",
    "α-helix": "α-helix",
    "x²": "x²",
    # addresses, without the punctuation behind them
    "http://a.b/c?d=e.": "http://a.b/c?d=e .",
    "(https://x.org/a-b).": "( https://x.org/a-b ) .",
    "www.example.com,": "www.example.com ,",
    "jane.doe+x@cs.example.org;": "jane.doe+x@cs.example.org ;",
    "user@host": "user @ host",
    # compounds stay whole
    "peer-to-peer": "peer-to-peer",
    "state-of-the-art.": "state-of-the-art .",
    "client/server-based": "client/server-based",
    "TCP/IP,": "TCP/IP ,",
    "non‑breaking": "non‑breaking",
    "and&": "and &",
    "-5": "- 5",
    # apostrophes
    "Porter's": "Porter 's",
    "James’s": "James ’s",
    "PORTER'S": "PORTER 'S",
    "authors'": "authors '",
    "don't": "don't",
    "O'Neil": "O'Neil",
    "l’analyse": "l’ analyse",
    "(dell'arte": "( dell' arte",
    "qu’il": "qu’ il",
    "o'clock": "o'clock",
    "aujourd'hui": "aujourd'hui",
    # names that are not only letters
    "C++,": "C++ ,",
    "C#-based": "C#-based",
    ".NET": ".NET",
    "(.NET)": "( .NET )",
    "AT&T's": "AT&T 's",
    "IL-6": "IL-6",
    "COVID-19": "COVID-19",
    "EU": "EU",
    "k-means++": "k-means++",
    "#tag": "# tag",
    "$5": "$ 5",
    # numbers
    "3.14": "3.14",
    "3.14.": "3.14 .",
    "1,000": "1,000",
    "50%": "50%",
    "1,000.5%)": "1,000.5% )",
    "10:30": "10:30",
    "802.11b": "802.11b",
    "2.4GHz": "2.4GHz",
    "12a": "12a",
    # ellipses
    "...": "...",
    "wait...": "wait ...",
    "wait…": "wait …",
    # scripts: Han by character, kana by run, all others by blank; marks stay in their words
    "神经网络。": "神经 网络 。",
    "ニューラルネット": "ニューラルネット",
    "学習する": "学習 する",
    "ﾊﾟﾀｰﾝ": "ﾊﾟﾀｰﾝ",
    "중앙신경망은": "중앙신경망은",
    "(الشَّبَكة،": "( الشَّبَكة ،",
    "שָׁלוֹם": "שָׁלוֹם",
    "न्यूरल": "न्यूरल",
    "நரம்பு": "நரம்பு",
    "น้ำแข็ง": "น้ำแข็ง",  # ice, of water and hard
    "中文English混合": "中文 English 混合",
    # invisible signs and ligatures inside words
    "co\u00adoperate": "co\u00adoperate",
    "می\u200cخواهم": "می\u200cخواهم",
    "coeﬃcient": "coeﬃcient",
    "e\u0301te\u0301": "e\u0301te\u0301",
}
ENDING = ["3.14.", "wait...", "wait…", "Hello!", "why?)", "end.)", "“Yes.”", "15].", "神经网络。", "کیا؟", "है।", "no."]
NOT_ENDING = [
    *("e.g.", "(i.e.", "al.", "Fig.", "U.S.", "A.", "J.R.R.", "Dr.", "Ph.D.", "vs.", "etc."),
    *("network", "network,", "(a)", "x.y", ".NET", "3.14", "end.[3]", "“al."),
]
SYMBOLIC = {"http://a.b/c", "ftp://a.b", "www.a.org", "a@b.org", "x_i"}
CASES = {
    **dict.fromkeys(("network", "神", "الشبكة", "12", "...", "k-means", "π"), Case.LOWER),
    **dict.fromkeys(("Network", "A", "Peer-to-peer", "Éclair", "İ"), Case.CAPITAL),
    **dict.fromkeys(("DNA", "TCP/IP", "IL-6", "ΔΣ"), Case.UPPER),
    **dict.fromkeys(("HyARM", "mRNA", "MP3s", "McDonald", "Client-Server"), Case.MIXED),
}

ANY = st.text(st.characters(codec=None)).map(lambda text: "".join(text.split()))
PIECES = st.sampled_from([*"abZ19.,:;-–'’/&_+#%@()[]^神か\u0301\u200b\u00ad", "www.", "http://", "'s", "e.g."])
LIKELY = st.lists(PIECES, max_size=12).map("".join)


@pytest.mark.parametrize("chunk", TABLE)
def test_tokens_of_a_chunk(chunk):
    assert [token.text for token in tokenise(chunk)] == TABLE[chunk].split(" ")


@pytest.mark.parametrize("chunk", ENDING)
def test_the_last_token_may_end_a_sentence(chunk):
    assert [token.closes for token in tokenise(chunk)][-1]
    assert not any(token.closes for token in tokenise(chunk)[:-1])


@pytest.mark.parametrize("chunk", NOT_ENDING)
def test_no_token_ends_a_sentence(chunk):
    assert not any(token.closes for token in tokenise(chunk))


def test_a_chinese_full_stop_ends_a_sentence_inside_a_chunk():
    assert [token.text for token in tokenise("你好。再见！走") if token.closes] == ["。", "！"]


@pytest.mark.parametrize("chunk", [*TABLE, *sorted(SYMBOLIC)])
def test_addresses_and_formulas_are_symbolic(chunk):
    found = {token.text for token in tokenise(chunk) if token.symbolic}
    known = SYMBOLIC | {"http://a.b/c?d=e", "https://x.org/a-b", "www.example.com", "jane.doe+x@cs.example.org"}
    assert found == known & set(TABLE.get(chunk, chunk).split(" "))


@pytest.mark.parametrize("text", CASES)
def test_case_of_a_token(text):
    assert case_of(text) == CASES[text]


@given(st.one_of(ANY, LIKELY).filter(bool))
@example("a\x00b")
@example("\ud800")
@example("\u200b")
def test_every_character_is_in_one_token(chunk):
    tokens = tokenise(chunk)
    assert "".join(token.text for token in tokens) == chunk
    assert [token.start for token in tokens] == [len("".join(t.text for t in tokens[:at])) for at in range(len(tokens))]


@pytest.mark.parametrize("function", [cut, cut_terms])
@pytest.mark.parametrize(
    "piece",
    [
        "ab.",
        ".",
        "字",
        "a@",
        "a@b.",
        "http://.",
        "www.",
        "1,",
        "a-",
        "_a",
        "'s",
        "e.g.",
        "a+",
        "a\u0301",
        "aB/+",
        "I,",
        "é,A,",
    ],
)
def test_a_long_chunk_takes_no_more_than_its_share(piece, function):
    def seconds(times):
        begin = time.process_time()
        function(piece * times + "a@")
        return time.process_time() - begin

    # ten times as long takes ten times as long; a square would be a hundred, and other work disturbs single runs
    most = 50 * max(min(seconds(2_000) for _ in range(3)), 1e-3)
    assert any(seconds(20_000) < most for _ in range(5))


def test_a_long_word_of_any_script_takes_no_more_than_its_share():
    # one letter in seven of all scripts; with two ways to read each letter of a word, 20 of them took two seconds
    letters = filter(str.isprintable, map(chr, range(0x21, 0xFFFF, 7)))
    begin = time.process_time()
    for letter in letters:
        cut_terms(20 * letter)
    assert time.process_time() - begin < 5


@given(st.text(alphabet="ab.,-)(;:10\"[]'AB@/_%+`é−αжế한ﬁ’–XIV", min_size=1, max_size=12))
@example("tiếng")
@example("한국어")
@example("ﬁnal")
@example("Navier–Stokes")
def test_short_ways_find_what_the_pattern_finds(chunk):
    assert cut(chunk) == _cut_by_pattern(chunk, _compile_pattern(_WORD, has_terms=False, has_address=True))
    assert cut_terms(chunk) == _cut_by_pattern(chunk, _compile_pattern(_WORD, has_terms=True, has_address=True))
