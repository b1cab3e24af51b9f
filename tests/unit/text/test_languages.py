"""Telling languages apart, and analysing each document in its own."""

import pickle

import pytest

from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.reading import language_identification
from keywright.reading.language_identification import detect_language
from keywright.text import languages
from keywright.text.languages import ByLanguage, TaggedAnalyser

SENTENCES = {
    "en": "The grid scheduler waits for the slowest of its workers, and this is what we measure in the following.",
    "de": "Der Planer wartet auf den langsamsten seiner Arbeiter, und das ist es, was wir im Folgenden messen.",
    "fr": "Le planificateur attend le plus lent de ses ouvriers, et c'est ce que nous mesurons dans la suite.",
    "es": "El planificador espera al más lento de sus obreros, y esto es lo que medimos en lo que sigue.",
    "it": "Il pianificatore attende il più lento dei suoi operai, e questo è ciò che misuriamo nel seguito.",
    "pt": "O planejador espera pelo mais lento de seus operários, e isso é o que medimos a seguir, com uma medida.",
    "nl": "De planner wacht op de traagste van zijn arbeiders, en dat is wat we in het volgende meten.",
    "sv": "Planeraren väntar på den långsammaste av sina arbetare, och det är vad vi mäter i det följande.",
    "ru": "Планировщик ждёт самого медленного из своих рабочих, и это то, что мы измеряем в этой работе.",
    "ar": "ينتظر المجدول أبطأ عماله، وهذا هو ما نقيسه في هذا البحث من أجل أن نعرف كيف يمكن أن يكون أسرع.",
    "zh": "调度器等待最慢的工作者，这就是我们在下文中测量的内容。",
    "ja": "スケジューラは最も遅い作業者を待ちます。これが以下で測定するものです。",
    "ko": "스케줄러는 가장 느린 작업자를 기다리며, 이것이 우리가 다음에서 측정하는 것이다.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_told(language):
    assert detect_language(SENTENCES[language]) == language


def test_function_words_tell_english_without_the_model(monkeypatch):
    monkeypatch.setattr(language_identification, "_model", lambda: 1 / 0)
    assert detect_language(f"{SENTENCES['en']} The planner is not in the way of those that wait for it.") == "en"
    with pytest.raises(ZeroDivisionError):
        detect_language(SENTENCES["nl"] * 5)


@pytest.mark.parametrize("text", ["", "...", "12 13 14", "x y z", "f(x) = a", "C.", "\ud800"])
def test_too_little_text_is_no_language(text):
    assert detect_language(text) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("الشبكات العصبية", "ar"),
        ("νευρωνικά δίκτυα", "el"),
        ("רשתות נוירונים", "he"),
        ("تاریخ ایران باستان و گفتار پژوهش", "fa"),  # its own letters keep it from being taken for Arabic
    ],
)
def test_two_words_of_another_script_are_told(text, language):
    assert detect_language(text) == language


NO_OTHER_LANGUAGE = {
    "ten words": "Adaptive sampling of soil moisture in wireless sensor networks: first results",
    "capitals": "A SURVEY OF SENSOR NETWORKS IN AGRICULTURE AND FOOD SAFETY",
    "bibliography": """[12] J. de la Cruz and A. van den Berg. Routing in ad hoc networks. Proc. INFOCOM, pp. 12-23.
        [13] E. Le Merrer, O. Sa, D. de Souza. Peer counting. Int. J. Comput. Inf. Sci., vol. 3, no. 2, Sao Paulo, 1998.
        [14] L. Di Carlo, P. la Rosa, Data mining e-commerce sites, in: ICDE, San Jose, CA, USA, 2001.""",
    "program": """public static void main(String[] args) throws IOException {
        for (int i = 0; i < n; i++) { a[i] = s.charAt(i); o += i; }  // la la
        if (e == null || la.size() > 0) return; int de = 0; System.out.println(de); }""",
    "table": "n o p e a i\n12 4 5 u i o\n3 o a e 1 0\nde 4 la 5 o 3 a 3",
    "optical noise": "Tlie perforrnance o f wire1ess netw orks i s rneasured u nder h eavy loa d , a nd co mpared",
    "author names": "Maria da Silva, Jan van der Meer, Ana de la Torre, Karl von Stein",
    "thanks": "We thank all who helped, and merci à tous pour le travail that was done in the garden",
    "formulas": "f(x) = a x + b, o(n) = n e; l d s t, m n o p, v i z, k u j",
}


