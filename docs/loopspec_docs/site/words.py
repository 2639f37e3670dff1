"""The texts of the site that are data: the words of the features and the kit, and the beginnings of pages."""

from __future__ import annotations

from pathlib import Path

import msgspec

from loopspec.specification.ledger import Status

from ..words import BASES, WORDS
from .markdown import coded, heading, page, plain, slug

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


__all__ = ["BASES", "STATUSES", "TEXTS", "WORDS", "intro", "pages"]

TEXTS = msgspec.toml.decode(Path(__file__).with_name("texts.toml").read_bytes(), type=dict[str, dict[str, str]])


def intro(name: str, **values: object) -> list[str]:
    """The title of a generated page, and what precedes its lists."""
    text = TEXTS[name]["text"]
    return [f"# {TEXTS[name]['title']}", (text.format(**values) if values else text).strip()]


def pages() -> dict[str, str]:
    """Make the page Words."""
    parts = intro("words")
    for group, own in WORDS.items():
        parts.append(heading(2, plain(group), slug(group)))
        for word, meaning in own.items():  # with a heading each, by which the search finds the word
            parts += [heading(3, plain(word), slug(word)), coded(meaning)]
    return {"words.md": page(*parts)}
