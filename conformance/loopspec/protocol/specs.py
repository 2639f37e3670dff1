"""What an adapter is told of the scene's agents: what to build, and nothing of what the doubles will do."""

from __future__ import annotations

from typing import Literal

from ..contract.agents import AgentsMD, Field, Hook, Own, SchemaForm, TodoList
from ..contract.plugins import StrategyMeta, Workflow
from ..contract.values import Json, ToolInfo, ToolKind, Value


class ModelSpec(Value, frozen=True):
    """A model of the harness, to be asked by `model/generate` and `model/stream`.

    `takesTools` off: it cannot be offered any, so build it without the way to bind tools. `reports`: it tells callbacks
    about its calls by itself, as far as the framework can see, which must then not do it a second time.
    `maxInputTokens` is what its profile says it takes; absent: it has no profile.
    """

    name: str
    takes_tools: bool
    reports: bool = False
    max_input_tokens: int | None = None


class ToolSpec(Value, frozen=True):
    """A tool of the harness, to be called by `tool/invoke` and `tool/stream`; or, with `agent`, an agent as a tool.

    It has exactly the interfaces in `kinds`. `info` is what models are told about it, `name` what the harness calls it;
    with `infoError`, asking for it fails with a scripted error of this code. For an agent as a tool: `fullHistory`: it
    gets the whole conversation; `schema` is that of its input, absent: the default.
    """

    name: str
    kinds: tuple[ToolKind, ...]
    info: ToolInfo | None = None
    info_error: str | None = None
    agent: AgentSpec | None = None
    full_history: bool = False
    schema: dict[str, Json] | None = None


class ScriptedSpec(Value, frozen=True, tag="scripted", tag_field="handler"):
    """A handler of the harness. Its `hooks` are called there, and no other.

    Without any, it is the implementation's own handler in which no hook does anything, if there is one.
    """

    name: str
    hooks: tuple[Hook, ...]


class HookSpec(Value, frozen=True):
    """A hook of a middleware of the plugin layer; `jumpsTo` is where it may jump to."""

    hook: Hook
    jumps_to: tuple[str, ...] = ()


class PluginSpec(Value, frozen=True, tag="plugin", tag_field="handler"):
    """A middleware of the plugin layer, of the harness. It has these hooks and no other.

    `state` are the fields of its state schema, `context` those of its context schema; absent: it has no such schema.
    `tools` come with it. `form` is how the state schema is written down, where an implementation knows several ways.
    `sync`: its hooks are plain functions. `declares`: they are given as objects that declare where they may jump to.
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

    `trigger` holds limits by their kind: `messages`, `tokens`, `fraction` of what the agent's model takes; beside a
    fraction, `tokens` is what holds where that is not known. `keep` is the number of messages that stay, `prefix` what
    the summary begins with. Summaries come from `model`, if one is given, and not from the agent's own one. `counts`:
    it is given the harness's way to count tokens, `tokens/count`; else it estimates.
    """

    name: str
    counts: bool
    trigger: dict[str, int | float] | None = None
    keep: int | None = None
    prefix: str | None = None
    model: ModelSpec | None = None


HandlerSpec = AgentsMD | ScriptedSpec | Own | PluginSpec | SummarizationSpec | TodoList


class WrapsSpec(Value, frozen=True):
    """A middleware of tools alone, which stands beside handlers. It is asked by `handler/aroundTool`."""

    name: str
    hooks: tuple[Hook, ...]


class LegacySpec(Value, frozen=True):
    """A middleware of the older kind: what it adds to instruction and tools, and functions around the agent's calls.

    They are asked as a handler's `hooks` are. `plainOnly`: it serves messages of the plain type only.
    """

    name: str
    hooks: tuple[Hook, ...]
    instruction: str = ""
    tools: tuple[ToolSpec, ...] = ()
    plain_only: bool = False


class RetrySpec(Value, frozen=True):
    """How model calls are made again: at most `maxRetries` times.

    Which functions are configured: `asksRetryable`, `retry/retryable`; `asksAccepted`, `retry/accepted`; `asksDelay`,
    `retry/delay`. What is not, leave out.
    """

    max_retries: int
    asks_retryable: bool
    asks_accepted: bool
    asks_delay: bool


class FailoverSpec(Value, frozen=True):
    """Which models may be asked when one has failed, at most `limit` times; absent: leave that out.

    Which functions are configured: `asksWhether`, `failover/should`; `asksWhich`, `failover/model`.
    """

    models: tuple[ModelSpec, ...]
    asks_whether: bool
    asks_which: bool
    limit: int | None = None


class AgentSpec(Value, frozen=True):
    """An agent to build. What is absent is to be left out of the configuration: so defaults are judged, too.

    `model` null: it is given none. `spareTools` are tools that handlers may give it, `spareModels` those that a wrapper
    may let answer. `makesInput`: `agent/makeInput` makes the first conversation. `exitTool`: it has the framework's
    tool that ends a run. `returnDirectly`: the tools, by name, whose result ends the run; a name may stand there with
    false. `outputKey` is where in the session the final answer is stored. `sequential`: tool calls are made one after
    the other. `callbacks`: give the framework callbacks that send `callback`. `internalEvents`: events of agents inside
    tools come out, too. `toolMiddlewares` and `legacy` stand beside the `handlers`; see their types.
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
    tool_middlewares: tuple[WrapsSpec, ...] = ()
    callbacks: bool = False
    internal_events: bool = False


class StrategySpec(Value, frozen=True):
    """A strategy to register, from a plugin module. What it makes is asked for by `plugin/create`, with its `key`.

    `provider` is what it is registered under, `meta` its metadata. `decorated` off: nothing marks its class as a
    strategy. `lacks`: its class is without this part.
    """

    key: str
    provider: str
    meta: StrategyMeta
    decorated: bool
    lacks: Literal["metadata", "factory", "maker"] | None = None


class ModuleSpec(Value, frozen=True):
    """A plugin module: the strategies that it contributes."""

    name: str
    strategies: tuple[StrategySpec, ...] = ()


class Plan(Value, frozen=True):
    """What surrounds an agent in the plugin layer: the modules to register, and the workflow that it is a node of.

    With a `workflow`, the agent gets the middlewares that stand at its node there. `traces`: give the implementation a
    recorder of its execution trace, which sends `execution`.
    """

    modules: tuple[ModuleSpec, ...] = ()
    workflow: Workflow | None = None
    traces: bool = False
