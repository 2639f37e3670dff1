"""The summarization middleware: a summary replaces the older part of a long conversation."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from ..calls.models import Model, ModelRequest
from ..values.errors import NothingReturnedError
from ..values.messages import AnyMessage, Json, answers
from .conversations import safe_cut
from .errors import OptionsError
from .metadata import MiddlewareMeta, config_schema, read_options
from .middleware import HookState, Middleware, Runtime
from .registry import MiddlewareContext, middleware_strategy
from .tracing import Execution

_log = logging.getLogger("loopspec_reference.plugins")

PROVIDER = "summarization"

_PREFIX = "What was said and done before, in short:"
_PROMPT = (
    "You are given the older part of a conversation between a user, an assistant and its tools. Write notes for a "
    "reader who continues the conversation and cannot read this part: what the user wants, what has been decided and "
    "found out, with exact names and numbers, and what is still to be done. Answer with these notes and nothing else."
)


def _label(english: str, chinese: str) -> Meta:
    return Meta(extra_json_schema={"x-label": {"en_US": english, "zh_Hans": chinese}})


# The types of the sizes, each with the label that a form shows.
Tokens: TypeAlias = Annotated[int, Meta(gt=0), _label("Tokens", "令牌数")]
Messages: TypeAlias = Annotated[int, Meta(gt=0), _label("Messages", "消息数")]
ContextFraction: TypeAlias = Annotated[float, Meta(gt=0, le=1), _label("Fraction of the context", "上下文占比")]


# A form shows these docstrings, so they name no rules (XP-SUM-02 to XP-SUM-05, XP-SUM-07, XP-SUM-09, XP-SUM-24).
class Trigger(Struct, frozen=True, forbid_unknown_fields=True):
    """The length from which on a conversation is summarized: one of the three.

    `fraction` is a fraction of the model's context size. `tokens` can be set with it, as the limit for a model whose
    context size is unknown.
    """

    tokens: Tokens | None = None
    messages: Messages | None = None
    fraction: ContextFraction | None = None

    def __post_init__(self) -> None:
        """Refuse anything but one limit."""
        given = [name for name in ("tokens", "messages", "fraction") if getattr(self, name) is not None]
        if len(given) != 1 and given != ["tokens", "fraction"]:
            raise ValueError(f"give one of tokens, messages and fraction, or tokens with fraction; not {given}")


class SummarizationOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a node. Without a trigger no conversation is summarized.

    `model` names the summarizing model; the default is the agent's own. `keep` is the number of the latest messages
    that stay. A blank prefix or prompt means the default.
    """

    model: Annotated[str, _label("Model", "模型")] = ""
    trigger: Annotated[Trigger | None, _label("Trigger", "触发条件")] = None
    keep: Annotated[int, Meta(ge=0), _label("Messages to keep", "保留消息数")] = 20
    prefix: Annotated[str, _label("Prefix of the summary", "摘要前缀")] = _PREFIX
    prompt: Annotated[str, _label("Prompt", "提示词")] = _PROMPT


class ModelProfile(Struct, frozen=True):
    """The optional attribute `profile` of a model: its context size (XP-SUM-13)."""

    max_input_tokens: int | None = None


@middleware_strategy(PROVIDER)
class SummarizationStrategy:
    """Makes middlewares that summarize long conversations."""

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
        """Make the middleware. Raises `OptionsError` for options that cannot work.

        For example, a fraction needs a known context size, and a summarization needs a model.
        """
        read = read_options(SummarizationOptions, options, context.node or PROVIDER)
        model = context.models.get(read.model) if read.model else context.model
        if read.model and model is None:
            known = ", ".join(map(repr, context.models)) or "none"
            raise OptionsError(f"the option `model` names {read.model!r}, which is unknown; the models are: {known}")
        if read.trigger is None:
            return Middleware(context.node or PROVIDER)
        if model is None:
            raise OptionsError("a summarization needs a model: set the option `model`, or pass the agent's own model")
        summarizer = _Summarizer(read, context, model, _limit(read.trigger, context.model or model))
        return Middleware(context.node or PROVIDER, before_model=summarizer.before_model)


