"""The recording doubles. Imports no event loop."""

from .gates import Gates, StuckGate
from .live import LiveStage
from .record import Record
from .runs import sessions

__all__ = ["Gates", "LiveStage", "Record", "StuckGate", "sessions"]
