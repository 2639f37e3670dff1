"""All doubles of an agent, as one object."""

from __future__ import annotations

from .handlers import LiveHandlers
from .index import SceneIndex
from .models import LiveModels
from .record import Record
from .tools import LiveTools


class LiveDoubles(LiveModels, LiveTools, LiveHandlers):
    """The scripted models, tools and handlers of the scene's agents, by name. The contract's `Doubles`."""

    def __init__(self, index: SceneIndex, record: Record) -> None:
        LiveModels.__init__(self, index, record)
        LiveTools.__init__(self, index, record)
        LiveHandlers.__init__(self, index, record)
