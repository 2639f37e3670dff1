"""The protocol: how a program in any language is judged, over its standard input and output.

`README.md` beside this file is the page for whoever writes such a program; `schema.json` the schema of every message,
made of the types in here.
"""

from __future__ import annotations

# What `initialize` offers, the newest first. A message may gain fields under one number; any other change is a new one.
VERSIONS = (1,)

# The longest line that either side has to take, in bytes.
LONGEST_LINE = 32 * 1024 * 1024
