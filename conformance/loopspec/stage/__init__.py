"""The recording doubles. Imports no event loop."""

from .gates import Gates, StuckGate
from .index import SceneIndex
from .live import LiveStage
from .record import Record
from .runs import sessions

__all__ = ["Gates", "LiveStage", "Record", "SceneIndex", "StuckGate", "sessions"]
