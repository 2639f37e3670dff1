"""The words of the rules and of the kit, each with its meaning: the page Words, and `loopspec explain WORD`."""

from __future__ import annotations

from pathlib import Path

import msgspec

# The groups of words.
WORDS: dict[str, dict[str, str]] = msgspec.toml.decode((Path(__file__).parent / "site" / "words.toml").read_bytes())
