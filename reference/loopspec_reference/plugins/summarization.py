"""A long conversation becomes a short one: a summary of its older part, and its latest messages as they were."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from ..calls.models import Model, ModelRequest
from ..values.errors import NothingReturnedError
from ..values.messages import AnyMessage, Json
from .conversations import answers, uncut
from .errors import OptionsError
from .metadata import MiddlewareMeta, config_schema, read_options
from .middleware import HookState, Middleware, Runtime
from .registry import MiddlewareContext, middleware_strategy
from .tracing import Execution

_log = logging.getLogger("loopspec_reference.plugins")

PROVIDER = "summarization"

_PREFIX = "What was said and done before, in short:"
_PROMPT = (
    "You are given the older part of a conversation between a user, an assistant and its tools. Write down what "
    "somebody needs who takes over from here and cannot read it: what the user wants, what has been decided and found "
    "out, with names and numbers as they are, and what is still to be done. Answer with these notes and nothing else."
)


def _label(english: str, chinese: str) -> Meta:
    return Meta(extra_json_schema={"x-label": {"en_US": english, "zh_Hans": chinese}})


# Sizes are typed here once, each with the label that a form shows.
Tokens: TypeAlias = Annotated[int, Meta(gt=0), _label("Tokens", "令牌数")]
Messages: TypeAlias = Annotated[int, Meta(gt=0), _label("Messages", "消息数")]
Share: TypeAlias = Annotated[float, Meta(gt=0, le=1), _label("Share of the context", "上下文占比")]


# People are shown these docstrings: they name no rules (XP-SUM-02 to XP-SUM-05, XP-SUM-07, XP-SUM-09, XP-SUM-24).
class Trigger(Struct, frozen=True, forbid_unknown_fields=True):
    """From which length on a conversation is summarised, the length itself included.

    One of the three; beside `fraction`, which is a share of what the model can read, `tokens` is the limit for a
    model that does not say how much that is.
    """

    tokens: Tokens | None = None
    messages: Messages | None = None
    fraction: Share | None = None

    def __post_init__(self) -> None:
        """Refuse what is no one limit."""
        given = [name for name in ("tokens", "messages", "fraction") if getattr(self, name) is not None]
        if len(given) != 1 and given != ["tokens", "fraction"]:
            raise ValueError(f"give one of tokens, messages and fraction, or tokens beside fraction; not {given}")


class SummarizationOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What a node can be told. Without a trigger nothing is ever summarised.

    `model` is the name of the one that summarises; the agent's own does without one. `keep` is how many of the latest
    messages stay. A blank prefix or prompt counts as none.
    """

    model: Annotated[str, _label("Model", "模型")] = ""
    trigger: Annotated[Trigger | None, _label("Trigger", "触发条件")] = None
    keep: Annotated[int, Meta(ge=0), _label("Messages to keep", "保留消息数")] = 20
    prefix: Annotated[str, _label("Prefix of the summary", "摘要前缀")] = _PREFIX
    prompt: Annotated[str, _label("Prompt", "提示词")] = _PROMPT


class ModelProfile(Struct, frozen=True):
    """What a model may say about itself, in an attribute `profile`: how much it can read (XP-SUM-13)."""

    max_input_tokens: int | None = None


