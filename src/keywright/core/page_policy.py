"""Policy of the pages that keywright writes: they load nothing, even if an input got into them as markup."""

from typing import Final

PAGE_POLICY: Final = (
    '<meta http-equiv="Content-Security-Policy"'
    " content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
)
"""The policy of pages without scripts, forms and foreign parts; plots have styles in attributes."""
