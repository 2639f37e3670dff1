"""Mutants about the states of middlewares, the runtime context, and AgentsMD alongside a summarization."""

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

Json = Any  # any JSON value
Agents = Agent[AnyMessage]


# -- stored values ------------------------------------------------------------------------------------------------


@mutant("XP-STATE-01")
def omits_states_from_checkpoints() -> AbstractContextManager[object]:
    """Omits the states from checkpoints."""
    of = Checkpoint.of

    def saves(run: Run, *rest: Any) -> bytes:  # Any: passed as given
        with patch.object(run, "session", {key: run.session[key] for key in run.session if key != SESSION_KEY}):
            return of(run, *rest)

    return patch.object(Checkpoint, "of", saves)


@mutant("XP-STATE-11")
def resets_states_when_a_run_begins() -> AbstractContextManager[object]:
    """Begins each run with empty states, also the next run of a thread."""
    run = Agent.run

    def runs(self: Agents, messages: Any, session: Any = None, **rest: Any) -> Any:  # Any: passed on
        if session is not None:
            session.pop(SESSION_KEY, None)
        return run(self, messages, session, **rest)

    return patch.object(Agent, "run", runs)


@mutant("XP-STATE-12")
def shares_states_among_threads() -> AbstractContextManager[object]:
    """Begins each run with the states of the previous run, whichever thread that run belongs to."""
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
    """Patch the values that are written into a state, by the stored and the new values."""
    write = OwnState.write

    def writes(self: OwnState, run: Run, found: Mapping[str, Json], by: str) -> None:
        write(self, run, written(self._stored(run), found), by)

    return patch.object(OwnState, "write", writes)


@mutant("XP-BEST-04")
def stores_nested_objects_as_texts() -> AbstractContextManager[object]:
    """Stores an object inside another object as a text."""

    def flat(value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {key: str(part) if isinstance(part, dict) else part for key, part in value.items()}

    return _writes(lambda kept, found: {key: flat(value) for key, value in found.items()})


@mutant("XP-STATE-02")
def ignores_optional_schemas() -> AbstractContextManager[object]:
    """Ignores a state schema that is optional as a whole."""
    own = Middleware.own_schema

    def schema(self: Middleware) -> type[Struct] | None:
        return own.__get__(self) if isinstance(self.state_schema, type) else None

    return patch.object(Middleware, "own_schema", property(schema))


@mutant(
    "XP-STATE-03",
    neighbors={
        "XP-STATE-04": "the examples set fields to empty values",
        "XP-BEST-04": "some of the stored values are empty",
    },
)
def takes_empty_values_for_missing() -> AbstractContextManager[object]:
    """Reads the default in place of a value that is empty or zero: `value or default`."""
    kept = OwnState._stored

    def keeps(self: OwnState, run: Run) -> Mapping[str, Json]:
        return {key: value for key, value in kept(self, run).items() if value}

    return patch.object(OwnState, "_stored", keeps)


@mutant("XP-STATE-04")
def merges_objects() -> AbstractContextManager[object]:
    """Merges a new object with the stored one in place of replacing it."""

    def merged(old: Json, new: Json) -> Json:
        return {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new

    return _writes(lambda kept, found: {key: merged(kept.get(key), value) for key, value in found.items()})


@mutant("XP-STATE-07", neighbors={"PLUGIN-02": "a middleware also returns a field that it has not declared"})
def stores_undeclared_values() -> AbstractContextManager[object]:
    """Stores values of an update that the schema does not declare."""
    check = OwnState.checked

    def checks(self: OwnState, update: Mapping[str, Json], by: str) -> dict[str, Json]:
        reserved = ("messages", "tools", "jump_to")
        return {**{key: update[key] for key in update if key not in reserved}, **check(self, update, by)}

    return patch.object(OwnState, "checked", checks)


# -- owners of states ---------------------------------------------------------------------------------------------


@contextmanager
def _leaving(left: Callable[[Mapping[str, Json], str, str], Mapping[str, Json]]) -> Iterator[None]:
    """Patch the states after a write, by all states, the agent and the name of the middleware."""
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
        "XP-STATE-09": "one of the agents has two middlewares",
        "PLUGIN-01": "the agent of the example also has two middlewares with states",
    },
)
def overwrites_states_of_other_middlewares() -> AbstractContextManager[object]:
    """Deletes the states of the agent's other middlewares when it writes a state."""
    return _leaving(lambda states, agent, name: {**states, agent: {name: states[agent][name]}})


@mutant("XP-STATE-09")
def overwrites_states_of_other_agents() -> AbstractContextManager[object]:
    """Deletes the states of other agents when it writes a state."""
    return _leaving(lambda states, agent, name: {agent: states[agent]})


@contextmanager
def _as(owned_by: Callable[[OwnState, Run], AbstractContextManager[object]]) -> Iterator[None]:
    """Read and write states with another owner."""
    kept, write = OwnState._stored, OwnState.write

    def keeps(self: OwnState, run: Run) -> Mapping[str, Json]:
        with owned_by(self, run):
            return kept(self, run)

    def writes(self: OwnState, run: Run, found: Mapping[str, Json], by: str) -> None:
        with owned_by(self, run):
            write(self, run, found, by)

    with patch.object(OwnState, "_stored", keeps), patch.object(OwnState, "write", writes):
        yield


