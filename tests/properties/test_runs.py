"""Runs, edits and model calls in any order: a load belongs to one run."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from loopspec_reference import Message, ModelContext, State
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config, LoadWarning
from loopspec_reference.runs.run import Run, current_run

from .model import Outcome, predict
from .trees import Fault, Recorded, Tree

_CONFIGURED = ("/p/a.md", "/p/./b.md")
_PATHS = st.sampled_from(["/p/a.md", "/p/b.md", "/p/c.md"])
_CONTENTS = st.sampled_from(
    ["", "Answer in French.", "Answer in Czech. @c.md", "Be brief. @b.md @c.md", b"Be kind.\xff @/p/a.md"]
)
_QUESTION = Message.user("What is 2 + 2?")


class Runs(RuleBasedStateMachine):
    """One middleware, its files, and the conversation of the current run."""

    @initialize(limit=st.sampled_from([0, 0, 25]))
    def build(self, limit: int) -> None:
        """Start with a middleware for three files, none of which exists, and a run."""
        self.backend = Recorded(Tree({}, _CONFIGURED, limit=limit))
        self.warnings: list[LoadWarning] = []
        self.rebuild()
        self.begin()

    @rule()
    def rebuild(self) -> None:
        """Replace the middleware: a load belongs to the run (AMD-CACHE-11)."""
        config = Config(
            backend=self.backend, files=_CONFIGURED, max_bytes=self.backend.tree.limit, on_warning=self.warnings.append
        )
        self.handler = AgentsMD(config, Message)

    @rule()
    def begin(self) -> None:
        """Start a run with a question and without a load (AMD-CACHE-02)."""
        self.run = Run("agent", {})
        self.loaded: Outcome | None = None
        self.text: str | None = None
        self.conversation: tuple[Message, ...] = (_QUESTION,)

    @rule()
    def begin_with_the_stored_conversation(self) -> None:
        """Start a run with the conversation of the last run (AMD-CACHE-10)."""
        stored = msgspec.json.decode(msgspec.json.encode(self.conversation), type=tuple[Message, ...])
        self.begin()
        self.conversation = stored

    @rule()
    def interrupt_and_resume(self) -> None:
        """Continue the run in another process (AMD-CACHE-11)."""
        local = msgspec.json.decode(msgspec.json.encode(self.run.local))
        self.run = Run("agent", {}, local=local)

    @rule(path=_PATHS, content=_CONTENTS)
    def edit(self, path: str, content: str | bytes) -> None:
        """Write a file."""
        self.backend.tree = replace(self.backend.tree, files={**self.backend.tree.files, path: content})

    @rule(path=_PATHS)
    def delete(self, path: str) -> None:
        """Delete a file."""
        left = {name: content for name, content in self.backend.tree.files.items() if name != path}
        self.backend.tree = replace(self.backend.tree, files=left)

    @rule(path=_PATHS, fault=st.sampled_from([Fault.PERMISSION, Fault.WRAPPED]))
    def forbid(self, path: str, fault: Fault) -> None:
        """Make a file unreadable."""
        self.backend.tree = replace(self.backend.tree, faults={path: fault})

    @rule()
    def allow(self) -> None:
        """Make all files readable again (AMD-CACHE-08)."""
        self.backend.tree = replace(self.backend.tree, faults={})

    @rule(first=st.booleans())
    def say(self, first: bool) -> None:
        """Add a user message at the beginning or at the end."""
        added = Message.user("And times 3?")
        self.conversation = (added, *self.conversation) if first else (*self.conversation, added)

    @precondition(lambda self: any(MARKER in message.extra for message in self.conversation))
    @rule()
    def drop_the_instructions(self) -> None:
        """Remove the instructions, as a summarizing handler does (AMD-CACHE-05)."""
        self.conversation = tuple(message for message in self.conversation if MARKER not in message.extra)

    @rule()
    def call_the_model(self) -> None:
        """Call the hook in the run, and compare the effect with the rules."""
        before = self.conversation
        marked = any(MARKER in message.extra for message in before)
        expected = Outcome() if marked or self.loaded else predict(self.backend.tree)
        failed = self._hook(self.run)

        assert self._reads() == expected.reads
        assert self._warned() == expected.warnings
        assert failed == (expected.failed is not None)
        if not marked and not failed:
            self.loaded = self.loaded or expected
        if marked or failed or not (self.loaded and self.loaded.shown):
            assert self.conversation is before
        else:
            self._inserted(before, self.loaded)

    @rule()
    def call_outside_a_run(self) -> None:
        """Call the hook outside a run, which loads each time (AMD-CACHE-13)."""
        before, self.conversation = self.conversation, (_QUESTION,)
        expected = predict(self.backend.tree)
        self._hook(None)

        assert self._reads() == expected.reads
        assert self._warned() == expected.warnings
        assert len(self.conversation) == 1 + bool(expected.shown)
        self.conversation = before

    @invariant()
    def at_most_one_message_is_marked(self) -> None:
        """At most one message is marked (AMD-IDEMP-13)."""
        assert sum(MARKER in message.extra for message in self.conversation) <= 1

    def _hook(self, run: Run | None) -> bool:
        """Call the hook, and return whether it failed."""
        self.backend.requests.clear()
        self.warnings.clear()

        async def inside() -> State[Message]:
            current_run.set(run)
            return await self.handler.before_model(State(self.conversation), ModelContext())

        try:
            self.conversation = asyncio.run(inside()).messages
        except PermissionError:
            return True
        return False

    def _reads(self) -> list[str]:
        return [request.file_path for request in self.backend.requests]

    def _warned(self) -> list[tuple[str, object]]:
        return [(warning.path, warning.reason) for warning in self.warnings]

    def _inserted(self, before: tuple[Message, ...], loaded: Outcome) -> None:
        """The instructions precede the first user message and contain every loaded file."""
        at = [message.role for message in before].index("user")
        text = self.conversation[at].text

        assert self.conversation == (*before[:at], Message.user(text, {MARKER: True}), *before[at:])
        rest = text
        for path, content in loaded.shown:
            _, heading, rest = rest.partition(f"\nFile content: {path} (instructions):\n\n{content}\n")
            assert heading
        assert text.count("\nFile content: ") == len(loaded.shown)
        assert self.text in (None, text)
        self.text = text


TestRuns = Runs.TestCase
TestRuns.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=20)
