"""Settings of the generated tests: fixed examples, five times as many in `.ci/long`, random ones while exploring."""

import os

from hypothesis import settings

# A test that fails only sometimes, or only on a slow machine, hides real failures.
settings.register_profile("loopspec", derandomize=True, database=None, deadline=None, max_examples=20)
settings.register_profile("long", derandomize=True, database=None, deadline=None, max_examples=100)
settings.register_profile("explore", database=None, deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "loopspec"))
