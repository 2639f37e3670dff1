"""The words of the features and of the kit, each with its meaning."""

from __future__ import annotations

from pathlib import Path

import msgspec

from loopspec.specification.ledger import Basis, Status

BASES: dict[Basis, str] = {
    "documented": "A document states the rule. The rule is normative.",
    "derived": "The rule follows necessarily from a document. The rule is normative.",
    "clarified": "The documents are silent or unclear. We chose, and the decision of the rule says why. The rule is "
    "advisory: a failure is reported, and counts with `--strict` only.",
}

STATUSES: dict[Status, str] = {
    "scenario": "The rule has examples, and targets are judged by them.",
    "variant": "The examples of other rules are judged in transformed scenes.",
    "invariant": "The rule is judged in every case in which an agent runs.",
    "generated": "Targets are compared with the reference in generated scenes.",
    "merged": "Another rule states the same behavior and has the examples of both rules.",
    "excluded": "No target is judged by such a rule. The reason says why no example is fair.",
    "quirk": "Behavior of one implementation, which is recorded and never judged.",
    "withdrawn": "A rule of an earlier version. The id is never used again.",
}

# The groups of the page Words. The three bases are terms as well.
WORDS: dict[str, dict[str, str]] = msgspec.toml.decode(Path(__file__).with_name("words.toml").read_bytes())
WORDS["Specification and kit"].update(**BASES)
