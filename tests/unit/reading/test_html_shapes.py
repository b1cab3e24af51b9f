"""Pages: each sentence that a person sees is read once, in order and apart, or counted; and no trafilatura."""

from pathlib import Path

import pytest

from keywright.core.documents import Document, cover_sections
from keywright.core.documents import SectionKind as Kind
from keywright.reading.formats import format_of, html
from keywright.reading.formats.html import read_html
from keywright.reading.limits import Limits

SENTENCES = (
    "The borehole heat exchanger is filled with a brine of glycol.",
    "Its pump runs at night when the price of power is low.",
    "A buffer tank keeps the floor warm until the late morning.",
    "Most of the houses in this street share one deep well.",
    "The meter reports every fault of the valve to the owner.",
    "Old radiators need hotter water than the new ones do.",
)
FILLER = "".join(
    f"<p>Paragraph {number} says that geothermal loops last for decades, cost little, and need hardly any care.</p>"
    for number in range(1, 9)
)
SHAPES = {
    "bare text below a heading": "<div><h1>Heat report</h1>S0 S1 S2</div>",
    "text behind the end of the page": "<html><body><p>S0</p></body></html>S1 <i>S2</i><p>S3",
    "text in a drawing": "<p>S0</p><svg><text>S1</text></svg><p>S2</p>",
    "text in a field": "<p>S0</p><textarea>S1</textarea><p>S2</p>",
    "a frame with its page": '<p>S0</p><iframe srcdoc="<p>S1</p>"></iframe><p>S2</p>',
    "text hidden from readers": "<p>S0</p><p aria-hidden=true>S1</p><p>S2</p>",
    "bare text between headings": "<h2>A</h2>S0 S1<h2>B</h2>S2 S3",
    "bare text of the body": "S0 S1 S2",
    "bare text beside paragraphs": "S0<p>S1</p>S2<p>S3</p>S4",
    "bare text in a section": "<section>S0<h2>Second</h2>S1 <b>S2</b> S3</section>",
    "center in a paragraph": "<article><p>S0 <center>S1</center> S2</p></article>",
    "center": "<center>S0</center><center><h2>H</h2>S1</center>",
    "custom elements": "<my-page><my-card>S0</my-card><my-card>S1 <my-word>S2</my-word></my-card></my-page>",
    "custom elements in an article": "<article><x-lead>S0</x-lead><p>S1</p><x-note>S2</x-note></article>",
    "blocks in paragraphs": "<p>S0<div>S1</div>S2</p><p>S3",
    "lists": "<ul><li>S0</li><li>S1</li></ul><ol><li>S2<li>S3</ol>",
    "nested lists": "<ul><li>S0<ul><li>S1</li><li>S2</li></ul>S3</li><li>S4</li></ul>",
    "lists in an article": "<article><h1>T</h1><p>S0</p><ul><li>S1</li><li><p>S2</p><p>S3</p></li></ul></article>",
    "lists without items": "<ul>S0<li>S1</li>S2</ul>",
    "menu and dir": "<dir><li>S0</dir><menu><li>S1</menu>",
    "definition lists": "<dl><dt>S0</dt><dd>S1</dd><dt>S2<dd>S3</dl>",
    "definition lists in groups": "<dl><div><dt>S0</dt><dd>S1<p>S2</p></dd></div></dl>",
    "details": "<details><summary>S0</summary>S1<p>S2</p></details>",
    "open details": "<details open><summary>S0</summary><div>S1</div></details>",
    "tables": "<p>S0</p><table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table><p>S1</p>",
    "tables of the layout": "<table><tr><td width=100>S0<p>S1</p></td><td><h2>H</h2>S2</td></tr></table>",
    "tables of the layout, nested": "<table><tr><td><table><tr><td>S0<br>S1</td></tr></table></td></tr></table>",
    "tables with a role": '<table role="presentation"><tr><td>S0</td><td>S1</td></tr></table>',
    "captions of tables": "<p>S0</p><table><caption>S1</caption><tr><td>1</td></tr></table><p>S2</p>",
    "captions of figures": "<figure><img src=a.png><figcaption>S0</figcaption></figure><p>S1</p>",
    "text in figures": "<p>S0</p><figure>S1<figcaption><p>S2</p>S3</figcaption></figure>",
    "figures of quotes": "<figure><blockquote><p>S0</p></blockquote><figcaption>S1</figcaption></figure>",
    "block quotes": "<blockquote>S0<p>S1</p></blockquote><blockquote><footer>S2</footer></blockquote><p>S3 S4 S5</p>",
    "preformatted": "<p>S0</p><pre>S1\nS2</pre><p>S3</p>",
    "preformatted alone": "<pre>S0\nS1\n\nS2</pre>",
    "breaks": "<p>S0<br>S1<br/>S2</p>",
    "double breaks": "<div>S0<br><br>S1<br>\n<br>S2</div>",
    "rules": "S0<hr>S1<hr>S2",
    "address": "<p>S0</p><address>S1<br>S2</address>",
    "nested articles": "<article><p>S0</p><article><h2>H</h2><p>S1</p></article><p>S2</p></article>",
    "several articles": "<article>S0</article><article><p>S1</article><article><div>S2</div></article>",
    "header of an article": "<article><header><h1>T</h1><p>S0</p></header><p>S1</p><footer>S2</footer></article>",
    "main with aside": "<main><p>S0</p><p>S1</p><aside><p>S2</p></aside><p>S3</p></main>",
    "frames": "<frameset cols='1,2'><frame src=a.html><noframes><body><p>S0</p>S1</body></noframes></frameset>",
    "inner frames": "<p>S0</p><iframe src='a.html'></iframe><p>S1</p>",
    "objects": "<p>S0</p><object data='a.swf'><p>S1</p></object><p>S2</p>",
    "forms": "<p>S0 S1 S2</p><form><label>S3</label><input><fieldset><legend>S4</legend></fieldset></form>",
    "a form around all": "<form><div><p>S0</p><div>S1</div><span>S2</span></div></form>",
    "buttons": "<p>S0 S1 S2 S3</p><button>S4</button><p>S5</p>",
    "options": "<p>S0 S1 S2</p><select><option>S3<option>S4</select>",
    "links": "<p>S0</p><p><a href=x>S1</a></p><div><a href=y>S2</a></div><p>S3</p>",
    "links alone": "<ul><li><a href=a>S0</a></li><li><a href=b>S1</a></li><li><a href=c>S2</a></li></ul>",
    "inline elements": "<p>S0 <i>S1</i><b>S2</b><span>S3</span> <font color=red>S4</font><u>S5</u></p>",
    "spans without paragraphs": "<div><span>S0</span> <span>S1</span></div><span>S2</span>",
    "insertions": "<ins><p>S0</p></ins><p><ins>S1</ins> <mark>S2</mark></p>",
    "headings of many levels": "<h1>S0</h1><h3>S1</h3><p>S2</p><h6>S3</h6>S4",
    "two titles": "<h1>S0</h1><p>S1</p><h1>S2</h1><p>S3</p>",
    "groups of headings": "<hgroup><h1>S0</h1><p>S1</p></hgroup><p>S2</p>",
    "a heading in a link": "<a href=x><h2>S0</h2><p>S1</p></a><p>S2</p>",
    "dialogues": "<p>S0</p><p>S1</p><dialog open><p>S2</p></dialog><p>S3</p>",
    "ruby": "<p>S0 <ruby>S1</ruby></p><p>S2</p>",
    "unclosed": "<p>S0<div>S1<ul><li>S2<p>S3",
    "wrongly nested": "<b><p>S0</b> S1</p><i><div>S2</i> S3</div></p></div>",
    "stray closings": "</div><p>S0</p></body></html><p>S1</p>S2",
    "unknown tags": "<o:p>S0</o:p><w:x y=z>S1</w:x><foo bar>S2",
    "ends in a tag": "<p>S0</p><p>S1</p><a href='",
    "deep": "<div>" * 200 + "S0" + "<div>" * 20 + "<p>S1</p>" + "</div>" * 220 + "<p>S2</p>",
    "deeper": "<div>" * 600 + "S0" + "</div>" * 600 + "<p>S1</p>",
    "unclosed inline elements": "<p>S0 S1 " + "<b><font size=2>x " * 200 + "S2<p>S3</p>S4",
    "text after the body": "<p>S0</p></body>S1",
    "text in the head": "<title>T</title></head><p>S0</p><body><p>S1</p>",
    "a frame of names": '<div class="menu-page cookie"><div id="sidebar-left"><p>S0</p><p>S1</p></div></div>',
    "named parts": '<p>S0 S1 S2</p><div class="related"><p>S3</p></div><div class=promo>S4</div><p>S5</p>',
    "menus": "<nav><a href=a>S0</a></nav><p>S1</p><p>S2</p><footer>S3</footer>",
    "only a menu": "<nav><p>S0</p></nav><footer>S1</footer>",
    "role of furniture": '<p>S0</p><p>S1</p><p>S2</p><div role="complementary">S3</div>',
    "cards": "<div class=card><h3>One</h3>S0</div><div class=card><h3>Two</h3>S1</div><div class=card>S2</div>",
    "lines of cells": "<table><tr><td>8:10<br>S0<br>bring cups</td><td>9</td></tr></table><p>S1</p>",
    "lists in cells": "<table><tr><td><dl><dt>A</dt><dd>S0</dd></dl></td><td><i>S1</i> Track 2</td></tr></table>",
    "text around cells": "<table>S0<tr>S1<td>1</td></tr></table><p>S2</p>",
    "tabs": "<a href='#b'>B</a><p id=a>S0</p><p id=b style='display:none'>S1</p><div role=tabpanel hidden>S2</div>",
    "accordions": "<b aria-controls=p>Q</b><div id=p hidden>S0</div><div class=faq-a style='display:none'>S1</div>",
    "text behind a button": "<p>S0 <i id=rest style='display:none'>S1</i></p><a onclick='f(\"rest\")'>+</a><p>S2</p>",
    "parts with a state": "<style>.x{display:none} .x.on, a:hover > .y{display:block} .y{display:none}</style>"
    "<p class=x>S0</p><p class='x on'>S1</p><p class=y>S2</p>",
    "sheets without scripts": "<noscript><style>.app{display:none}</style></noscript><div class=app>S0</div><p>S1</p>",
    "slots": "<x-a><template shadowrootmode=open><slot name=b></slot><p>S1</template><p>S2</p><p slot=b>S0</p></x-a>",
    "a slot for all": "<x-a><template shadowrootmode=open><slot></slot><p>S1</p></template><p>S0</p></x-a><p>S2</p>",
    "text for browsers without frames": "<p>S0</p><noframes>Use another.</noframes><p>S1</p>",
    "a heading repeated": "<h2>S0</h2><ul><li>S1</li></ul><h2>S2</h2><ul><li>S3</li></ul>",
}  # fmt: skip


