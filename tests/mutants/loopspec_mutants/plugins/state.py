"""Mutants about the states of middlewares, the runtime context, and AgentsMD beside a summarization."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from loopspec_reference import Agent, AnyMessage, Handler, State
from loopspec_reference.plugins import ContextError, Middleware, Stack, layers, stack
from loopspec_reference.plugins.hooks import through_hooks
from loopspec_reference.plugins.layers import Layer
from loopspec_reference.plugins.middleware import Own
from loopspec_reference.plugins.state import SESSION_KEY, OwnState, state_path
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.runs.run import Run

from ..registry import mutant

Json = Any  # whatever JSON there is
Agents = Agent[AnyMessage]


# -- what is kept ------------------------------------------------------------------------------------------------


@mutant("XP-STATE-01")
def forgets_states_when_a_run_is_resumed() -> AbstractContextManager[object]:
    """Leaves the states out of checkpoints."""
    of = Checkpoint.of

    def saves(run: Run, *rest: Any) -> bytes:  # Any: passed as given
        with patch.object(run, "session", {key: run.session[key] for key in run.session if key != SESSION_KEY}):
            return of(run, *rest)

    return patch.object(Checkpoint, "of", saves)


@mutant("XP-STATE-11")
def forgets_states_when_a_run_begins() -> AbstractContextManager[object]:
    """Begins each run with empty states, the next one of a thread, too."""
    run = Agent.run

    def runs(self: Agents, messages: Any, session: Any = None, **rest: Any) -> Any:  # Any: handed on
        if session is not None:
            session.pop(SESSION_KEY, None)
        return run(self, messages, session, **rest)

    return patch.object(Agent, "run", runs)


@mutant("XP-STATE-12")
def keeps_one_state_for_all_threads() -> AbstractContextManager[object]:
    """Begins each run with the states that the run before it has left, whichever thread that was of."""
    run = Agent.run
    known: list[Any] = []  # Any: sessions

    def runs(self: Agents, messages: Any, session: Any = None, **rest: Any) -> Any:  # Any: passed as given
        if session is not None:
            session.update({key: one[key] for one in known for key in one if key == SESSION_KEY})
            known[:] = [session]
        return run(self, messages, session, **rest)

    return patch.object(Agent, "run", runs)


def _writes(
    written: Callable[[Mapping[str, Json], Mapping[str, Json]], Mapping[str, Json]],
) -> AbstractContextManager[object]:
    """Write something else into a state: told what there is of it, and what is to be written."""
    write = OwnState.write

    def writes(self: OwnState, run: Run, found: Mapping[str, Json], by: str) -> None:
        write(self, run, written(self._stored(run), found), by)

    return patch.object(OwnState, "write", writes)


@mutant("XP-BEST-04")
def keeps_objects_in_objects_as_texts() -> AbstractContextManager[object]:
    """Keeps an object that is in an object as its text."""

    def flat(value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {key: str(part) if isinstance(part, dict) else part for key, part in value.items()}

    return _writes(lambda kept, found: {key: flat(value) for key, value in found.items()})


@mutant("XP-STATE-02")
def overlooks_optional_schemas() -> AbstractContextManager[object]:
    """Takes a schema that is optional as a whole for none, without a word."""
    own = Middleware.own_schema

    def schema(self: Middleware) -> type[Struct] | None:
        return own.__get__(self) if isinstance(self.state_schema, type) else None

    return patch.object(Middleware, "own_schema", property(schema))


@mutant("XP-STATE-03")
def takes_empty_values_for_none() -> AbstractContextManager[object]:
    """Shows the default in the place of a value that is empty or nought: `value or default`."""
    kept = OwnState._stored

    def keeps(self: OwnState, run: Run) -> Mapping[str, Json]:
        return {key: value for key, value in kept(self, run).items() if value}

    return patch.object(OwnState, "_stored", keeps)


@mutant("XP-STATE-04")
def merges_objects_into_the_old_ones() -> AbstractContextManager[object]:
    """Puts the entries of a new object beside those of the old one."""

    def merged(old: Json, new: Json) -> Json:
        return {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new

    return _writes(lambda kept, found: {key: merged(kept.get(key), value) for key, value in found.items()})


@mutant("XP-STATE-07", neighbors={"PLUGIN-02": "a middleware returns a field that it has not declared there, too"})
def keeps_what_nobody_has_declared() -> AbstractContextManager[object]:
    """Keeps whatever an update holds."""
    check = OwnState.checked

    def checks(self: OwnState, update: Mapping[str, Json], by: str) -> dict[str, Json]:
        reserved = ("messages", "tools", "jump_to")
        return {**{key: update[key] for key in update if key not in reserved}, **check(self, update, by)}

    return patch.object(OwnState, "checked", checks)


# -- whose it is -------------------------------------------------------------------------------------------------


@contextmanager
def _left(left: Callable[[Mapping[str, Json], str, str], Mapping[str, Json]]) -> Iterator[None]:
    """Leave other states behind when one is written: told all of them, by agent, and who has written which."""
    write = OwnState.write

    def writes(self: OwnState, run: Run, found: Mapping[str, Json], by: str) -> None:
        write(self, run, found, by)
        if found:
            run.session[SESSION_KEY] = left(run.session[SESSION_KEY], state_path(run), self._name)

    with patch.object(OwnState, "write", writes):
        yield


@mutant(
    "XP-STATE-06",
    neighbors={
        "XP-STATE-09": "one of its agents has two middlewares",
        "PLUGIN-01": "two middlewares of an agent have states there, too",
    },
)
def writes_over_the_states_of_others() -> AbstractContextManager[object]:
    """Writes a state where that of another middleware of the agent was."""
    return _left(lambda states, agent, name: {**states, agent: {name: states[agent][name]}})


@mutant("XP-STATE-09")
def writes_over_the_states_of_other_agents() -> AbstractContextManager[object]:
    """Leaves nothing of the states of other agents when one writes its own."""
    return _left(lambda states, agent, name: {agent: states[agent]})


@contextmanager
def _as(whose: Callable[[OwnState, Run], AbstractContextManager[object]]) -> Iterator[None]:
    """Read and write states as if they were somebody else's."""
    kept, write = OwnState._stored, OwnState.write

    def keeps(self: OwnState, run: Run) -> Mapping[str, Json]:
        with whose(self, run):
            return kept(self, run)

    def writes(self: OwnState, run: Run, found: Mapping[str, Json], by: str) -> None:
        with whose(self, run):
            write(self, run, found, by)

    with patch.object(OwnState, "_stored", keeps), patch.object(OwnState, "write", writes):
        yield


