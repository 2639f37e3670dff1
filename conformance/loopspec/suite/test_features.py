"""Every scenario of the features, against the target of the run."""

from loopspec.suite import *  # noqa: F403  # as in a user's test module
