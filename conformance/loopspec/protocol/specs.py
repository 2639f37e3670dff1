"""The agents of a scene as an adapter receives them: their configuration, without the scripts of the doubles."""

from __future__ import annotations

from typing import Literal

from ..contract.agents import AgentsMD, Field, Hook, Own, SchemaForm, TodoList
from ..contract.plugins import StrategyMeta, Workflow
from ..contract.values import Json, ToolInfo, ToolKind, Value


class ModelSpec(Value, frozen=True):
    """A model of the harness: call it by `model/generate` and `model/stream`.

    `takesTools` off: build it without the way to bind tools. `reportsCallbacks`: as far as the framework can see, the
    model itself reports its calls to callbacks; the framework must not report them again. `maxInputTokens` is the limit
    in its profile; absent: it has no profile.
    """

    name: str
    takes_tools: bool
    reports_callbacks: bool = False
    max_input_tokens: int | None = None


class ToolSpec(Value, frozen=True):
    """A tool of the harness: call it by `tool/invoke` and `tool/stream`; or, with `agent`, an agent as a tool.

    It has exactly the interfaces in `kinds`. `info` is the information that models receive, `name` is the harness's
    name for it. `infoError`: asking for the information fails with a scripted error of this code. For an agent as a
    tool, `fullHistory`: it receives the whole conversation; `schema` is the schema of its input, absent: the default.
    """

    name: str
    kinds: tuple[ToolKind, ...]
    info: ToolInfo | None = None
    info_error: str | None = None
    agent: AgentSpec | None = None
    full_history: bool = False
    schema: dict[str, Json] | None = None


class ScriptedSpec(Value, frozen=True, tag="scripted", tag_field="handler"):
    """A handler of the harness. It has exactly these `hooks`: call the harness for each.

    Without hooks, use the implementation's own no-op handler, if there is one.
    """

    name: str
    hooks: tuple[Hook, ...]


class HookSpec(Value, frozen=True):
    """A hook of a middleware of the plugin layer; `jumpsTo` is where it may jump to."""

    hook: Hook
    jumps_to: tuple[str, ...] = ()


class PluginSpec(Value, frozen=True, tag="plugin", tag_field="handler"):
    """A middleware of the plugin layer, of the harness. It has exactly these `hooks`.

    `state` are the fields of its state schema, `context` those of its context schema; absent: it has no such schema.
    `tools` belong to it. `form` says how to write the state schema, where an implementation has several ways. `sync`:
    its hooks are plain functions. `declares`: its hooks are objects that declare where they may jump to.
    """

    name: str
    hooks: tuple[HookSpec, ...]
    state: tuple[Field, ...] | None = None
    context: tuple[Field, ...] | None = None
    tools: tuple[ToolSpec, ...] = ()
    form: SchemaForm = "object"
    sync: bool = False
    declares: bool = False


class SummarizationSpec(Value, frozen=True, tag="summarization", tag_field="handler"):
    """The implementation's own summarization. `trigger`, `keep` and `prefix`, where given, are its options.

    `trigger` holds limits by their kind: `messages`, `tokens`, `fraction` of the context size of the agent's model;
    together with a fraction, `tokens` applies where that size is unknown. `keep` is the number of messages that stay,
    `prefix` the beginning of the summary. `model` writes the summaries, where one is given, instead of the agent's own
    model. `countsTokens`: configure the harness's token counter, `tokens/count`; otherwise the middleware estimates.
    """

    name: str
    counts_tokens: bool
    trigger: dict[str, int | float] | None = None
    keep: int | None = None
    prefix: str | None = None
    model: ModelSpec | None = None


HandlerSpec = AgentsMD | ScriptedSpec | Own | PluginSpec | SummarizationSpec | TodoList


class ToolMiddlewareSpec(Value, frozen=True):
    """A middleware of tools alone, configured next to the handlers. Its hook is `handler/aroundTool`."""

    name: str
    hooks: tuple[Hook, ...]


