"""The words of the features and of the kit, as the pages use them."""

from __future__ import annotations

from loopspec.specification.ledger import Status

from ..words import BASES, WORDS

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

__all__ = ["BASES", "STATUSES", "WORDS"]