def fill(shape: str) -> str:
    for number, sentence in enumerate(SENTENCES):
        shape = shape.replace(f"S{number}", sentence)
    return shape


@pytest.fixture(params=[True, False], ids=["trafilatura", "plainly"])
def reader(request, monkeypatch):
    if not request.param:
        monkeypatch.setattr(html, "has_trafilatura", lambda: False)


def find_faults(text: str, shape: str) -> list[str]:
    """Return what is wrong with the sentences of a shape in the text of its page."""
    sentences = [sentence for number, sentence in enumerate(SENTENCES) if f"S{number}" in shape]
    faults = [f"{text.count(sentence)} times: {sentence}" for sentence in sentences if text.count(sentence) != 1]
    places = [text.find(sentence) for sentence in sentences if sentence in text]
    if places != sorted(places):
        faults.append("out of order")
    for sentence in sentences:
        before, _, after = text.partition(sentence)
        if sentence in text and (before[-1:].strip() or after[:1].strip()):
            faults.append(f"not apart: {sentence}")
    return faults


def read(body: str) -> Document:
    return html.read_html(f"<html><head><body>{body}".encode(), "x.html", Limits())


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("around", ["{}", FILLER + "{}", "{}" + FILLER], ids=["alone", "below", "above"])
def test_each_sentence_is_read_once_in_order_or_counted(around):
    documents = {name: read(around.format(fill(shape))) for name, shape in SHAPES.items()}
    faults = {name: find_faults(document.text, SHAPES[name]) for name, document in documents.items()}
    uncounted = [name for name, document in documents.items() if "left out: " not in " ".join(document.warnings)]
    assert {name: faults[name] for name in uncounted if faults[name]} == {}


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="color:red; display : none">{}</div>', "<p hidden>{}</p>", '<span aria-hidden="true">{}</span>',
        '<div style="visibility:hidden"><p>{}</p></div>', "<script>{}</script>", "<template><p>{}</p></template>",
        "<noscript>{}</noscript>", "<dialog><p>{}</p></dialog>", "<style>{}</style>", "<!-- {} -->", "<?php {} ?>",
        "<div style=display:none><div hidden>{}</div></div>", "<p popover>{}</p>",
        "<style>.trap, #x {{ color: red; display : none !important }}</style><p class='a trap'>{}</p>",
        "<style>/* .b {{ }} */ #b {{display:none}}</style><p id=b>{}</p>",
    ],
)  # fmt: skip
def test_what_nobody_sees_is_not_read(hidden):
    assert "street" not in read(f"{FILLER}{fill(hidden.format('S3'))}<p>{SENTENCES[4]}</p>").text


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    "shown",
    [
        '<p hidden="until-found">{}</p>', "<my-card><template shadowrootmode=open><p>{}</p></template></my-card>",
        "<style>@media print {{ .a {{display:none}} }}</style><p class=a>{}</p>",
        "<style>.a {{display:none}} .a {{display:block}}</style><p class=a>{}</p>",
        "<style>.menu .a {{display:none}}</style><p class=a>{}</p>",
    ],
)  # fmt: skip
def test_what_is_shown_is_read(shown):
    assert SENTENCES[3] in read(f"{FILLER}{fill(shown.format('S3'))}<p>{SENTENCES[4]}</p>").text


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("hidden", ["<div style=display:none>{}</div>", "<noscript>{}</noscript>", "<p hidden>{}</p>"])
def test_hidden_sentences_are_told(hidden):
    assert "left out: 1 hidden part" in " ".join(read(FILLER + fill(hidden.format("S3"))).warnings)


