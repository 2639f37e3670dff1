"""The AgentsMD middleware of the reference, built from the harness's doubles."""

from __future__ import annotations

from collections.abc import Sequence

import loopspec_reference as ref
from loopspec.contract import agents as spec
from loopspec.contract.shapes import MiddlewareConfig, RunView
from loopspec.contract.stage import Stage
from loopspec.contract.values import Message
from loopspec_reference.agentsmd import AgentsMD, Config, LoadWarning
from loopspec_reference.agentsmd.config import log_warning
from loopspec_reference.runs.run import Run, current_run

from .stores import Files
from .wire import MESSAGE_TYPES, from_wire, to_wire


def agentsmd(config: MiddlewareConfig | None) -> AgentsMD[ref.AnyMessage]:
    """Build the middleware."""
    if config is None:
        return AgentsMD(None, ref.Message)

    def warn(warning: LoadWarning) -> None:
        if config.on_warning is not None:
            config.on_warning(warning.path, warning.reason)

    built = Config(
        backend=Files(config.backend) if config.backend else None,  # type: ignore[arg-type]  # the handler refuses None
        files=config.files,  # type: ignore[arg-type]  # likewise
        on_warning=log_warning if config.on_warning is None else warn,
        **({} if config.max_bytes is None else {"max_bytes": config.max_bytes}),
    )
    return AgentsMD(built, MESSAGE_TYPES[config.message_type])


def agentsmd_of(config: spec.Config | None, stage: Stage) -> AgentsMD[ref.AnyMessage]:
    """Build a middleware of the scene."""
    if config is None:
        return agentsmd(None)
    return agentsmd(
        MiddlewareConfig(
            backend=stage.environment if config.backend else None,
            files=config.files,
            max_bytes=config.max_bytes,
            on_warning=stage.environment.warn if config.callback else None,
            message_type=stage.scene.message_type,
        )
    )


class ReferenceMiddleware:
    """The middleware, called by the harness instead of by an agent."""

    def __init__(self, config: MiddlewareConfig | None) -> None:
        self._handler = agentsmd(config)
        self._type = MESSAGE_TYPES[config.message_type if config else "message"]

    async def before_model(self, messages: Sequence[Message], run: RunView | None) -> Sequence[Message]:
        """Return the conversation with the instructions in it."""
        inside = current_run.set(Run("agent", {}, local=run.local) if run else None)
        try:
            converted = tuple(from_wire(message, self._type) for message in messages)
            state = await self._handler.before_model(ref.State(converted), ref.ModelContext())
        finally:
            current_run.reset(inside)
        return [to_wire(message) for message in state.messages]
