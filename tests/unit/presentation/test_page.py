"""Pages of tables: a policy that loads nothing."""

from lxml import html

from keywright.core.pages import PAGE_POLICY, Cell, Table, table_page


def test_a_page_of_tables_has_the_policy_before_anything_that_could_load():
    text = table_page("<script>", [Table("of <img src=x>", ("a",), ((Cell("<b>"),),), frozenset())])
    head = html.document_fromstring(text).xpath("//head/*")
    assert [element.tag for element in head] == ["meta", "meta", "meta", "title", "style"]
    assert head[1].get("http-equiv") == "Content-Security-Policy"
    assert head[1].get("content") in PAGE_POLICY
    assert "<script>" not in text
    assert "<img" not in text
