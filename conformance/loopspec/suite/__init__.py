"""The features as tests of pytest. In a test module of your own:

    from loopspec.suite import *

    LOOPSPEC_TARGET = "py:my_package.agents:make_target"

Scenarios that do not concern the target's roles and capabilities are skipped, and say so. To override or delete one
of the tests is an error; what a target is known to do differently belongs into a baseline (`--loopspec-baseline`).
"""

from pathlib import Path

from loopspec_steps.binding import FIXTURES

from .. import plugin
from ..contract.specification import features_root
from .binding import bind, loopspec_playing

plugin.activate()

# Every test by its name, for the check that none is overridden or missing.
LOOPSPEC_SUITE = bind(features_root(), plugin.session().planned_files()) | bind(Path(__file__).parent)

globals().update(FIXTURES)
globals().update(LOOPSPEC_SUITE)

__all__ = ["LOOPSPEC_SUITE", "loopspec_playing", *FIXTURES, *LOOPSPEC_SUITE]  # names of tests and steps
