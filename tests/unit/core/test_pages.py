"""Pictures and pages: files that stand alone, escaped, with a policy that loads nothing."""

from xml.etree import ElementTree as ET

from lxml import html

from keywright.core.pages import PAGE_POLICY, Cell, Picture, Table, open_figure, table_page


def picture(title="a < b"):
    with open_figure(2.0) as (drawn, axes):
        axes.plot([0, 1], [0, 1])
        return Picture(title, "line", drawn)


def test_files_stand_alone_and_are_the_same_each_time():
    root = ET.fromstring(picture().svg())  # noqa: S314  (our own file)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root[0].text == "a < b"
    assert picture().png().startswith(b"\x89PNG")
    assert (picture().svg(), picture().png()) == (picture().svg(), picture().png())


def test_elements_escape_titles_and_name_their_ids():
    element = picture().inline()
    assert element.startswith("<svg ")
    assert "a &lt; b" in element
    assert "xmlns" not in element
    assert 'id="line-figure_1"' in element


def test_a_page_of_tables_has_the_policy_before_anything_that_could_load():
    text = table_page("<script>", [Table("of <img src=x>", ("a",), ((Cell("<b>"),),), frozenset())])
    head = html.document_fromstring(text).xpath("//head/*")
    assert [element.tag for element in head] == ["meta", "meta", "meta", "title", "style"]
    assert head[1].get("http-equiv") == "Content-Security-Policy"
    assert head[1].get("content") in PAGE_POLICY
    assert "<script>" not in text
    assert "<img" not in text