@mutant("XP-STATE-09")
def shares_states_among_agents() -> AbstractContextManager[object]:
    """Shares one state among the middlewares with the same name of all agents."""
    return _as(lambda state, run: patch.object(run, "path", ("shared",)))


@mutant("PLUGIN-01")
def shares_states_among_middlewares() -> AbstractContextManager[object]:
    """Shares one state among all middlewares of an agent."""
    return _as(lambda state, run: patch.object(state, "_name", "shared"))


@mutant("PLUGIN-02")
def passes_all_states_to_each_middleware() -> AbstractContextManager[object]:
    """Passes the fields of other middlewares to a middleware together with its own fields."""
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


# -- the runtime context ------------------------------------------------------------------------------------------


@mutant("XP-CTX-01")
@contextmanager
def hides_the_context_from_after_agent_hooks() -> Iterator[None]:
    """Passes no runtime context to the after-agent hooks."""
    runtime = Layer.runtime
    over: set[Run] = set()

    async def calls(layers: Sequence[Layer], kind: Any, run: Run, state: State[AnyMessage], message_types: Any) -> Any:
        # Any: passed on
        if kind == "after_agent":
            over.add(run)
        return await through_hooks(layers, kind, run, state, message_types)

    def hides(self: Layer, run: Run) -> Any:  # Any: what the hooks are given
        original = runtime(self, run)
        return replace(original, context=None) if run in over else original

    with patch.object(stack, "through_hooks", calls), patch.object(Layer, "runtime", hides):
        yield


@contextmanager
def _read(context: Callable[[Layer, Run], Own]) -> Iterator[None]:
    """Patch how the runtime context is read."""
    with patch.object(Layer, "context", context):
        yield


@mutant("XP-CTX-02")
def keeps_the_context_in_the_session() -> AbstractContextManager[object]:
    """Stores the runtime context in the session, and merges it into that of the next run."""
    read = Layer.context

    def reads(self: Layer, run: Run) -> Own:
        run.context = run.session["context"] = {**run.session.get("context", {}), **run.context}
        return read(self, run)

    return _read(reads)


@mutant("XP-CTX-02")
def writes_the_context_into_checkpoints() -> AbstractContextManager[object]:
    """Writes the runtime context of an interrupted run into the checkpoint."""
    of = Checkpoint.of

    def saves(run: Run, *rest: Any) -> bytes:  # Any: passed as given
        with patch.object(run, "local", {**run.local, "context": dict(run.context)}):
            return of(run, *rest)

    return patch.object(Checkpoint, "of", saves)


_CONTEXTS: dict[bytes, Mapping[str, Json]] = {}  # of interrupted runs: kept longer than the agent


@mutant("XP-CTX-02")
@contextmanager
def resumes_with_the_context_of_the_interrupted_run() -> Iterator[None]:
    """Merges the runtime context of the interrupted run into that of the resumed run."""
    of, resume = Checkpoint.of, Agent.resume

    def saves(run: Run, *rest: Any) -> bytes:  # Any: passed as given
        checkpoint = of(run, *rest)
        _CONTEXTS[checkpoint] = run.context
        return checkpoint

    def resumes(
        self: Agents, checkpoint: bytes, *rest: Any, context: Any = None, **named: Any
    ) -> Any:  # Any: passed as given
        merged = {**_CONTEXTS.get(checkpoint, {}), **(context or {})}
        return resume(self, checkpoint, *rest, context=merged, **named)

    with patch.object(Checkpoint, "of", saves), patch.object(Agent, "resume", resumes):
        yield


@mutant("XP-CTX-03")
@contextmanager
def lets_hooks_change_the_context() -> Iterator[None]:
    """Passes the same mutable context to all hooks of a middleware."""
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
def ignores_missing_required_values() -> AbstractContextManager[object]:
    """Passes no context to hooks when a required value is missing."""
    read = Layer.context

    def reads(self: Layer, run: Run) -> Own:
        schema = self.middleware.context_schema
        required = [field.encode_name for field in fields(schema) if field.required] if schema else []
        return None if set(required) - set(run.context) else read(self, run)

    return _read(reads)


@mutant("XP-CTX-05")
def converts_texts_to_numbers() -> AbstractContextManager[object]:
    """Takes a text of digits for a number."""
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


# -- AgentsMD and a summarization ---------------------------------------------------------------------------------


def _sorted(key: Callable[[Handler[AnyMessage]], bool]) -> AbstractContextManager[object]:
    """Patch the order of the handlers of an agent."""
    init = Agent.__init__

    def builds(self: Agents, *, handlers: Sequence[Handler[AnyMessage]] = (), **rest: Any) -> None:  # Any: passed on
        init(self, handlers=sorted(handlers, key=key), **rest)

    return patch.object(Agent, "__init__", builds)


@mutant("PLUGIN-03")
def calls_handlers_before_middlewares() -> AbstractContextManager[object]:
    """Calls the agent's handlers before its middlewares, whatever their configured order."""
    return _sorted(lambda handler: isinstance(handler, Stack))


@mutant("PLUGIN-04", neighbors={"PLUGIN-34": "AgentsMD is between two middlewares"})
def calls_middlewares_before_handlers() -> AbstractContextManager[object]:
    """Calls the agent's middlewares before its handlers, whatever their configured order."""
    return _sorted(lambda handler: not isinstance(handler, Stack))