def test_a_page_for_browsers_without_scripts_is_read():
    assert SENTENCES[0] in read(fill("<script>var a = 'many words of a program';</script><noscript>S0</noscript>")).text


def test_passages_without_markup_are_read_in_pages_of_xml():
    page = fill("<?xml version='1.0'?><html><body><p>S0</p><p><![CDATA[S1 <b>]]></p></body></html>")
    assert read_html(page.encode(), "x.xhtml", Limits()).text.split("\n\n") == [SENTENCES[0], f"{SENTENCES[1]} <b>"]


@pytest.mark.usefixtures("reader")
def test_a_page_that_scripts_show_is_read_although_it_is_hidden():
    assert SENTENCES[0] in read(f"<div style='display:none'><p>{SENTENCES[0]}</p></div>").text


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ('a heat exchanger<a class="footnote-ref"><sup>1</sup></a> in a well.', "a heat exchanger in a well."),
        ("a heat exchanger<sup><a href=#fn1>[1]</a></sup><sup>[2]</sup> in a well.", "a heat exchanger in a well."),
        ("a heat exchanger<sup><i>[<a>citation needed</a>]</i></sup> in a well.", "a heat exchanger in a well."),
        ("The gas CO<sub>2</sub> in 10<sup>3</sup> wells.", "The gas CO2 in 103 wells."),
        ("The <ix:nonNumeric name='x'>Acme</ix:nonNumeric> company drills.", "The Acme company drills."),
        ("The 1<sup>st</sup> well<wbr>head of it.", "The 1st wellhead of it."),
    ],
)
def test_marks_of_notes_are_dropped_and_raised_words_stay(marked, text):
    assert read(f"<p>{marked}</p>").text == text


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    ("broken", "blocks"),
    [
        ("Acme Ltd<br>12 High Street<br>Leeds", ["Acme Ltd", "12 High Street", "Leeds"]),
        ("a line of text that some program has broken<br>although the sentence goes on", 1),
        ("<p><span>20 mins</span><span>Serves 4</span> of us</p>", ["20 mins Serves 4 of us"]),
        ("<p>See <b>You</b>Tube for the p<i>H</i></p>", ["See YouTube for the pH"]),
        ("<h2>A long heading<br>Of two lines</h2>S0", ["A long heading Of two lines", SENTENCES[0]]),
    ],
)
def test_breaks_divide_lines_that_are_apart(broken, blocks):
    assert read(fill(broken)).text.split("\n\n") == (
        blocks if isinstance(blocks, list) else [broken.replace("<br>", " ")]
    )


