"""`python -m tests.addresses FOLDER`: whether the documents in this folder have what the ledger says of them."""

from __future__ import annotations

import sys

from .command import main

sys.exit(main())
