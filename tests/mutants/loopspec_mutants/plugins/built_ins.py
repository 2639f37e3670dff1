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

Options = Mapping[str, Any]  # Any: JSON, which is looked into
Summarizer = summarization._Summarizer
Update = dict[str, Json] | None
Hook = Callable[[Summarizer, HookState, Runtime], Awaitable[Update]]


def reading(module: object, change: Callable[[dict[str, Any]], None]) -> AbstractContextManager[object]:
    """The options of a middleware are changed before they are read."""
    read = module.read_options  # type: ignore[attr-defined]  # of one of the two that have it

    def reads(type_: Any, options: Options, name: str) -> Any:  # Any: of whichever options
        changed = dict(options)
        change(changed)
        return read(type_, changed, name)

    return patch.object(module, "read_options", reads)


def _looking(
    look: Callable[[Hook, Summarizer, HookState, Runtime], Awaitable[Update]],
) -> AbstractContextManager[object]:
    """The hook before the model is enclosed."""
    before_model = Summarizer.before_model

    async def looks(self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        return await look(before_model, self, state, runtime)

    return patch.object(Summarizer, "before_model", looks)


Limit = Callable[[Trigger, Model[Any]], int]


def _limiting(find: Callable[[Limit, Trigger, Model[Any]], int]) -> AbstractContextManager[object]:
    """The limit is found in another way."""
    limit = summarization._limit
    return patch.object(summarization, "_limit", lambda trigger, model: find(limit, trigger, model))


def _size(model: Model[Any]) -> int | None:
    size: int | None = getattr(getattr(model, "profile", None), "max_input_tokens", None)
    return size


def making(
    strategy: type, make: Callable[[Callable[[], Middleware], Options, MiddlewareContext], Middleware]
) -> AbstractContextManager[object]:
    """What a strategy makes is made in another way."""
    create = strategy.create_middleware  # type: ignore[attr-defined]  # a strategy has it

    def creates(self: object, options: Options, context: MiddlewareContext) -> Middleware:
        return make(lambda: create(self, options, context), options, context)

    return patch.object(strategy, "create_middleware", creates)


@mutant(
    "XP-SUM-01",
    neighbors={
        "PLUGIN-03": "there, too, a second summary is made in a run",
        "PLUGIN-04": "there, too, a second summary is made in a run",
        "XP-SUM-12": "there, too, the conversation grows too long in the middle of the work",
        "XP-SUM-15": "two summaries of one run are recorded there",
        "XP-SUM-25": "two summaries of one run are recorded there",
    },
)
def looks_at_the_length_once_in_a_run() -> AbstractContextManager[object]:
    """Looks at the length of the conversation before the first model call only."""

    async def look(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        run = current_run.get()
        return await hook(self, state, runtime) if run is not None and run.iteration == 0 else None

    return _looking(look)


@mutant(
    "XP-SUM-02",
    neighbors={"XP-SUM-04": "there every word counts", "PLUGIN-38": "what is long there is a tool's result"},
)
def counts_what_the_user_has_said() -> AbstractContextManager[object]:
    """Counts the tokens of user messages only."""

    async def look(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        count = self.context.count_tokens
        context = replace(self.context, count_tokens=lambda ms: count([one for one in ms if one.role == "user"]))
        return await hook(replace(self, context=context), state, runtime)

    return _looking(look)


@mutant("XP-SUM-03")
def takes_the_first_of_two_limits() -> AbstractContextManager[object]:
    """Takes one limit of several and forgets the rest; where there is none, it never summarises."""

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
        "PLUGIN-03": "with the limit passed, and not reached, the instructions come to stand elsewhere",
        "PLUGIN-04": "with the limit passed, and not reached, the instructions come to stand elsewhere",
    },
)
def waits_until_the_limit_is_passed() -> AbstractContextManager[object]:
    """Summarises only what is longer than the limit."""
    return _limiting(lambda limit, trigger, model: limit(trigger, model) + 1)


@mutant("XP-SUM-05")
def summarises_unasked() -> AbstractContextManager[object]:
    """Summarises from four fifths of what the model takes on, or from four messages on, where no limit is given."""

    def make(create: Callable[[], Middleware], options: Options, context: MiddlewareContext) -> Middleware:
        if "trigger" in options:
            return create()
        limit: dict[str, Json] = {"fraction": 0.8} if context.model and _size(context.model) else {"messages": 4}
        return SummarizationStrategy().create_middleware({**options, "trigger": limit}, context)

    return making(SummarizationStrategy, make)


@mutant("XP-SUM-07")
def makes_do_with_any_number() -> AbstractContextManager[object]:
    """Takes the nearest number that can be a limit for one that cannot."""

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
        "PLUGIN-04": "the first message of the user is the instructions there",
        "XP-SUM-11": "it shows the whole of a short conversation",
        "XP-SUM-18": "no message is to stay there, and so not the first",
    },
)
def never_parts_with_the_first_message() -> AbstractContextManager[object]:
    """Leaves the first message of the user where it is, in front of the summary of it."""

    async def look(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        update = await hook(self, state, runtime)
        if update is None:
            return None
        first = next(one for one in state.messages if one.role == "user")
        return {"messages": [first, *(one for one in update["messages"] if one is not first)]}

    return _looking(look)


@mutant("XP-SUM-09")
def keeps_ten_messages() -> AbstractContextManager[object]:
    """Keeps the last ten messages where no number is given."""
    return reading(summarization, lambda options: options.update({"keep": options.get("keep", 10)}))


@mutant("XP-SUM-10")
def always_finds_something_to_cut() -> AbstractContextManager[object]:
    """Summarises all but the last message where all messages should stay."""

    async def look(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        if self.options.keep >= len(state.messages):
            self = replace(self, options=replace(self.options, keep=1))
        return await hook(self, state, runtime)

    return _looking(look)


@mutant("XP-SUM-11")
def has_the_assistant_tell_what_was() -> AbstractContextManager[object]:
    """Puts the summary into the assistant's mouth."""

    async def look(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        update = await hook(self, state, runtime)
        if update is None:
            return None
        told = [
            one if any(one is old for old in state.messages) else type(one).assistant(one.text)
            for one in update["messages"]
        ]
        return {"messages": told}

    return _looking(look)


@mutant("XP-SUM-12", neighbors={"PLUGIN-33": "it says the same of agentic messages"})
def cuts_where_the_count_says() -> AbstractContextManager[object]:
    """Cuts between the call of a tool and its result, if the number of messages to keep ends there."""
    return patch.object(summarization, "safe_cut", lambda messages, cut: cut)


@mutant(
    "XP-SUM-13",
    neighbors={
        "XP-BEST-07": "what the model says counts there, too",
        "XP-SUM-02": "a fraction is one of the limits there",
        "XP-SUM-04": "a fraction is one of the limits there",
    },
)
def takes_all_models_for_large_ones() -> AbstractContextManager[object]:
    """Reckons with 128,000 tokens, whatever number the model's profile has."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        found = limit(trigger, model)
        return int(trigger.fraction * 128_000) if trigger.fraction and _size(model) else found

    return _limiting(find)


@mutant("XP-SUM-14", neighbors={"XP-SUM-24": "a model without a profile has a limit there, too"})
def refuses_models_that_say_nothing() -> AbstractContextManager[object]:
    """Refuses a fraction for a model without a profile, whatever stands beside it."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        if trigger.fraction and not _size(model):
            raise OptionsError("the model does not say how much it takes: give an absolute number")
        return limit(trigger, model)

    return _limiting(find)


@mutant(
    "XP-SUM-14",
    neighbors={
        "XP-SUM-24": "a model without a profile has a limit there, too",
        "PLUGIN-39": "a share of nobody knows what is a limit that never comes then",
    },
)
def never_summarises_for_models_that_say_nothing() -> AbstractContextManager[object]:
    """Does nothing for a model without a profile when the limit is a fraction."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        return 10**9 if trigger.fraction and not _size(model) else limit(trigger, model)

    return _limiting(find)


@mutant("XP-SUM-24")
def falls_back_to_a_number_of_its_own() -> AbstractContextManager[object]:
    """Summarizes from 170,000 tokens for a model without a profile, whatever number is given with the fraction."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        found = limit(trigger, model)
        return 170_000 if trigger.fraction and not _size(model) else found

    return _limiting(find)


@mutant("XP-SUM-13")
def never_trusts_a_large_context() -> AbstractContextManager[object]:
    """Applies its own absolute number as well if the model says how many tokens it takes."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        found = limit(trigger, model)
        return min(found, 1_000_000) if trigger.fraction and _size(model) else found

    return _limiting(find)


@mutant("XP-BEST-07")
def heeds_whichever_limit_comes_first() -> AbstractContextManager[object]:
    """Takes the smaller of the fraction and the number of tokens beside it, though the model says what it takes."""

    def find(limit: Limit, trigger: Trigger, model: Model[Any]) -> int:
        found = limit(trigger, model)
        return min(found, trigger.tokens) if trigger.tokens is not None else found

    return _limiting(find)


@mutant("XP-SUM-15", neighbors={"XP-SUM-25": "all entries of a run are compared there"})
def records_each_look_at_the_length() -> AbstractContextManager[object]:
    """Makes an entry in the execution trace for each look at the conversation, and one more for a summary."""

    async def look(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        if self.context.trace is not None:
            self.context.trace.executed(Execution(runtime.agent, self.context.node, tuple(state.messages)))
        return await hook(self, state, runtime)

    return _looking(look)


@mutant("XP-SUM-25")
def says_how_many_messages_it_has_compressed() -> AbstractContextManager[object]:
    """Records the number of messages that a summary replaces, and not the summary."""

    def executed(
        agent: str, node: str, messages: Any, output: str | None = None, error: str | None = None
    ) -> Execution:
        return Execution(agent, node, messages, output and f"compressed {len(messages)} messages", error)

    return patch.object(summarization, "Execution", executed)


@mutant("XP-SUM-18")
def takes_zero_for_nothing_said() -> AbstractContextManager[object]:
    """Keeps the usual number of messages where none is to be kept."""
    return reading(summarization, lambda options: options.update({"keep": options.get("keep") or 20}))


@mutant("XP-BEST-02", neighbors={"PLUGIN-04": "the conversation behind a summary is short there, too"})
def cannot_stop_summarising() -> AbstractContextManager[object]:
    """Summarises again before each model call once there is a summary, however short the conversation is by then."""

    async def look(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        begun = any(one.role == "user" and one.text.startswith(self.options.prefix) for one in state.messages)
        return await hook(replace(self, limit=1) if begun else self, state, runtime)

    return _looking(look)