@pytest.mark.usefixtures("reader")
def test_short_lines_beside_the_main_text_are_notices():
    page = f"<h1>Wells</h1>{FILLER}<ul><li><a href=x>Other page</a></li><li><a href=y>Next page</a></li></ul>"
    document = read(page)
    assert [
        document.text[section.start : section.end] for section in document.sections if section.kind == Kind.NOTICE
    ] == ["Other page\n\nNext page"]


def test_annual_reports_with_inline_elements_of_xbrl_are_pages():
    report = """<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Report</title>
    </head><body><div style="display:none"><ix:header><ix:hidden>0001</ix:hidden></ix:header></div>
    <div><span><ix:nonNumeric contextRef="c">S0</ix:nonNumeric></span></div><div><span>S1</span></div></body></html>"""
    data = fill(report).encode()
    document = format_of(data, "report.htm").load()(data, "report.htm", Limits())
    assert document.text.split("\n\n") == ["Report", *SENTENCES[:2]]


EXAMPLES = Path(__file__).parents[3] / "examples"
WORDS = "Sand filters the water that runs from roofs before it reaches the garden and the drain below"  # 17 words
CLAY = "Clay keeps the water of the last storm for weeks and feeds the roots of every young tree"  # 18 words


@pytest.fixture
def plainly(monkeypatch):
    monkeypatch.setattr(html, "has_trafilatura", lambda: False)