@middleware_strategy(PROVIDER)
class SummarizationStrategy:
    """Makes middlewares that keep conversations short."""

    meta = MiddlewareMeta(
        name=PROVIDER,
        label={"en_US": "Summarization", "zh_Hans": "对话摘要"},
        icon="compress",
        description={
            "en_US": "Replaces the older part of a long conversation by a summary.",
            "zh_Hans": "将较长对话的较早部分替换为摘要。",
        },
        config_schema=config_schema(SummarizationOptions),
    )

    def create_middleware(self, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
        """Make one. Raises `OptionsError` for options that could never work, such as a share of nobody knows what."""
        read = read_options(SummarizationOptions, options, context.node or PROVIDER)
        model = context.models.get(read.model) if read.model else context.model
        if read.model and model is None:
            there = ", ".join(map(repr, context.models)) or "none"
            raise OptionsError(f"the option `model` names {read.model!r}, which is unknown; there are: {there}")
        if read.trigger is None:
            return Middleware(context.node or PROVIDER)
        if model is None:
            raise OptionsError("no model was given to summarise with: set the option `model`, or give the agent's own")
        summarizer = _Summarizer(read, context, model, _limit(read.trigger, context.model or model))
        return Middleware(context.node or PROVIDER, before_model=summarizer.before_model)


def _limit(trigger: Trigger, model: Model[Any]) -> int:
    """The length, in messages or in tokens, from which on a conversation is summarised."""
    if trigger.messages is not None:
        return trigger.messages
    size = getattr(getattr(model, "profile", None), "max_input_tokens", None)
    if trigger.fraction is not None and isinstance(size, int) and size > 0:
        return ceil(Fraction(str(trigger.fraction)) * size)
    if trigger.tokens is None:
        raise OptionsError(
            "the option `trigger.fraction` needs to know how much the model can read, and it has no "
            "`profile.max_input_tokens`: give `trigger.tokens` beside it"
        )
    return trigger.tokens


@dataclass(frozen=True)
class _Summarizer:
    """One middleware. Its model is of the agent's message type, which it learns from the messages."""

    options: SummarizationOptions
    context: MiddlewareContext
    model: Model[Any]
    limit: int

    async def before_model(self, state: HookState, runtime: Runtime) -> dict[str, Json] | None:
        """Return the shorter conversation, or nothing.

        When: before each model call. A leading system message stays where it is and is not counted; the cut parts no
        tool call from its result (XP-SUM-12). Not when nothing is left to cut (XP-SUM-10), or only a summary, and not
        when no summary is to be had: a failure is logged and traced, and the run goes on as it was.
        """
        lead = state.messages[:1] if state.messages and state.messages[0].role == "system" else ()
        history = state.messages[len(lead) :]
        if not self._due(history):
            return None
        cut = uncut(history, max(0, len(history) - self.options.keep))
        prefix = (self.options.prefix.strip() and self.options.prefix) or _PREFIX
        opening = f"{prefix}\n\n"
        if cut == 0 or (cut == 1 and history[0].role == "user" and history[0].text.startswith(opening)):
            return None
        summary = await self._summary(history[:cut], runtime.agent)
        if summary is None:
            return None
        return {"messages": [*lead, type(history[0]).user(opening + summary), *history[cut:]]}

    def _due(self, history: Sequence[AnyMessage]) -> bool:
        trigger = self.options.trigger
        assert trigger is not None, "without one there is no hook"
        length = len(history) if trigger.messages is not None else self.context.count_tokens(history)
        return bool(history) and length >= self.limit

    async def _summary(self, messages: tuple[AnyMessage, ...], agent: str) -> str | None:
        """The summary, and a note of it in the trace (XP-SUM-15); None when it failed."""
        prompt = self.options.prompt if self.options.prompt.strip() else _PROMPT
        kind = type(messages[0])
        text, failure = None, None
        try:
            told = kind.user("\n\n".join(_lines(messages)))
            answer = await self.model.generate(ModelRequest((kind.system(prompt), told)))
            text = answer.text.strip()
            if not text:
                raise NothingReturnedError("the model that summarises has answered nothing")
        except Exception as error:
            text, failure = None, f"{type(error).__name__}: {error}"
            _log.warning("the conversation of %r stays as it is: no summary was to be had: %s", agent, failure)
        if self.context.trace is not None:
            node = self.context.node or PROVIDER
            self.context.trace.executed(Execution(agent, node, messages, text, failure))
        return text


def _lines(messages: Sequence[AnyMessage]) -> list[str]:
    """A conversation as a text, as the model that summarises reads it: calls and results are no calls to it."""
    lines = []
    for message in messages:
        results = [f"tool: {text}" for _, text in answers(message)]
        lines += results or ([f"{message.role}: {message.text}"] if message.text else [])
        lines += [f"{message.role} calls {call.name}: {call.arguments}" for call in message.tool_calls]
    return lines
