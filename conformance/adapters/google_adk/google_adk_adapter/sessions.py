"""The sessions of runs: conversations, the caller's earlier messages, and what a checkpoint stores."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from google.adk.apps import ResumabilityConfig
from google.adk.events import Event
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.genai import types

from loopspec.contract.values import Json
from loopspec_adapting import Reporter

APP, USER = "loopspec", "caller"


class Sessions(InMemorySessionService):
    """Sessions in memory. `on_append` is called with the session after each event that is stored."""

    on_append: Callable[[Session], Awaitable[None]] | None = None

    async def append_event(self, session: Session, event: Event) -> Event:
        """Store an event."""
        appended = await super().append_event(session, event)
        if self.on_append is not None:
            await self.on_append(session)
        return appended


def prepare(runner: Runner, report: Reporter[types.Content], *, resumes: bool) -> None:
    """Make a run resumable that saves its steps, or that continues after the death of its process."""

    async def save(session: Session) -> None:
        report.saved((await stored(runner, session)).model_dump_json().encode())

    if report.run.saves or resumes:
        runner.resumability_config = ResumabilityConfig(is_resumable=True)
    if report.run.saves:
        assert isinstance(runner.session_service, Sessions)
        runner.session_service.on_append = save


async def continued(runner: Runner, conversation: str) -> Session | None:
    """The session of a conversation, if a run has begun it."""
    return await runner.session_service.get_session(app_name=APP, user_id=USER, session_id=conversation)


async def begun(runner: Runner, conversation: str, values: Mapping[str, Json]) -> Session:
    """Create a session with the caller's session values. The id of a conversation's session is its name."""
    return await runner.session_service.create_session(
        app_name=APP, user_id=USER, session_id=conversation or None, state=dict(values)
    )


async def add(runner: Runner, session: Session, agent: str, earlier: Sequence[types.Content]) -> None:
    """Append the caller's earlier messages to a session, as its events."""
    for content in earlier:
        asked = content.role != "model" and not any(part.function_response for part in content.parts or ())
        event = Event(author="user" if asked else agent, invocation_id=Event.new_id(), content=content)
        await runner.session_service.append_event(session, event)


async def restored(runner: Runner, checkpoint: bytes, conversation: str) -> Session:
    """Create a session from a checkpoint, under a new id, or in place of the session of its conversation."""
    kept = Session.model_validate_json(checkpoint)
    await runner.session_service.delete_session(app_name=APP, user_id=USER, session_id=conversation)
    session = await begun(runner, conversation, kept.state)
    for event in kept.events:
        await runner.session_service.append_event(session, event)
    return session


async def stored(runner: Runner, session: Session) -> Session:
    """The session as the runner has stored it."""
    found = await runner.session_service.get_session(app_name=APP, user_id=USER, session_id=session.id)
    assert found is not None
    return found
