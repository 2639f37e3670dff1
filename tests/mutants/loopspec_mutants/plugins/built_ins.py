"""Mutants about the built-in summarization of the plugin layer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Json, Model
from loopspec_reference.plugins import (
    Execution,
    HookState,
    Middleware,
    MiddlewareContext,
    OptionsError,
    Runtime,
    SummarizationStrategy,
    summarization,
)
from loopspec_reference.plugins.summarization import Trigger
from loopspec_reference.runs.run import current_run

from ..registry import mutant

Options = Mapping[str, Any]  # Any: JSON of any shape
Summarizer = summarization._Summarizer
Update = dict[str, Json] | None
Hook = Callable[[Summarizer, HookState, Runtime], Awaitable[Update]]


def reading(module: object, change: Callable[[dict[str, Any]], None]) -> AbstractContextManager[object]:
    """Change the options of a middleware before they are read."""
    read = module.read_options  # type: ignore[attr-defined]  # both modules that are passed have it

    def reads(type_: Any, options: Options, name: str) -> Any:  # Any: of whichever options
        changed = dict(options)
        change(changed)
        return read(type_, changed, name)

    return patch.object(module, "read_options", reads)


def before_model(
    change: Callable[[Hook, Summarizer, HookState, Runtime], Awaitable[Update]],
) -> AbstractContextManager[object]:
    """Patch the before-model hook of the summarization."""
    hook = Summarizer.before_model

    async def calls(self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        return await change(hook, self, state, runtime)

    return patch.object(Summarizer, "before_model", calls)


Limit = Callable[[Trigger, Model[Any]], int]


def _limiting(find: Callable[[Limit, Trigger, Model[Any]], int]) -> AbstractContextManager[object]:
    """Patch how the limit is computed."""
    limit = summarization._limit
    return patch.object(summarization, "_limit", lambda trigger, model: find(limit, trigger, model))


def _size(model: Model[Any]) -> int | None:
    size: int | None = getattr(getattr(model, "profile", None), "max_input_tokens", None)
    return size


def making(
    strategy: type, make: Callable[[Callable[[], Middleware], Options, MiddlewareContext], Middleware]
) -> AbstractContextManager[object]:
    """Patch how a strategy builds its middleware."""
    create = strategy.create_middleware  # type: ignore[attr-defined]  # a strategy has it

    def creates(self: object, options: Options, context: MiddlewareContext) -> Middleware:
        return make(lambda: create(self, options, context), options, context)

    return patch.object(strategy, "create_middleware", creates)


@mutant(
    "XP-SUM-01",
    neighbors={
        "PLUGIN-03": "the run of the example also has a second summary",
        "PLUGIN-04": "the run of the example also has a second summary",
        "XP-SUM-12": "the conversation crosses the limit in the middle of the run",
        "XP-SUM-15": "the example compares the entries of two summaries of one run",
        "XP-SUM-25": "the example compares the entries of two summaries of one run",
    },
)
def checks_the_length_once_in_a_run() -> AbstractContextManager[object]:
    """Checks the length of the conversation only before the first model call of a run."""

    async def changed(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        run = current_run.get()
        return await hook(self, state, runtime) if run is not None and run.iteration == 0 else None

    return before_model(changed)


@mutant(
    "XP-SUM-02",
    neighbors={
        "XP-SUM-28": "the examples count tokens",
        "XP-SUM-04": "the example counts every word",
        "PLUGIN-38": "the long message of the example is a tool result",
    },
)
def counts_user_messages_only() -> AbstractContextManager[object]:
    """Counts only the tokens of user messages."""

    async def changed(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        count = self.context.count_tokens
        context = replace(self.context, count_tokens=lambda ms: count([one for one in ms if one.role == "user"]))
        return await hook(replace(self, context=context), state, runtime)

    return before_model(changed)


@mutant("XP-SUM-03")
def takes_the_first_of_two_limits() -> AbstractContextManager[object]:
    """Uses only the first of several limits, and never summarizes if no limit is given."""

    def change(options: dict[str, Any]) -> None:
        trigger = options.get("trigger")
        if trigger == {}:
            del options["trigger"]
        elif trigger and set(trigger) != {"fraction", "tokens"}:
            options["trigger"] = dict(list(trigger.items())[:1])

    return reading(summarization, change)


@mutant(
    "XP-SUM-04",
    neighbors={
        "XP-SUM-28": "the conversation of an example is as long as the limit",
        "XP-SUM-27": "the conversation of an example is as long as the limit",
        "PLUGIN-03": "the conversation fills the limit exactly, and the position of the instructions differs",
        "PLUGIN-04": "the conversation fills the limit exactly, and the position of the instructions differs",
    },
)
def summarizes_above_the_limit_only() -> AbstractContextManager[object]:
    """Summarizes only a conversation that is longer than the limit."""
    return _limiting(lambda limit, trigger, model: limit(trigger, model) + 1)


@mutant("XP-SUM-05")
def summarizes_without_a_limit() -> AbstractContextManager[object]:
    """Summarizes at four fifths of the context size, or at four messages, if no limit is given."""

    def make(create: Callable[[], Middleware], options: Options, context: MiddlewareContext) -> Middleware:
        if "trigger" in options:
            return create()
        limit: dict[str, Json] = {"fraction": 0.8} if context.model and _size(context.model) else {"messages": 4}
        return SummarizationStrategy().create_middleware({**options, "trigger": limit}, context)

    return making(SummarizationStrategy, make)


@mutant("XP-SUM-07")
def corrects_invalid_limits() -> AbstractContextManager[object]:
    """Replaces an invalid limit with the nearest valid one."""

    def change(options: dict[str, Any]) -> None:
        trigger = dict(options.get("trigger") or {})
        for kind, number in trigger.items():
            trigger[kind] = min(1, max(0.01, number)) if kind == "fraction" else max(1, int(number))
        if trigger:
            options["trigger"] = trigger

    return reading(summarization, change)


@mutant(
    "XP-SUM-08",
    neighbors={
        "XP-SUM-27": "the examples compare the whole conversation",
        "PLUGIN-04": "the first user message of the example contains the instructions",
        "XP-SUM-11": "the example compares the whole of a short conversation",
        "XP-SUM-18": "the example keeps no messages, and so not the first one",
    },
)
def keeps_the_first_user_message() -> AbstractContextManager[object]:
    """Keeps the first user message before the summary."""

    async def changed(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        update = await hook(self, state, runtime)
        if update is None:
            return None
        first = next(one for one in state.messages if one.role == "user")
        return {"messages": [first, *(one for one in update["messages"] if one is not first)]}

    return before_model(changed)


@mutant("XP-SUM-09")
def keeps_ten_messages() -> AbstractContextManager[object]:
    """Keeps the last ten messages by default."""
    return reading(summarization, lambda options: options.update({"keep": options.get("keep", 10)}))


@mutant("XP-SUM-10")
def summarizes_messages_to_keep() -> AbstractContextManager[object]:
    """Summarizes all but the last message if all messages should be kept."""

    async def changed(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        if self.options.keep >= len(state.messages):
            self = replace(self, options=replace(self.options, keep=1))
        return await hook(self, state, runtime)

    return before_model(changed)


@mutant("XP-SUM-11", neighbors={"XP-SUM-27": "the examples compare the role of the summary"})
def inserts_the_summary_as_an_assistant_message() -> AbstractContextManager[object]:
    """Inserts the summary as an assistant message."""

    async def changed(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        update = await hook(self, state, runtime)
        if update is None:
            return None
        converted = [
            one if any(one is old for old in state.messages) else type(one).assistant(one.text)
            for one in update["messages"]
        ]
        return {"messages": converted}

    return before_model(changed)


@mutant(
    "XP-SUM-12",
    neighbors={
        "PLUGIN-33": "the rule states the same for agentic messages",
    },
)
def cuts_between_a_call_and_its_result() -> AbstractContextManager[object]:
    """Cuts between a tool call and its result if the number of messages to keep ends there."""
    return patch.object(summarization, "safe_cut", lambda messages, cut: cut)


@mutant(
    "XP-SUM-13",
    neighbors={
        "XP-BEST-07": "the example also depends on the context size of the model",
        "XP-SUM-02": "one of the limits is a fraction",
        "XP-SUM-04": "one of the limits is a fraction",
    },
)
def assumes_one_context_size() -> AbstractContextManager[object]:
    """Assumes a context size of 128,000 tokens for every model with a profile."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        found = limit(trigger, model)
        return int(trigger.fraction * 128_000) if trigger.fraction and _size(model) else found

    return _limiting(find)


