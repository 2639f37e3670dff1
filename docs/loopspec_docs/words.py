"""The words of the rules and of the kit, each with its meaning: the page Words, and `loopspec explain WORD`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from loopspec.specification.ledger import Basis

BASES: dict[Basis, str] = {
    "documented": "A document states the rule. The rule is normative.",
    "derived": "The rule follows necessarily from a document. The rule is normative.",
    "clarified": "The documents are silent or unclear. We chose, and the decision of the rule says why. The rule is "
    "advisory: a failure is reported, and counts with `--strict` only. A declared posture makes its rule count.",
}

# The groups of words. The three bases are words as well.
WORDS: dict[str, dict[str, str]] = msgspec.toml.decode((Path(__file__).parent / "site" / "words.toml").read_bytes())
WORDS["Rules and results"].update(**BASES)