def page(body: str) -> list[str]:
    """Return the blocks of the main text of a page: those that are not notices."""
    document = read_html(f"<html><body>{body}</body></html>".encode(), "x.html", Limits())
    sections = (section for section in cover_sections(document) if section.kind != Kind.NOTICE)
    text = "".join(document.text[section.start : section.end] for section in sections)
    return [block for block in text.split("\n\n") if block]


def link(words: str) -> str:
    return f'<p><a href="x">{words}</a></p>'


@pytest.mark.usefixtures("plainly")
def test_the_example_is_read_without_menus_and_notes():
    document = read_html((EXAMPLES / "article.html").read_bytes(), "article.html", Limits())
    for word in ("tracking", "color", "All issues", "newsletter", "Weight"):
        assert word not in document.text
    assert (document.section(Kind.ABSTRACT) or "").startswith("When libraries")
    assert (document.section(Kind.CONCLUSION) or "").startswith("Duplicate detection")
    assert document.section(Kind.CAPTION) == "Figure 1: Sizes of blocks in the union catalogue."
    assert '".[html]"' in document.warnings[-1]


@pytest.mark.usefixtures("reader")
def test_words_for_screen_readers_and_links_to_edit_are_not_text():
    parts = '<h2>Use<span class="mw-editsection">[edit]</span></h2><p>{} <span class="x sr-only">(opens)</span></p>'
    assert read(parts.format(SENTENCES[0])).text == f"Use\n\n{SENTENCES[0]}"


@pytest.mark.usefixtures("plainly")
def test_a_page_that_is_read_whole_has_no_warning():
    assert read_html(b"<p>Just this.", "x.html", Limits()).warnings == ()


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize(
    "furniture",
    [
        '<div role="navigation"><p>{}</p></div>', '<div class="page-sidebar"><p>{}</p></div>',
        '<div id="cookieBanner"><p>{}</p></div>', "<div hidden><p>{}</p></div>", "<footer><p>{}</p></footer>",
        '<div aria-hidden="true"><p>{}</p></div>',
    ],
)  # fmt: skip
def test_parts_with_the_role_or_name_of_furniture_are_left_out(furniture):
    assert page(f"<p>{WORDS}</p><p>{WORDS}</p>{furniture.format('We ' + WORDS)}") == [WORDS, WORDS]


@pytest.mark.usefixtures("plainly")
def test_a_frame_around_everything_is_not_furniture_whatever_its_name():
    assert page(f'<div class="with-sidebar"><p>{WORDS}</p></div>') == [WORDS]


@pytest.mark.usefixtures("plainly")
def test_short_items_of_an_article_stay_and_its_lists_of_links_do_not():
    article = f"<article><p>{WORDS}</p><p>Sand</p><p>Two</p><ul><li>{link('Other article')}</li></ul></article>"
    assert page(f"<p>Home page</p>{article}") == [WORDS, "Sand", "Two"]


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize(
    ("blocks", "text"),
    [
        # words: above 16 content by itself; a short one is content after 5 words or before 16.
        ([WORDS, "one two"], [WORDS, "one two"]),
        (["one two", WORDS], ["one two", WORDS]),
        ([WORDS, "one two three four", "one two"], [WORDS, "one two three four"]),
        # after a block of links: content with 41 words itself, or with 18 words in the next block.
        ([WORDS, "", CLAY], [WORDS]),
        ([WORDS, "", f"{CLAY} {CLAY} {CLAY}"], [WORDS, f"{CLAY} {CLAY} {CLAY}"]),
        (["", WORDS, CLAY], [WORDS, CLAY]),
    ],
)
def test_the_decision_tree(blocks, text):
    assert page("".join(f"<p>{words}</p>" if words else link("Read more") for words in blocks)) == text


@pytest.mark.usefixtures("plainly")
def test_a_page_too_small_for_a_main_text_is_read_whole():
    assert page("<p>One.</p><p>Two.</p>") == ["One.", "Two."]
