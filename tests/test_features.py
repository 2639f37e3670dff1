"""Every scenario of the features, bound by pytest-bdd, with the reference as the target."""

from loopspec.suite import *  # noqa: F403  # like a user's test module

LOOPSPEC_TARGET = "reference"
