"""The page as people use it: every function with scripts, and the same without."""

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest
from tests.house.tree import ROOT
from tests.unit.extraction.ranking.test_absent_phrases import PICTURES

ARTICLE = ROOT / "examples" / "article.pdf"
NOTE = ROOT / "examples" / "note.txt"
TEXT = NOTE.read_text("utf-8")
WITHOUT = {"java_script_enabled": False}
HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> </textarea><b>salt marsh</b> \"' & salt marsh"


def ask(page, text=""):
    """Extract the keyphrases of a text, of the chosen files if there is none."""
    page.fill("#text", text)
    page.click("text=Extract keyphrases")
    page.wait_for_selector("#results article, #message .problem")


def phrases(page):
    """Return the texts of the phrases that a person sees, in the page's order."""
    return [each.get_attribute("data-phrase") for each in page.query_selector_all("[data-rank]") if each.is_visible()]


def saved(page, button):
    """Return the text of the file that a button saves, and its name."""
    with page.expect_download() as download:
        page.click(f"button:text-matches('^{button}$')")
    return Path(download.value.path()).read_text("utf-8"), download.value.suggested_filename


def decide(page, phrase, decision):
    """Choose accept, reject or undecided for a phrase."""
    page.check(f'[data-phrase="{phrase}"] [aria-label="{decision}"]', force=True)


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_a_pasted_text_shows_its_phrases_marked_with_probabilities_and_reasons(open_page, options):
    page = open_page(**options)
    ask(page, TEXT)
    assert phrases(page)[0] == "rain gardens"
    marks = [mark.text_content().casefold() for mark in page.query_selector_all("mark.best")]
    assert sum(mark.startswith("rain garden") for mark in marks) == TEXT.casefold().count("rain garden") > 1
    assert page.text_content(".worth").strip().endswith("%")
    assert not page.is_visible("blockquote")
    page.click("#results summary >> nth=0")
    assert page.is_visible("blockquote >> nth=0")
    assert page.input_value("#text") == TEXT.replace("\r\n", "\n")


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_suggested_phrases_come_last_and_are_said_not_to_be_in_the_text(open_page, options):
    page = open_page(**options)
    page.click("#input summary")
    page.check("[name=absent]")
    ask(page, PICTURES)
    assert "content based image retrieval" in phrases(page)[-5:]
    assert "not in the document" in page.text_content("#results article li >> nth=-1")
    assert page.is_checked("[name=absent]")


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_a_text_is_read_more_closely(open_page, options):
    shown = []
    for closely in (False, True):
        page = open_page(**options)
        page.click("#input summary")
        page.set_checked("[name=quality]", closely)
        ask(page, PICTURES)
        assert page.is_checked("[name=quality]") is closely
        shown.append(page.inner_text("#results article"))
    assert shown[0] != shown[1]


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_a_pdf_and_a_text_are_read_and_a_broken_file_costs_itself_only(open_page, options, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4\nnothing else")
    page = open_page(**options)
    page.set_input_files("#files", [ARTICLE, broken, NOTE])
    ask(page)
    assert [head.text_content() for head in page.query_selector_all("article h2")] == ["article.pdf", "note.txt"]
    assert "soil moisture" in phrases(page)
    assert "broken.pdf" in page.text_content("[role=alert]")


def test_a_pdf_is_saved_with_the_marks_of_the_keyphrases_that_are_kept(open_page):
    page = open_page()
    page.set_input_files("#files", [ARTICLE, NOTE])
    ask(page)
    decide(page, "soil moisture", "reject")
    assert page.locator("text=Save PDF with marks").count() == 1
    with page.expect_download() as download:
        page.click("text=Save PDF with marks")
    assert download.value.suggested_filename == "article.marked.pdf"
    copy = pypdfium2.PdfDocument(download.value.path())
    listed = copy[0].get_textpage().get_text_range()
    assert len(copy) == len(pypdfium2.PdfDocument(ARTICLE)) + 1
    assert "irrigation scheduling" in listed
    assert "soil moisture" not in listed


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_the_slider_leaves_out_less_probable_phrases(open_page, options):
    page = open_page(**options)
    ask(page, TEXT)
    before = phrases(page)
    page.focus("#least")
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    if options:
        page.click("text=Show these")
    assert page.text_content("#least-shown") == "30 %"
    after = phrases(page)
    assert 0 < len(after) < len(before)
    probabilities = [float(each.get_attribute("data-probability")) for each in page.query_selector_all("[data-rank]")]
    assert len(after) == sum(each >= 0.3 for each in probabilities)
    assert after == before[: len(after)]


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_a_review_is_saved_as_labelled_data_and_decides_what_is_exported(open_page, options):
    page = open_page(**options)
    ask(page, TEXT)
    first, second, *_ = phrases(page)
    decide(page, first, "accept")
    decide(page, second, "reject")
    page.fill(".missing textarea", "school yards\n\n  clay soil \n")
    text, name = saved(page, "Save review")
    assert name == "reviewed.jsonl"
    (record,) = map(json.loads, text.splitlines())
    assert record["keyphrases"] == [first, "school yards", "clay soil"]
    assert record["rejected"] == [second]
    assert record["id"] == "pasted text"
    page.select_option("#format", "csv")
    rows = csv.DictReader(io.StringIO(saved(page, "Save( [0-9]+ keyphrases)?")[0]))
    others = [each for each in phrases(page) if each not in {first, second}]
    assert [row["keyphrase"] for row in rows] == [first, *others, "school yards", "clay soil"]


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_a_review_without_a_decision_says_so(open_page, options):
    page = open_page(**options)
    ask(page, TEXT)
    page.click("text=Save review")
    page.wait_for_selector("[role=alert]")
    assert "nothing was accepted" in page.text_content("[role=alert]")
    assert phrases(page)  # the results are still there


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_hostile_text_is_text(open_page, options, tmp_path):
    file = tmp_path / "<img src=x onerror=alert(3)>.txt"
    file.write_text(HOSTILE, "utf-8")
    page = open_page(**options)
    page.set_input_files("#files", file)
    ask(page, HOSTILE)
    assert page.query_selector_all("#results script, #results img, article .text b") == []
    assert page.input_value("#text") == HOSTILE
    assert "alert(1)" in page.text_content("article .text")
    assert page.query_selector("article h2 img") is None


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_nothing_sent_says_what_to_do(open_page, options):
    page = open_page(**options)
    ask(page)
    assert "neither a text nor a file" in page.text_content("[role=alert]")


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_options_are_used_and_kept(open_page, options):
    page = open_page(**options)
    page.click("#input summary")
    page.fill("[name=top]", "3")
    page.select_option("[name=style]", "author")
    ask(page, TEXT)
    assert len(phrases(page)) == 3
    assert "chance that authors" in page.text_content("#results")
    assert page.input_value("[name=top]") == "3"
    page.fill("[name=language]", "klingon")
    ask(page, TEXT)
    assert "klingon" in page.text_content("[role=alert]")


def test_phrases_are_reviewed_by_keys(open_page):
    page = open_page()
    ask(page, TEXT)
    page.focus(".decide input:checked")
    for key in ("a", "r", "ArrowDown", "a", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    decisions = [each.get_attribute("value") for each in page.query_selector_all(".decide input:checked")][:4]
    assert decisions == ["accept", "reject", "", "accept"]
    assert page.evaluate("document.activeElement.closest('[data-rank]').dataset.rank") == "3"


def test_a_file_that_is_dropped_is_read(open_page):
    page = open_page()
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.txt", {type: "text/plain"}));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        TEXT,
    )
    page.wait_for_selector("#results article")
    assert page.text_content("article h2") == "dropped.txt"


def test_phrases_are_copied(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    ask(page, TEXT)
    shown = phrases(page)
    decide(page, shown.pop(1), "reject")
    page.fill(".missing textarea", "school yards")
    shown.append("school yards")
    assert page.text_content("#copy") == f"Copy {len(shown)} keyphrases"
    page.click("#copy")
    page.wait_for_selector("#status:has-text('copied')")
    assert page.evaluate("navigator.clipboard.readText()").split("\n") == shown


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_a_table_is_read_by_the_columns_that_a_person_names(open_page, options, tmp_path):
    file = tmp_path / "papers.csv"
    file.write_text(
        "key,note,words\na,one,Tide gauges measure the sea level.\nb,two,Rain gardens hold water.\n", "utf-8"
    )
    page = open_page(**options)
    page.set_input_files("#files", [file])
    ask(page)
    assert "its columns are 'key', 'note', 'words'" in page.text_content("[role=alert]")
    if not page.is_visible("[name=text_column]"):
        page.click("summary:has-text('Options')")
    page.fill("[name=text_column]", "words")
    page.fill("[name=id_column]", "key")
    page.set_input_files("#files", [file])
    page.click("text=Extract keyphrases")
    page.wait_for_selector("#results article")
    assert [head.text_content() for head in page.query_selector_all("article h2")] == ["a", "b"]
    assert not page.query_selector_all("[role=alert]")


def test_an_unsaved_review_is_asked_about_and_a_saved_one_is_not(browser, address):
    context = browser.new_context()
    page = context.new_page()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.goto(address + "/")
    ask(page, TEXT)
    page.reload()
    assert asked == []
    ask(page, TEXT)
    decide(page, "rain gardens", "reject")
    page.reload()
    assert asked == ["beforeunload"]
    ask(page, TEXT)
    decide(page, "rain gardens", "reject")
    with page.expect_download():
        page.click("#save")
    page.reload()
    assert asked == ["beforeunload"]
    context.close()


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_many_documents_are_an_index_a_chart_and_folded_texts_with_errors_first(open_page, options, tmp_path):
    files = [tmp_path / name for name in ("a.txt", "b.txt", "c.txt", "broken.pdf", "empty.txt", "bad.docx")]
    for file in files:
        file.write_text("" if file.name == "empty.txt" else TEXT if file.suffix == ".txt" else "nothing", "utf-8")
    page = open_page(viewport={"width": 390, "height": 800}, **options)
    page.set_input_files("#files", files)
    ask(page)
    assert page.locator("[role=alert]").count() == 1
    assert page.locator("[role=alert] li").count() == 3
    assert page.locator("nav li").count() == 3
    assert page.locator("[role=alert]").bounding_box()["y"] < page.locator("nav").bounding_box()["y"]
    assert page.locator(".overview tr").nth(1).inner_text().split("\t")[:2] == ["rain gardens", "3"]
    assert not page.is_visible("mark >> nth=0")
    page.click("text=The text, with its keyphrases marked >> nth=0")
    assert page.is_visible("mark >> nth=0")
    assert page.locator("text=/would choose this phrase/").count() == 1


@pytest.mark.parametrize("options", [{}, WITHOUT])
def test_the_chart_counts_the_documents_that_show_a_phrase(open_page, options, tmp_path):
    files = [tmp_path / "gardens.txt", tmp_path / "again.txt", tmp_path / "roofs.txt"]
    for file in files[:2]:
        file.write_text(TEXT, "utf-8")
    files[2].write_text(f"Green roofs\n\nGreen roofs hold storm water. {TEXT}", "utf-8")
    for name in ("Platz", "Park"):  # folding ß gives other letters than small ones
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text(f"Straßenbäume am {name}\n\nStraßenbäume kühlen. Straßenbäume trinken.", "utf-8")
    page = open_page(**options)
    page.set_input_files("#files", files)
    ask(page)
    for least in (0, 20, 40, 99):
        page.fill("#least", str(least))
        if options:
            with page.expect_navigation():  # or the page of before is read
                page.click("text=Show these")
        shown = Counter(phrase.casefold() for phrase in phrases(page))
        rows = page.locator(".overview tr:has(rect):visible")
        chart = dict(rows.nth(number).inner_text().split("\t")[:2] for number in range(rows.count()))
        common = {phrase: count for phrase, count in shown.items() if count > 1}
        assert {phrase.casefold(): int(count) for phrase, count in chart.items()}.items() <= common.items()
        assert len(chart) == min(len(common), 12)
        cells = page.locator(".overview tr:has(rect):visible rect:visible").count()
        assert cells == sum(map(int, chart.values()))
        assert least or "strassenbäume" in common
        assert ("strassenbäume" in common) == any("straßenbäume" in phrase.lower() for phrase in chart)


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (414, "dark")])
def test_nothing_is_wider_than_a_phone(open_page, width, scheme):
    page = open_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.click("#input summary")
    labels = page.locator(".options label:visible:not(.check)")
    for number in range(labels.count()):
        field = labels.nth(number).locator("input, select, textarea").bounding_box()
        assert field["width"] > width / 2
    page.set_input_files("#files", [ARTICLE, NOTE])
    ask(page, "حدائق المطر في المدارس. حديقة المطر حوض ضحل فيه نباتات.")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