class LegacySpec(Value, frozen=True):
    """A middleware of the older kind: additions to instruction and tools, and functions around the agent's calls.

    Call its `hooks` as those of a handler. `plainOnly`: it supports messages of the plain type only.
    """

    name: str
    hooks: tuple[Hook, ...]
    instruction: str = ""
    tools: tuple[ToolSpec, ...] = ()
    plain_only: bool = False


class RetrySpec(Value, frozen=True):
    """Retries of failed model calls: at most `maxRetries`.

    Configure a function for `retry/isRetryable` if `hasIsRetryable` is set, for `retry/isAccepted` with
    `hasIsAccepted`, for `retry/delay` with `hasDelay`; leave out the others.
    """

    max_retries: int
    has_is_retryable: bool
    has_is_accepted: bool
    has_delay: bool


class FailoverSpec(Value, frozen=True):
    """The models to call after one has failed, at most `limit` times; absent: leave the limit out.

    Configure a function for `failover/shouldFailover` if `hasShouldFailover` is set, for `failover/nextModel` with
    `hasNextModel`; leave out the other.
    """

    models: tuple[ModelSpec, ...]
    has_should_failover: bool
    has_next_model: bool
    limit: int | None = None


class AgentSpec(Value, frozen=True):
    """An agent to build. Leave out of the configuration what is absent here: defaults are judged, too.

    `model` null: configure none. Handlers may add the `additionalTools` to a run, and wrappers may call the
    `additionalModels`. `makesInput`: `agent/makeInput` makes the first conversation. `exitTool`: configure the
    framework's tool that ends a run. `returnDirectly`: the tools, by name, whose result ends the run; an entry may be
    false. `outputKey` is the key of the session for the final answer. `sequential`: tool calls are made one after
    another. `callbacks`: configure callbacks that send `callback`. `internalEvents`: emit the events of agents inside
    tools, too. `toolMiddlewares` and `legacy` are configured next to the `handlers`; see their types.
    """

    name: str
    model: ModelSpec | None
    description: str = ""
    instruction: str = ""
    tools: tuple[ToolSpec, ...] = ()
    handlers: tuple[HandlerSpec, ...] = ()
    max_iterations: int | None = None
    additional_tools: tuple[ToolSpec, ...] = ()
    additional_models: tuple[ModelSpec, ...] = ()
    makes_input: bool = False
    exit_tool: bool = False
    return_directly: dict[str, bool] = {}
    output_key: str | None = None
    sequential: bool = False
    retry: RetrySpec | None = None
    failover: FailoverSpec | None = None
    legacy: tuple[LegacySpec, ...] = ()
    tool_middlewares: tuple[ToolMiddlewareSpec, ...] = ()
    callbacks: bool = False
    internal_events: bool = False


class StrategySpec(Value, frozen=True):
    """A strategy of a plugin module. Its factory calls `plugin/create` with its `key`.

    `provider` is the name to register it under, `meta` its metadata. `decorated` off: nothing marks its class as a
    strategy. `lacks`: its class is without this part; without a maker, it cannot be constructed. `usesUp`: its factory
    removes all options from the mapping that it receives.
    """

    key: str
    provider: str
    meta: StrategyMeta
    decorated: bool
    lacks: Literal["metadata", "factory", "maker"] | None = None
    uses_up: bool = False


class ModuleSpec(Value, frozen=True):
    """A plugin module, with its strategies."""

    name: str
    strategies: tuple[StrategySpec, ...] = ()


class Plan(Value, frozen=True):
    """The plugin layer around an agent: the modules to register, and the workflow that the agent is a node of.

    With a `workflow`, the agent has the middlewares that the workflow connects to its node. `traces`: configure a
    recorder of the execution trace that sends `execution`.
    """

    modules: tuple[ModuleSpec, ...] = ()
    workflow: Workflow | None = None
    traces: bool = False
