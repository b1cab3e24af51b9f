"""Values as JSON text."""

import json
import re
from typing import Any, Final

_NO_CHARACTER: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, separators of lines, and code points without a character, such as those of damaged ids."""


def to_json(value: Any, indent: int | None = None) -> str:
    """Return JSON that is safe for any terminal and any encoding of Unicode."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _NO_CHARACTER.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
