"""Marks of programs around Markdown: notes, templates and attributes are no words, and what they hold is read."""

import pytest

from keywright.reading.formats.markdown import read_markdown
from keywright.reading.limits import Limits


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("!!! note\n\n    The pump runs.\n\n    It is quiet.\n\nIt stops.", "The pump runs.|It is quiet.|It stops."),
        ('!!! tip inline end "A title"\n    The pump runs.\nIt stops.', "A title|The pump runs.|It stops."),
        ('??? note\n\tThe pump runs.\n\n\t!!! tip "In"\n\t    It is quiet.\n', "The pump runs.|In|It is quiet."),
        ("- A list\n\n    !!! note\n        The pump runs.\n", "A list|The pump runs."),
        ("!!! Loud words of a person\n\nThen silence.", "!!! Loud words of a person|Then silence."),
        (":::tip A title\nThe pump runs.\n:::\nIt stops.", "A title|The pump runs.|It stops."),
        (":::note[A title]\nThe pump runs.\n:::", "A title|The pump runs."),
        ("::: {.callout-note}\nThe pump runs.\n:::\n", "The pump runs."),
        ("::::{grid} 2\n:::{note} A title\nThe pump runs.\n:::\n::::\n", "A title|The pump runs."),
        (':::image type="content" source="a.png" alt-text="A pump":::\n\nIt stops.', "It stops."),
        ("A ratio of 1:::2 is odd.", "A ratio of 1:::2 is odd."),
        ('{{< figure src="a.png" >}}\n\n{{% note %}}\nThe pump runs.\n{{% /note %}}', "The pump runs."),
        ("{% highlight py %}\nimport x\n{% endhighlight %}\nThe pump {{ name }} runs.", "The pump runs."),
        ("{% raw %}\nThe pump runs.\n{% endraw %}\n{# not shown #}", "The pump runs."),
        ('The pump{: .big } runs{#run}.\n{: target="_blank"}', "The pump runs."),
        ("{.5, .7} is a set, and {:d} a format.", "{.5, .7} is a set, and {:d} a format."),
        ("[TOC]\n\nThe pump runs.\n\n[[_TOC_]]", "The pump runs."),
        ("import Tabs from '@theme/Tabs';\n\nThe pump runs.", "The pump runs."),
        ("The ==loud pump== runs while a == b and x==y==z.", "The loud pump runs while a == b and x==y==z."),
    ],
)  # fmt: skip
def test_marks_are_no_words_and_what_they_hold_is_read(text: str, read: str):
    assert read_markdown(text.encode(), "a.md", Limits()).text.split("\n\n") == read.split("|")


@pytest.mark.parametrize(
    ("text", "read", "left_out"),
    [
        ("The energy $E = mc^2$ is large.", "The energy is large.", 1),
        ("Points $x_i$, $y_i$ of $k$-means.", "Points , of k-means.", 2),
        ("The $\\ell_1$ norm of $CO_2$.", "The ℓ1 norm of CO2.", 0),
        ("It runs in $O(n \\log n)$ time.\n\n$$\n\\int f = \\alpha\n$$\n\nIt ends.", "It runs in time.|It ends.", 2),
        ("\\begin{align*}\na &= b\n\\end{align*}\n\nIt ends.", "It ends.", 1),
        ("We paid $5 (net) and got $10 back.", "We paid $5 (net) and got $10 back.", 0),
        ("It costs $5 (about €4.60) or 10$ for two.", "It costs $5 (about €4.60) or 10$ for two.", 0),
        ("The $2n \\log n + 1$ steps and $3\\times(a+b)$.", "The steps and .", 2),
        ("US$5_US$6, $3/month, $10/year + tax.", "US$5_US$6, $3/month, $10/year + tax.", 0),
        ("Kill $$ now (soon).\n\nThen = echo $$.", "Kill $$ now (soon).|Then = echo $$.", 0),
        ("Mind \\$a_i\\$ and `$HOME/a_b`.", "Mind $a_i$ and $HOME/a_b.", 0),
    ],
)
def test_formulas_are_no_words_and_said_to_be_left_out(text: str, read: str, left_out: int):
    document = read_markdown(text.encode(), "a.md", Limits())
    assert document.text.split("\n\n") == read.split("|")
    said = [f"left out: {left_out} formula{'s' if left_out > 1 else ''}"] if left_out else []
    assert list(document.warnings) == said
