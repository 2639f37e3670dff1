"""How the generated tests run: the same examples every time, more of them in the long run, others while exploring."""

import os

from hypothesis import settings

# A test that fails only sometimes, or only on a slow machine, teaches people to run it again.
settings.register_profile("loopspec", derandomize=True, database=None, deadline=None, max_examples=40)
settings.register_profile("long", derandomize=True, database=None, deadline=None, max_examples=100)
settings.register_profile("explore", database=None, deadline=None, max_examples=4000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "loopspec"))
