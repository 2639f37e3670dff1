"""The features as tests of pytest. In a test module of your own:

    from loopspec.suite import *

    LOOPSPEC_TARGET = "py:my_package.agents:make_target"

Scenarios that need capabilities which the target does not have are skipped, and say so; those for other roles are
deselected. To override or delete one of the tests is an error; known differences of a target belong in a
baseline (`--loopspec-baseline`).
"""

from ..pytest_plugin import activate

_session = activate()

from ..pytest_plugin.binding import bind  # noqa: E402  # says first what is missing, if something is
from ..specification.features import CANARY_ROOT, canary  # noqa: E402  # likewise

# Every test by its name, for the check that none is overridden or missing.
LOOPSPEC_SUITE = bind(_session.cases()) | bind([canary()], CANARY_ROOT.joinpath)

globals().update(LOOPSPEC_SUITE)

__all__ = ["LOOPSPEC_SUITE", *LOOPSPEC_SUITE]  # names of tests
