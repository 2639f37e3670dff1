"""The features as tests of pytest. In a test module of your own:

    from loopspec.suite import *

    LOOPSPEC_TARGET = "py:my_package.agents:make_target"

Scenarios that do not concern the target's roles and capabilities are skipped, and say so. To override or delete one
of the tests is an error; what a target is known to do differently belongs into a baseline (`--loopspec-baseline`).
"""

from loopspec.pytest_plugin.steps import FIXTURES

from ..contract.specification import features_root
from ..pytest_plugin import entry as plugin
from ..pytest_plugin.binding import bind, loopspec_playing
from ..specification.cases import CANARY_ROOT

plugin.activate()

# Every test by its name, for the check that none is overridden or missing.
LOOPSPEC_SUITE = bind(features_root(), plugin.session().planned_files()) | bind(CANARY_ROOT)

globals().update(FIXTURES)
globals().update(LOOPSPEC_SUITE)

__all__ = ["LOOPSPEC_SUITE", "loopspec_playing", *FIXTURES, *LOOPSPEC_SUITE]  # names of tests and steps
