"""The protocol: how a program in any language is judged, over its standard input and output.

`README.md` in this folder is the page for implementers of such a program; `schema.json` is the schema of every message,
generated from the types in this package.
"""

from __future__ import annotations

# The versions that `initialize` offers, the newest first. A message may gain fields under one version; any other change
# makes a new version.
VERSIONS = (2,)

# The longest line that either side has to accept, in bytes.
LONGEST_LINE = 32 * 1024 * 1024
