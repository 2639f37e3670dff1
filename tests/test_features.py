"""Every scenario of the features, bound by pytest-bdd, against the reference."""

from loopspec.suite import *  # noqa: F403  # as in anybody's test module

LOOPSPEC_TARGET = "reference"
