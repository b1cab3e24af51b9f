"""Documents for checks, written for this project: one ordinary article, and inputs that break careless systems."""

from typing import Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind

_TITLE = "Noise maps from bicycle microphones"
_ABSTRACT = (
    "City noise maps are computed from traffic counts, and measured almost nowhere. We fitted forty bicycles with "
    "calibrated microphones and collected street noise along daily rides. A noise map drawn from the bicycle "
    "microphones agrees with fixed measurement stations to within two decibels, and it shows quiet side streets that "
    "traffic counts cannot show."
)
_BODY = (
    "Fixed measurement stations are accurate but few. Traffic counts are many but say little about side streets. "
    "Bicycle microphones stand between the two: each ride passes a street once, in a few seconds, with wind and "
    "rattling chains in the recording.\n\n"
    "Wind noise is the main difficulty. Each microphone sits behind a foam wind-screen, and recordings above twenty "
    "kilometres per hour are left out. Street noise is then averaged over rides, and every street segment keeps the "
    "number of rides beside its mean level, so that a noise map can leave a segment blank where rides are few.\n\n"
    "The noise map was compared with twelve measurement stations. Side streets were quieter than the traffic counts "
    "suggested. Wind screens mattered more than the price of the microphones."
)


def _article() -> Document:
    """Build the ordinary case, with title, abstract and body."""
    text = f"{_TITLE}\n\n{_ABSTRACT}\n\n{_BODY}"
    abstract = len(_TITLE) + 2
    sections = (
        Section(SectionKind.TITLE, 0, len(_TITLE)),
        Section(SectionKind.ABSTRACT, abstract, abstract + len(_ABSTRACT)),
    )
    return Document("article", text, sections, language="en")


ARTICLE: Final = _article()
EMPTY: Final = Document("empty", "", language="en")
NOTE: Final = Document(
    "note",
    "Rain gardens hold storm water back. A rain garden needs sandy soil, and storm water leaves it within two days.",
    language="en",
)
UNUSUAL: Final = (
    Document("blank", " \n\t \n\n ", language="en"),
    Document("one word", "photosynthesis", language="en"),
    Document("punctuation", "... ?! -- ;; (()) “”’ % § * / \n — … :", language="en"),
    Document("stop words", "and the of a to in it is was for on that", language="en"),
    Document("no sentence", "granite basalt\nobsidian granite\nbasalt\n\ngranite", language="en"),
    Document("one word over and over", "tide " * 400, language="en"),
    Document("symbols", "https://example.org/a?b=c a@example.org x_i^2 = 3.14 🌊🌊 I/O C++ l’eau 10-12", language="en"),
    Document("no language", "Glaciers carve valleys. Valleys hold lakes where glaciers melted."),
    Document(
        "french",
        "Les marais salants bordent la côte. L'eau de mer entre dans les marais salants par un étier, puis "
        "s'évapore ; le sel marin se dépose au fond des bassins. La récolte du sel marin dépend du vent.",
        language="fr",
    ),
    Document(
        "arabic",
        "تزرع أشجار النخيل في الواحات. تحتاج أشجار النخيل إلى ماء الآبار، وتعطي التمر في أواخر الصيف. "
        "يجفف المزارعون التمر تحت أشعة الشمس.",
        language="ar",
    ),
    Document("chinese", "茶树生长在潮湿的山坡上。春天采摘的茶叶味道清香。茶叶炒制以后可以保存。", language="zh"),
)  # fmt: skip

LABELLED: Final = (
    LabelledDocument(
        ARTICLE,
        (
            GoldKeyphrase(("noise map",), "author"),
            GoldKeyphrase(("bicycle microphones",), "author"),
            GoldKeyphrase(("street noise", "road noise"), "reader"),
            GoldKeyphrase(("measurement stations",), "reader"),
        ),
    ),
    LabelledDocument(NOTE, (GoldKeyphrase(("rain gardens",), "author"), GoldKeyphrase(("storm water",), "reader"))),
)
"""Training data of checks: enough to have both classes, far too little for good results."""

OTHER_GOLD: Final = tuple(
    GoldKeyphrase((form,), "reader")
    for form in ("side streets", "traffic counts", "wind noise", "fixed measurement stations")
)
"""Other gold of the article, to check the effect of labels."""
