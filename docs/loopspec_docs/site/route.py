"""The route of the tour: the modules of the reference in the order in which a run passes them, with a word on each."""

from __future__ import annotations

from msgspec import Struct


class Stop(Struct, frozen=True):
    """A module, what a reader finds there, and the functions to look at; without a name, all public ones."""

    module: str
    text: str
    look: tuple[str, ...] = ()


class Chapter(Struct, frozen=True):
    """Some modules that belong together."""

    title: str
    text: str
    stops: tuple[Stop, ...]


CHAPTERS = (
    Chapter(
        "An agent is built",
        "An agent has a model, tools and handlers. The caller passes messages and receives events.",
        (
            Stop(
                "values.messages",
                "A conversation is a tuple of messages. The loop works with plain and agentic messages alike.",
            ),
            Stop(
                "values.events",
                "A run is an asynchronous iterator of these events. The last event of a failed run says why.",
            ),
            Stop("values.errors", "One module has every error of a run, so a caller can catch a whole family."),
            Stop("calls.models", "A model is one method for a whole answer and one method for a stream of chunks."),
            Stop(
                "tools.kinds",
                "A tool implements one or more of four interfaces. The mode of the run decides which one is called.",
            ),
            Stop("tools.toolboxes", "A toolbox finds a tool by name and rejects two tools with one name."),
            Stop(
                "handlers.handler",
                "A handler overrides the hooks that it needs. The docstring of each hook says when it is called and "
                "how long a change lasts.",
                (
                    "Handler",
                    "Handler.before_agent",
                    "Handler.before_model",
                    "Handler.wrap_model",
                    "Handler.after_model",
                    "Handler.after_agent",
                    "ToolMiddleware",
                    "State",
                ),
            ),
            Stop(
                "handlers.legacy", "A legacy middleware is a struct of optional functions, called around the handlers."
            ),
        ),
    ),
    Chapter(
        "A run begins",
        "The caller starts a run. A task of its own makes the steps and emits the events.",
        (
            Stop(
                "loop.agents",
                "The loop itself is one method of about thirty lines, `_loop`. Everything else prepares a turn or "
                "ends a run.",
                ("Agent.run", "Agent._begin", "Agent._loop", "Agent._act", "Agent._end", "Agent.resume"),
            ),
            Stop(
                "runs.lifecycle",
                "Each step of a run can be cancelled. Each step runs in a copy of the context, so a context value of "
                "one step is gone in the next.",
            ),
            Stop("runs.run", "A context variable holds the current run. Handlers and tools find their run there."),
            Stop("runs.run_values", "Run-local values survive a checkpoint, so each value must be JSON or registered."),
            Stop("values.instructions", "The system message is the instruction with the session values filled in."),
        ),
    ),
    Chapter(
        "A model call",
        "Hooks run first and last. Failover surrounds retry, and retry surrounds the wrappers.",
        (
            Stop(
                "loop.model_calls",
                "One method per layer. `call` runs the hooks, `_answered` adds failover and retry, `_attempt` goes "
                "through the wrappers once and emits the event.",
                ("ModelCalls.call", "ModelCalls._answered", "ModelCalls._attempt", "ModelCalls._call"),
            ),
            Stop("calls.failovers", "Failover chooses the next model after a failure and passes it the same request."),
            Stop("calls.retries", "Retry decides whether an attempt stands, waits, and makes the next attempt."),
            Stop("calls.attempts", "An attempt is a message or an error, so retry and failover can judge both."),
            Stop(
                "calls.chains",
                "Wrappers nest like functions. Each wrapper runs in a copy of the outer context, so a context value "
                "reaches only what the wrapper surrounds.",
            ),
            Stop("calls.callbacks", "Callbacks observe the model and the tools themselves, inside every wrapper."),
            Stop(
                "calls.outputs",
                "An answer can be read several times: by the event, by the wrappers, and by the run.",
            ),
        ),
    ),
    Chapter(
        "A tool call",
        "All calls of an answer run concurrently. The results follow the answer in the order of the calls.",
        (
            Stop(
                "loop.tool_calls",
                "The four kinds of tools have the same layers. The event comes last, with the final result.",
                ("ToolCalls", "ToolCalls.call", "ToolCalls._streamed", "ToolCalls._with_callbacks"),
            ),
            Stop("loop.agent_tools", "A sub-agent is a tool whose call is a run. An interrupt inside stops both runs."),
        ),
    ),
    Chapter(
        "A run stops early",
        "A tool interrupts a run, or the caller cancels it. Both leave a checkpoint, from which a run is resumed.",
        (
            Stop("runs.cancels", "A request stops the run immediately or at a safe point. Several requests add up."),
            Stop("runs.checkpoints", "A checkpoint is JSON: the conversation, the values, and the results so far."),
        ),
    ),
    Chapter(
        "Instructions files",
        "The AgentsMD middleware is an ordinary handler of the loop.",
        (
            Stop(
                "agentsmd.handler",
                "The middleware overrides one hook. A marker in the conversation prevents a second insertion.",
                ("AgentsMD", "AgentsMD.before_model"),
            ),
            Stop("agentsmd.config", "The configuration is validated when the middleware is built, before any read."),
            Stop(
                "agentsmd.loader",
                "`add` reads one file and follows its imports. Missing files, import cycles, deep imports and the byte "
                "limit cause warnings. Any other error ends the load.",
                ("load", "_Loading.add"),
            ),
            Stop("agentsmd.mentions", "One regular expression and one list of file types find the imports of a text."),
            Stop("agentsmd.paths", "An import is relative to the folder of the file that has it."),
            Stop("agentsmd.backends", "The loader reads through a backend only. Two backends come with the reference."),
            Stop("agentsmd.rendering", "All files become one text, with a header, a footer and a heading per file."),
            Stop("values.language", "The header and the footer are in English or Chinese."),
        ),
    ),
    Chapter(
        "The plugin layer",
        "A stack makes the middlewares of a workflow one handler of the loop. The loop does not know the plugin layer.",
        (
            Stop("plugins.registry", "A strategy is registered under the name of its provider and makes middlewares."),
            Stop("plugins.metadata", "The schema of the options comes from the typed configuration of the strategy."),
            Stop("plugins.graph", "The edges of a workflow decide which middlewares an agent has, and in which order."),
            Stop(
                "plugins.middleware",
                "A middleware is a value with optional functions. A request is never changed in place.",
            ),
            Stop(
                "plugins.stack",
                "The stack implements the hooks of a handler and calls its middlewares there.",
                ("Stack",),
            ),
            Stop("plugins.layers", "A layer joins a middleware with its own state and its view of the context."),
            Stop("plugins.state", "The session holds the state of each middleware, so a checkpoint holds it as well."),
            Stop("plugins.hooks", "A state hook returns an update. A jump skips the hooks that follow."),
            Stop("plugins.model_wrapping", "A wrapper receives a request and an inner endpoint, as in the loop."),
            Stop(
                "plugins.tool_wrapping", "A tool can return a command, which changes the state or makes the run jump."
            ),
            Stop(
                "plugins.summarization",
                "A summary replaces the older messages. No cut separates a call from its result.",
            ),
            Stop("plugins.conversations", "Three questions about a conversation, answered for both message types."),
            Stop("plugins.tracing", "A middleware reports the work that it does by itself, such as a summary."),
            Stop("plugins.todo_list", "A tool, a prompt and a state: a complete middleware in about a hundred lines."),
            Stop("plugins.errors", "Every error of the plugin layer, below the errors of the loop."),
        ),
    ),
)

_NAMES = "The module exports the public names of its package, which other modules define."
_SAYS = "The module holds no code: its docstring says what belongs in its package."

# The modules that are no stop, each with the reason.
LEFT_OUT = {
    "__init__": _NAMES,
    "agentsmd.__init__": _NAMES,
    "calls.__init__": _SAYS,
    "handlers.__init__": _SAYS,
    "loop.__init__": _SAYS,
    "plugins.__init__": _NAMES,
    "runs.__init__": _SAYS,
    "tools.__init__": _SAYS,
    "values.__init__": _SAYS,
}
