"""The pinned scenes, each with the observation of the reference: compressed JSON lines next to this module."""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene

MOST = 500  # scenes: a run of all of them takes a few seconds
FILE = Path(__file__).with_name("scenes.jsonl.xz")


class Pinned(Struct, frozen=True):
    """A scene, and what the reference did in it."""

    scene: Scene
    seen: Observation

    @property
    def name(self) -> str:
        """The name of the scene. It depends on the scene alone: another scene never has the same name."""
        return f"scene {hashlib.sha256(msgspec.json.encode(self.scene, order='deterministic')).hexdigest()[:8]}"


def pinned() -> list[Pinned]:
    """The pinned scenes in the order of their names."""
    return msgspec.json.Decoder(Pinned).decode_lines(lzma.decompress(FILE.read_bytes()))


def pin(scenes: Iterable[Pinned]) -> None:
    """Write the scenes."""
    lines = msgspec.json.Encoder(order="deterministic").encode_lines(sorted(scenes, key=lambda one: one.name))
    FILE.write_bytes(lzma.compress(lines, preset=9 | lzma.PRESET_EXTREME))
