"""The protocol to judge a program in any language over its standard input and output.

`README.md` in this folder is the page for implementers of such a program; `loopspec protocol` prints the schema of
every message, generated from the signatures of the contract and the types in this package.
"""

from __future__ import annotations

# The versions that `initialize` offers, the newest first. Fields may be added; any other change makes a new version.
VERSIONS = (3,)

# The longest line that both sides must accept, in bytes.
LONGEST_LINE = 32 * 1024 * 1024
