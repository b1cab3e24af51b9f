"""Words as the published files of keyphrase generation have them, in any script."""

import re
from typing import Final

from keywright.text.keys import HAN, HIRAGANA, KATAKANA, SPACED_CHARACTER

NUMBER: Final = "<digit>"
"""Word that replaces every number."""
SIGNS: Final = r"[_<>,().'%]"
"""Signs that are words by themselves; all others separate words."""
WORDS: Final = re.compile(
    rf"<[a-z_]+>|[{HAN}]|[{HIRAGANA}]+|[{KATAKANA}]+|(?![{HAN}{HIRAGANA}{KATAKANA}])[^\W_]{SPACED_CHARACTER}*|{SIGNS}"
)
"""Words of any script; on plain ASCII in lower case these are runs of letters and digits, signs and marks such as
``<digit>``."""
