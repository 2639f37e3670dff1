"""An agent of Google ADK in a resumable app, whose session is kept by the SQLite session service."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import AsyncGenerator
from contextlib import closing
from typing import Any

import kill_points
from google.adk.agents import LlmAgent
from google.adk.apps import App, ResumabilityConfig
from google.adk.events import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types

warnings.simplefilter("ignore")
PATH = kill_points.STORE / "sessions.sqlite"
OF: Any = {"user_id": "user", "session_id": "1"}


class Scripted(BaseLlm):
    """A model without a network."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        parts = [part for content in llm_request.contents for part in content.parts or ()]
        calls = [(part.function_call.id or "", part.function_call.name or "") for part in parts if part.function_call]
        answered = [part.function_response for part in parts if part.function_response]
        results = [(one.id or "", str(one.response)) for one in answered]
        wanted = await kill_points.model_async(calls, results)
        said = [types.Part(function_call=types.FunctionCall(id=call, name=name, args={})) for call, name in wanted]
        content = types.Content(role="model", parts=said or [types.Part(text=kill_points.FINAL)])
        yield LlmResponse(content=content, finish_reason=types.FinishReason.STOP)


async def reserve() -> str:
    """Reserve a seat."""
    return await kill_points.tool_async("reserve")


async def charge() -> str:
    """Charge the card."""
    return await kill_points.tool_async("charge")


async def run() -> str:
    """Begin an invocation, or resume the latest one by its id."""
    agent = LlmAgent(name="agent", model=Scripted(model="scripted"), tools=[reserve, charge])
    service = SqliteSessionService(str(PATH))
    app = App(name="app", root_agent=agent, resumability_config=ResumabilityConfig(is_resumable=True))
    runner = Runner(app=app, session_service=service)
    events = await _events(service)
    kill_points.history("before", "gemini", _contents(events))
    if await service.get_session(app_name="app", **OF) is None:
        await service.create_session(app_name="app", **OF)
    begin: Any = {"new_message": types.UserContent(kill_points.ASKED)}
    how = {"invocation_id": events[-1].invocation_id} if events else begin
    async for _ in runner.run_async(**OF, **how):
        pass
    events = await _events(service)
    kill_points.history("after", "gemini", _contents(events))
    said = [part.text for one in events if one.content for part in one.content.parts or () if part.text]
    return said[-1]


async def _events(service: SqliteSessionService) -> list[Event]:
    session = await service.get_session(app_name="app", **OF)
    return session.events if session else []


def _contents(events: list[Event]) -> list[Any]:
    return [one.content.model_dump(mode="json", exclude_none=True) for one in events if one.content]


def another_version() -> str:
    """Give the database the tables of the former schema, whose events have a column for their actions."""
    with closing(sqlite3.connect(PATH)) as connection, connection:
        connection.execute("ALTER TABLE events RENAME COLUMN event_data TO actions")
        return "the former schema"


if __name__ == "__main__":
    kill_points.main(
        {"begin": run, "resume": run, "another-version": another_version},
        ["google-adk"],
        store="`SqliteSessionService`",
        resume="`runner.run_async(…, invocation_id=…)` of a resumable app",
        know=(
            "ADK documents that a resumed call runs at least once, so that tools have to be idempotent. The "
            "results of one answer are stored together."
        ),
    )
