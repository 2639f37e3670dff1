"""All doubles of an agent, as one object."""

from __future__ import annotations

from .cast import Cast
from .handlers import LiveHandlers
from .models import LiveModels
from .record import Record
from .tools import LiveTools


class LiveDoubles(LiveModels, LiveTools, LiveHandlers):
    """The scripted models, tools and handlers of the scene's agents, by name."""

    def __init__(self, cast: Cast, record: Record) -> None:
        LiveModels.__init__(self, cast, record)
        LiveTools.__init__(self, cast, record)
        LiveHandlers.__init__(self, cast, record)