@pytest.mark.parametrize("kind", NO_OTHER_LANGUAGE)
def test_short_and_odd_english_is_taken_for_no_other_language(kind):
    """It is told as English, or not at all, which is then read as English."""
    assert detect_language(NO_OTHER_LANGUAGE[kind]) in {"en", None}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Les effets de l'entraînement sur l'équilibre des personnes âgées", "fr"),
        ("L\N{RIGHT SINGLE QUOTATION MARK}histoire de l\N{RIGHT SINGLE QUOTATION MARK}art et ses musées", "fr"),
        ("Los efectos del clima sobre la producción de los viñedos", "es"),
        ("Os efeitos do clima sobre a produção das vinhas e dos seus frutos", "pt"),
        ("Die Wirkung des Klimas auf den Ertrag der Reben", "de"),
        ("Gli effetti del clima sulla produzione delle viti", "it"),
        ("آثار المناخ على إنتاج الكروم في السنوات الأخيرة", "ar"),
        ("气候对葡萄产量的影响", "zh"),
    ],
)
def test_a_title_is_told(text, language):
    assert detect_language(text) == language


POLISH = """Celem pracy jest ocena wpływu zmian klimatu na plonowanie winorośli w południowej Polsce. Do analizy
    wykorzystano dane z lat 1990-2020, a wyniki porównano z danymi z innych krajów. Na podstawie badań można stwierdzić,
    że do tej pory nie ma to znaczenia. """  # its words do, to, i, a, on and we are English stop words as well


@pytest.mark.parametrize("length", [60, 150, len(POLISH)])
def test_polish_is_not_taken_for_english(length):
    assert detect_language(POLISH[:length]) == "pl"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft", "da"),
        ("Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem", "cs"),
        ("Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek", "hu"),
        ("Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt", "et"),
        ("Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi", "vi"),
        ("มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ", "th"),
        ("सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है", "hi"),
    ],
)
def test_languages_without_a_stop_list_or_with_a_neighbour_are_told(text, language):
    """First article of the Universal Declaration of Human Rights."""
    assert detect_language(text) == language


def test_croatian_and_serbian_are_told_though_they_are_alike():
    """Neither is probable alone: the probabilities of the macrolanguage count together."""
    assert detect_language("Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima") in {
        "bs",
        "hr",
        "sr",
    }
    assert detect_language("Сва људска бића рађају се слободна и једнака у достојанству и правима") == "sr"


def test_more_is_read_where_the_first_characters_do_not_decide():
    numbers = "12.5 13.1 99.4\n" * 200  # 3,000 characters
    assert detect_language(numbers) is None
    assert detect_language(numbers + SENTENCES["sv"]) == "sv"
    assert detect_language("1" * 20_000 + SENTENCES["sv"]) is None
    assert detect_language(SENTENCES["sv"] * 25 + SENTENCES["en"] * 200) == "sv"  # the first 2,000 characters are clear


def test_one_word_of_english_is_english():
    assert detect_language("grid computing") == detect_language("photosynthesis") == "en"


def test_a_document_is_read_in_its_own_language():
    analyser = ByLanguage()
    assert analyser.analyse(Document("a", SENTENCES["fr"])).source.language == "fr"
    assert analyser.analyse(Document("a", SENTENCES["fr"], language="en")).source.language == "en"
    assert ByLanguage("de").analyse(Document("a", SENTENCES["fr"], language="en")).source.language == "de"
    unknown = analyser.analyse(Document("a", "12 13")).source
    assert unknown.language == "en"
    assert unknown.warnings == ("language not recognised; treated as 'en'",)
    assert analyser.analyse(Document("a", " ")).source.warnings == ()


def test_signatures_do_not_depend_on_documents_and_travel():
    analyser = ByLanguage()
    seen = {analyser.analyse(Document("a", text)).analyser for text in SENTENCES.values()}
    assert seen == {analyser.signature} == {pickle.loads(pickle.dumps(analyser)).signature}
    assert ByLanguage("en").signature != analyser.signature


@pytest.mark.parametrize("language", ["English", "", "e", "xx", "enn"])
def test_names_are_no_codes(language):
    with pytest.raises(BadParameter, match="expected an ISO 639-1 code"):
        ByLanguage(language)


TEXT = "Rain gardens hold storm water. The city pays for sand. Old grids failed again."


@pytest.mark.parametrize("at_once", [1, 5, 12])
def test_tags_are_those_of_the_whole_text(monkeypatch, at_once):
    whole = TaggedAnalyser().analyse(Document("a", TEXT))
    monkeypatch.setattr(languages, "_AT_ONCE", at_once)
    pieces = TaggedAnalyser().analyse(Document("a", TEXT))
    assert [pieces.tags[tag] for tag in pieces.tag] == [whole.tags[tag] for tag in whole.tag]


def test_no_tokens_no_tags():
    empty = TaggedAnalyser().analyse(Document("a", ""))
    assert (len(empty.tag), empty.tags) == (0, ())
