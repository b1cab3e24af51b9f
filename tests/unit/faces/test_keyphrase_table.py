"""Tables of keyphrases on screens of every width."""

import pytest
from rich.cells import cell_len

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction
from keywright.faces.outputs.results import draw_keyphrases
from keywright.faces.outputs.screen import Screen

TEXT = "Sensor networks\n\nThe sensor network drifts."
DOCUMENT = Document("d", TEXT, (Section(SectionKind.TITLE, 0, 15),))
KEYPHRASES = (
    Keyphrase("sensor network", 1.0, 0.66, ((0, 15), (21, 35))),
    Keyphrase("drift", 0.5, 0.5, ((36, 42),)),
    Keyphrase("low-cost sensor networks", 0.2, 0.25),
)


def shown(keyphrases=KEYPHRASES, **screen: int) -> list[str]:
    return draw_keyphrases(DOCUMENT, Prediction("d", tuple(keyphrases)), Screen(**screen)).rstrip().splitlines()


def test_a_wide_table_shows_everything_and_the_ranks_of_all():
    # 0.66 of 10 characters are 53 eighths: 6 whole blocks and 5 eighths
    assert shown()[1:] == [
        f"    {'keyphrase':24}  {'probability':12}  mentions  first in",
        f" {'─' * 64}",
        f" 1  {'sensor network':24}  0.66 ██████▋  {2:8}  title",
        f" 2  {'drift':24}  {'0.50 █████':12}  {1:8}  body",
        f" 3  {'low-cost sensor networks':24}  {'0.25 ██▌':12}  {0:8}  not in text",
    ]


def test_a_narrow_table_leaves_out_columns_from_the_right():
    narrow = "\n".join(shown(width=40))
    assert "0.66 ███▎" in narrow
    assert "mentions" not in narrow
    assert "first in" not in narrow
    assert "mentions" in "\n".join(shown(width=60))
    assert "first in" not in "\n".join(shown(width=60))


def test_other_encodings_have_bars_of_signs():
    text = "\n".join(shown(unicode=False))
    assert text.isascii()
    assert "0.66 #######" in text


def test_scores_have_bars_where_a_share_of_the_best_means_something():
    positive = [Keyphrase("a", 4.0), Keyphrase("b", 2.0)]
    assert [line.split()[2:4] for line in shown(positive)[3:]] == [["4", "██████████"], ["2", "█████"]]
    negative = [Keyphrase("a", 4.0), Keyphrase("b", -2.0)]
    assert "█" not in "\n".join(shown(negative))


@pytest.mark.parametrize("width", [30, 40, 50, 63, 64, 80, 200])
@pytest.mark.parametrize("name", ["x" * 170, "word " * 40, "深層学習" * 30])
def test_nothing_is_wider_than_the_screen_or_lost(width, name):
    lines = shown([Keyphrase(name.strip(), 1.0, 0.5)], width=width)
    assert max(map(cell_len, lines)) <= width
    assert "".join("".join(line.split()) for line in lines).count(name[0]) >= name.count(name[0])
