"""The sessions of runs: the caller's earlier messages, and what a checkpoint stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from google.adk.events import Event
from google.adk.runners import Runner
from google.adk.sessions import Session
from google.genai import types

from loopspec.contract.values import Json

APP, USER = "loopspec", "caller"


async def begun(runner: Runner, agent: str, earlier: Sequence[types.Content], values: Mapping[str, Json]) -> Session:
    """Create a session with the caller's session values, and the earlier messages as its events."""
    session = await runner.session_service.create_session(app_name=APP, user_id=USER, state=dict(values))
    for content in earlier:
        asked = content.role == "user" and not any(part.function_response for part in content.parts or ())
        event = Event(author="user" if asked else agent, invocation_id=Event.new_id(), content=content)
        await runner.session_service.append_event(session, event)
    return session


async def restored(runner: Runner, checkpoint: bytes) -> Session:
    """Create a session from a checkpoint, under a new id."""
    kept = Session.model_validate_json(checkpoint)
    session = await runner.session_service.create_session(app_name=APP, user_id=USER, state=kept.state)
    for event in kept.events:
        await runner.session_service.append_event(session, event)
    return session


async def stored(runner: Runner, session: Session) -> Session:
    """The session as the runner has stored it."""
    found = await runner.session_service.get_session(app_name=APP, user_id=USER, session_id=session.id)
    assert found is not None
    return found
