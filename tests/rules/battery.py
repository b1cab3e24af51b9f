"""The battery of the mutation study: for each rule a probe whose outcome is computed by hand, for every protocol."""

from typing import Final

from tests.rules.form_probes import FORM_PROBES
from tests.rules.list_probes import LIST_PROBES
from tests.rules.number_probes import NUMBER_PROBES
from tests.rules.probing import Probe

PROBES: Final[tuple[Probe, ...]] = (*NUMBER_PROBES, *FORM_PROBES, *LIST_PROBES)
