"""`python -m tests.addresses FOLDER`: check that the documents in a folder agree with the ledger."""

from __future__ import annotations

import sys

from .command import main

sys.exit(main())