@mutant("XP-STATE-09")
def keeps_one_state_for_all_agents() -> AbstractContextManager[object]:
    """Tells states apart by the names of their middlewares only, whichever agent these belong to."""
    return _as(lambda state, run: patch.object(run, "path", ("everybody",)))


@mutant("PLUGIN-01")
def keeps_one_state_for_all_middlewares() -> AbstractContextManager[object]:
    """Keeps the fields of all middlewares of an agent in one state, each under its bare name."""
    return _as(lambda state, run: patch.object(state, "_name", "everybody"))


@mutant("PLUGIN-02")
def shows_everybody_all_states() -> AbstractContextManager[object]:
    """Shows a middleware the fields of the others beside its own."""
    read = OwnState.read

    def reads(self: OwnState, run: Run) -> Own:
        own = read(self, run)
        states = run.session.get(SESSION_KEY, {}).get(state_path(run), {})
        others = {key: value for state in states.values() for key, value in state.items() if not hasattr(own, key)}
        if not others:
            return own
        seen = msgspec.defstruct("Seen", [(key, Any) for key in others], bases=(type(own),), kw_only=True)
        return seen(**others, **{field.name: getattr(own, field.name) for field in fields(own)})

    return patch.object(OwnState, "read", reads)


# -- the runtime context -----------------------------------------------------------------------------------------


@mutant("XP-CTX-01")
@contextmanager
def lets_go_of_the_context_before_the_last_hooks() -> Iterator[None]:
    """Tells the hooks after the agent nothing of the runtime context any more."""
    runtime = Layer.runtime
    over: set[Run] = set()

    async def calls(layers: Sequence[Layer], kind: Any, run: Run, state: State[AnyMessage], spoken: Any) -> Any:
        # Any: handed on
        if kind == "after_agent":
            over.add(run)
        return await through_hooks(layers, kind, run, state, spoken)

    def tells(self: Layer, run: Run) -> Any:  # Any: what the hooks are given
        told = runtime(self, run)
        return replace(told, context=None) if run in over else told

    with patch.object(stack, "through_hooks", calls), patch.object(Layer, "runtime", tells):
        yield


@contextmanager
def _read(context: Callable[[Layer, Run], Own]) -> Iterator[None]:
    """Read the context in another way."""
    with patch.object(Layer, "context", context):
        yield