@mutant("XP-SUM-14", neighbors={"XP-SUM-24": "the example also has a limit for a model without a profile"})
def rejects_a_fraction_without_a_context_size() -> AbstractContextManager[object]:
    """Rejects a fraction limit for a model without a profile, even with an absolute limit."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        if trigger.fraction and not _size(model):
            raise OptionsError("the context size of the model is unknown: give an absolute number")
        return limit(trigger, model)

    return _limiting(find)


@mutant(
    "XP-SUM-14",
    neighbors={
        "XP-SUM-24": "the example also has a limit for a model without a profile",
        "PLUGIN-39": "a fraction without a context size is accepted as a limit that is never reached",
    },
)
def never_summarizes_without_a_context_size() -> AbstractContextManager[object]:
    """Never summarizes for a model without a profile if the limit is a fraction."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        return 10**9 if trigger.fraction and not _size(model) else limit(trigger, model)

    return _limiting(find)


@mutant("XP-SUM-24")
def falls_back_to_a_fixed_limit() -> AbstractContextManager[object]:
    """Summarizes at 170,000 tokens for a model without a profile, whatever absolute limit is given."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        found = limit(trigger, model)
        return 170_000 if trigger.fraction and not _size(model) else found

    return _limiting(find)


@mutant("XP-SUM-13")
def caps_the_context_size() -> AbstractContextManager[object]:
    """Applies an absolute limit of 1,000,000 in addition to a fraction limit."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        found = limit(trigger, model)
        return min(found, 1_000_000) if trigger.fraction and _size(model) else found

    return _limiting(find)