def _limit(trigger: Trigger, model: Model[Any]) -> int:
    """Return the length, in messages or in tokens, from which on a conversation is summarized."""
    if trigger.messages is not None:
        return trigger.messages
    size = getattr(getattr(model, "profile", None), "max_input_tokens", None)
    if trigger.fraction is not None and isinstance(size, int) and size > 0:
        return ceil(Fraction(str(trigger.fraction)) * size)
    if trigger.tokens is None:
        raise OptionsError(
            "the option `trigger.fraction` needs a model with a `profile.max_input_tokens`, which this model does not "
            "have: set `trigger.tokens` as well"
        )
    return trigger.tokens


class _Summarizer(Struct, frozen=True):
    """One middleware. Its model has the agent's message type, which the messages show."""

    options: SummarizationOptions
    context: MiddlewareContext
    model: Model[Any]
    limit: int

    async def before_model(self, state: HookState, runtime: Runtime) -> dict[str, Json] | None:
        """Return the summarized conversation, or nothing.

        When: before each model call. A leading system message stays in place and is not counted; a tool call and its
        result are not separated (XP-SUM-12).
        Persists: yes.
        Not called: never omitted. The conversation is not changed if the older part is empty (XP-SUM-10) or is only a
        summary, or if the summarization fails: a failure is logged and traced, and the run continues.
        """
        lead = state.messages[:1] if state.messages and state.messages[0].role == "system" else ()
        history = state.messages[len(lead) :]
        if not self._exceeds_limit(history):
            return None
        cut = safe_cut(history, max(0, len(history) - self.options.keep))
        prefix = (self.options.prefix.strip() and self.options.prefix) or _PREFIX
        opening = f"{prefix}\n\n"
        if cut == 0 or (cut == 1 and history[0].role == "user" and history[0].text.startswith(opening)):
            return None
        summary = await self._summary(history[:cut], runtime.agent)
        if summary is None:
            return None
        return {"messages": [*lead, type(history[0]).user(opening + summary), *history[cut:]]}

    def _exceeds_limit(self, history: Sequence[AnyMessage]) -> bool:
        trigger = self.options.trigger
        assert trigger is not None, "a middleware without a trigger has no hook"
        length = len(history) if trigger.messages is not None else self.context.count_tokens(history)
        return length >= self.limit

    async def _summary(self, messages: tuple[AnyMessage, ...], agent: str) -> str | None:
        """Return the summary, or None if it failed, and trace it (XP-SUM-15)."""
        prompt = self.options.prompt if self.options.prompt.strip() else _PROMPT
        kind = type(messages[0])
        text, failure = None, None
        try:
            conversation = kind.user("\n\n".join(_lines(messages)))
            answer = await self.model.generate(ModelRequest((kind.system(prompt), conversation)))
            text = answer.text.strip()
            if not text:
                raise NothingReturnedError("the model has returned an empty summary")
        except Exception as error:
            text, failure = None, f"{type(error).__name__}: {error}"
            _log.warning("the conversation of %r stays unchanged: its summarization failed: %s", agent, failure)
        if self.context.trace is not None:
            node = self.context.node or PROVIDER
            self.context.trace.executed(Execution(agent, node, messages, text, failure))
        return text


def _lines(messages: Sequence[AnyMessage]) -> list[str]:
    """Return a conversation as lines of text for the summarizing model, with tool calls and results as text."""
    lines = []
    for message in messages:
        results = [f"tool: {text}" for _, text in answers(message)]
        lines += results or ([f"{message.role}: {message.text}"] if message.text else [])
        lines += [f"{message.role} calls {call.name}: {call.arguments}" for call in message.tool_calls]
    return lines