@mutant("XP-CTX-02")
def keeps_the_context_with_the_session() -> AbstractContextManager[object]:
    """Keeps the runtime context in the session, and adds it to that of the next run."""
    read = Layer.context

    def reads(self: Layer, run: Run) -> Own:
        run.context = run.session["context"] = {**run.session.get("context", {}), **run.context}
        return read(self, run)

    return _read(reads)


@mutant("XP-CTX-02")
def writes_the_context_into_checkpoints() -> AbstractContextManager[object]:
    """Saves the runtime context with an interrupted run, and never reads it again."""
    of = Checkpoint.of

    def saves(run: Run, *rest: Any) -> bytes:  # Any: passed as given
        with patch.object(run, "local", {**run.local, "context": dict(run.context)}):
            return of(run, *rest)

    return patch.object(Checkpoint, "of", saves)


_CONTEXTS: dict[bytes, Mapping[str, Json]] = {}  # of interrupted runs: outlives the agent


@mutant("XP-CTX-02")
@contextmanager
def resumes_with_the_context_of_before() -> Iterator[None]:
    """Adds the runtime context of the interrupted run, which it stores apart, to that of the resumed run."""
    of, resume = Checkpoint.of, Agent.resume

    def saves(run: Run, *rest: Any) -> bytes:  # Any: passed as given
        checkpoint = of(run, *rest)
        _CONTEXTS[checkpoint] = run.context
        return checkpoint

    def resumes(self: Agents, checkpoint: bytes, *rest: Any, context: Any = None, **named: Any) -> Any:  # Any: the same
        merged = {**_CONTEXTS.get(checkpoint, {}), **(context or {})}
        return resume(self, checkpoint, *rest, context=merged, **named)

    with patch.object(Checkpoint, "of", saves), patch.object(Agent, "resume", resumes):
        yield


@mutant("XP-CTX-03")
@contextmanager
def lets_hooks_change_the_context() -> Iterator[None]:
    """Gives all hooks of a middleware one and the same context, which they can assign to."""
    read = Layer.context
    views: dict[tuple[Layer, Run], Own] = {}

    def thawed(schema: type[Struct]) -> type[Struct]:
        return msgspec.defstruct(
            schema.__name__,
            [(field.name, field.type, msgspec.field(default=field.default)) for field in fields(schema)],
            kw_only=True,
        )

    def reads(self: Layer, run: Run) -> Own:
        if (self, run) not in views:
            views[self, run] = read(self, run)
        return views[self, run]

    with patch.object(layers, "_frozen", thawed), _read(reads):
        yield


@mutant("XP-CTX-04")
def does_without_what_it_requires() -> AbstractContextManager[object]:
    """Gives hooks no context at all where a value is missing that they require."""
    read = Layer.context

    def reads(self: Layer, run: Run) -> Own:
        schema = self.middleware.context_schema
        required = [field.encode_name for field in fields(schema) if field.required] if schema else []
        return None if set(required) - set(run.context) else read(self, run)

    return _read(reads)


@mutant("XP-CTX-05")
def reads_numbers_off_texts() -> AbstractContextManager[object]:
    """Takes a text with digits for a number."""
    read = Layer.context

    def reads(self: Layer, run: Run) -> Own:
        try:
            return read(self, run)
        except ContextError:
            try:
                return msgspec.convert(dict(run.context), type=self._view, strict=False)
            except msgspec.ValidationError:
                return read(self, run)

    return _read(reads)


# -- AgentsMD beside a summarization -----------------------------------------------------------------------------


def _sorted(key: Callable[[Handler[AnyMessage]], bool]) -> AbstractContextManager[object]:
    """Give an agent its handlers in another order."""
    init = Agent.__init__

    def builds(self: Agents, *, handlers: Sequence[Handler[AnyMessage]] = (), **rest: Any) -> None:  # Any: handed on
        init(self, handlers=sorted(handlers, key=key), **rest)

    return patch.object(Agent, "__init__", builds)


@mutant("PLUGIN-03")
def calls_handlers_before_middlewares() -> AbstractContextManager[object]:
    """Calls the agent's handlers first and then its middlewares, in whichever order they were attached."""
    return _sorted(lambda handler: isinstance(handler, Stack))


@mutant("PLUGIN-04", neighbors={"PLUGIN-34": "AgentsMD stands between two middlewares there"})
def calls_middlewares_before_handlers() -> AbstractContextManager[object]:
    """Calls the agent's middlewares first and then its handlers, in whichever order they were attached."""
    return _sorted(lambda handler: not isinstance(handler, Stack))