@mutant("XP-BEST-07")
def uses_the_smaller_limit() -> AbstractContextManager[object]:
    """Uses the smaller of a fraction limit and a token limit although the context size is known."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        found = limit(trigger, model)
        return min(found, trigger.tokens) if trigger.tokens is not None else found

    return _limiting(find)


@mutant("XP-SUM-15", neighbors={"XP-SUM-25": "the example compares all entries of a run"})
def records_each_check_of_the_length() -> AbstractContextManager[object]:
    """Records an execution for each check of the conversation, in addition to each summary."""

    async def changed(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        if self.context.trace is not None:
            self.context.trace.executed(Execution(runtime.agent, self.context.node, tuple(state.messages)))
        return await hook(self, state, runtime)

    return before_model(changed)


@mutant("XP-SUM-25")
def records_the_number_of_messages() -> AbstractContextManager[object]:
    """Records the number of messages that a summary replaces, not the summary."""

    def executed(
        agent: str, node: str, messages: Any, output: str | None = None, error: str | None = None
    ) -> Execution:
        return Execution(agent, node, messages, output and f"compressed {len(messages)} messages", error)

    return patch.object(summarization, "Execution", executed)


@mutant("XP-SUM-18")
def takes_zero_for_the_default() -> AbstractContextManager[object]:
    """Keeps the default number of messages if the configured number is zero."""
    return reading(summarization, lambda options: options.update({"keep": options.get("keep") or 20}))


@mutant("XP-BEST-02", neighbors={"PLUGIN-04": "the conversation after a summary is also short"})
def summarizes_again_after_a_summary() -> AbstractContextManager[object]:
    """Summarizes before each model call once the conversation has a summary."""

    async def changed(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        begun = any(one.role == "user" and one.text.startswith(self.options.prefix) for one in state.messages)
        return await hook(replace(self, limit=1) if begun else self, state, runtime)

    return before_model(changed)
