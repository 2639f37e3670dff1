"""Every method: who calls it, when, with what, and what comes back. A method without a result is a notification."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ..contract.capabilities import ROLES, Capability, Role
from ..contract.values import Value
from . import messages as m

Side = Literal["harness", "adapter"]


@dataclass(frozen=True)
class Method:
    """A method: `caller` sends it. `nested`: only within a call of the adapter's, or outside any run.

    `meaning` is for people. `roles` are those that it belongs to; with a `capability`, it comes only where that is
    declared.
    """

    name: str
    meaning: str
    params: type[Value]
    result: type[Value] | None
    roles: tuple[Role, ...]
    capability: Capability | None = None
    caller: Side = "harness"
    nested: bool = False


_EACH: tuple[Role, ...] = tuple(ROLES)
_LOOPS: tuple[Role, ...] = ("agent", "plugins", "handler")
_FILES: tuple[Role, ...] = ("loader", "middleware", *_LOOPS)
_HOOKS: tuple[Role, ...] = ("middleware", "agent")
_AGENT: tuple[Role, ...] = ("agent",)
_CHAIN: tuple[Role, ...] = ("agent", "handler")
_LAYER: tuple[Role, ...] = ("plugins",)

_SURROUNDS = (
    Method("initialize", "Begins: offers versions, asks what the adapter is.", m.Initialize, m.Initialized, _EACH),
    Method("ping", "Is answered at once.", m.Nothing, m.Nothing, _EACH),
    Method("idle", "Is answered when only a message could move anything in the adapter.", m.Nothing, m.Nothing, _EACH),
    Method("case/end", "Ends a case: let go of everything of it, then answer.", m.OfCase, m.Nothing, _EACH),
    Method("exit", "Asks the adapter to leave.", m.Nothing, None, _EACH),
    Method("$/cancel", "Takes a request back.", m.CancelCall, None, _EACH),
    Method("language/set", "Chooses the language of all texts.", m.SetLanguage, m.Outcome, _HOOKS, "language-zh"),
)
_ROLES = (
    Method("loader/load", "Loads instructions once.", m.Load, m.Loaded, ("loader",)),
    Method("middleware/create", "Builds the middleware.", m.CreateMiddleware, m.Created, ("middleware",)),
    Method("middleware/beforeModel", "Calls its hook before a model call.", m.HookOf, m.Hooked, ("middleware",)),
    Method("agent/create", "Builds an agent.", m.CreateAgent, m.Created, _LOOPS),
    Method("agent/run", "Runs it; answered when the run is over.", m.RunAgent, m.RunOver, _LOOPS),
    Method("agent/resume", "Goes on from a checkpoint.", m.ResumeAgent, m.RunOver, _LOOPS, "interrupt"),
    Method("run/cancel", "Cancels a run; answered at once.", m.CancelRun, m.CancelMade, _LOOPS, "cancel"),
    Method("cancel/wait", "Waits until that run is over.", m.WaitForCancel, m.CancelOver, _LOOPS, "cancel"),
    Method("strategies/list", "Lists and looks up strategies.", m.ListStrategies, m.Strategies, _LAYER, "registry"),
    Method("backend/open", "Opens the backend with some files.", m.OpenBackend, m.Created, ("backend",)),
    Method("backend/read", "Reads a file of it.", m.ReadBackend, m.FileReply, ("backend",)),
    Method("backend/write", "Changes a file of it.", m.WriteBackend, m.Outcome, ("backend",), "edits"),
    Method("backend/fault", "Makes a file of it refuse.", m.BreakBackend, m.Outcome, ("backend",)),
    Method("backend/close", "Lets it go.", m.CloseBackend, m.Nothing, ("backend",)),
)
_NESTED = (
    Method("next", "Calls further in, from an around-hook.", m.Next, m.Begun, _LOOPS),
    Method("whole", "Wants all of what that call came to.", m.WholeOf, m.Whole, _LOOPS),
    Method("local/set", "Sets a run-local value.", m.SetValue, m.Outcome, _AGENT, "run-values"),
    Method("local/get", "Reads a run-local value.", m.OfKey, m.Found, _AGENT, "run-values"),
    Method("local/delete", "Forgets a run-local value.", m.OfKey, m.Outcome, _AGENT, "run-values"),
    Method("session/set", "Sets a session value.", m.SetValue, m.Outcome, _AGENT, "session-values"),
    Method("session/get", "Reads a session value.", m.OfKey, m.Found, _AGENT, "session-values"),
    Method("event/send", "Puts an event into the run's stream.", m.SendEvent, m.Outcome, _AGENT, "send-event"),
    Method("context/assign", "Changes a value of the runtime context.", m.SetValue, m.Outcome, _LAYER),
)
_FROM_RUNS = (
    Method("files/read", "The implementation reads a file.", m.ReadFile, m.FileReply, _FILES),
    Method("warning", "The implementation warns its caller.", m.Warn, None, _FILES),
    Method("log", "It writes a line to its log.", m.LogLine, None, _FILES),
    Method("model/generate", "It asks a model.", m.AskModel, m.ModelReply, _LOOPS),
    Method("model/stream", "It asks a model for a stream.", m.AskModel, m.StreamItem, _LOOPS),
    Method("tool/invoke", "It calls a tool.", m.CallTool, m.ToolReply, _LOOPS),
    Method("tool/stream", "It calls a tool for a stream.", m.CallTool, m.StreamItem, _LOOPS),
    Method("stream/next", "It wants the next piece of a stream.", m.OfStream, m.StreamItem, _LOOPS),
    Method("stream/close", "It lets a stream go before its end.", m.OfStream, None, _LOOPS),
    Method("handler/beforeAgent", "It calls a handler's hook before the run.", m.BeforeAgent, m.StartReply, _CHAIN),
    Method("handler/beforeModel", "It calls the hook before a model call.", m.OnState, m.EditReply, _CHAIN),
    Method("handler/aroundModel", "It calls the hook around one.", m.AroundModel, m.AroundReply, _CHAIN),
    Method("handler/afterModel", "It calls the hook after one.", m.OnState, m.EditReply, _CHAIN),
    Method("handler/aroundTool", "It calls the hook around a tool call.", m.AroundTool, m.AroundReply, _LOOPS),
    Method("handler/afterAgent", "It calls the hook after the run.", m.OnState, m.EditReply, _CHAIN),
    Method("handler/handled", "A hook of the handler under test was called.", m.HookHandled, None, ("handler",)),
    Method("agent/makeInput", "It makes a first conversation.", m.MakeInput, m.MessagesReply, _AGENT, "custom-input"),
    Method("retry/retryable", "It asks whether to call a model again.", m.AboutError, m.Decided, _AGENT, "retry"),
    Method("retry/accepted", "It asks whether an attempt stands.", m.Attempt, m.Decided, _AGENT, "retry"),
    Method("retry/delay", "It asks how long to wait before that.", m.RetryNumber, m.Seconds, _AGENT, "retry"),
    Method("clock/sleep", "It waits.", m.Sleep, m.Reply, _AGENT),
    Method("failover/should", "It asks whether to ask another model.", m.AboutError, m.Decided, _AGENT, "failover"),
    Method("failover/model", "It asks which one.", m.ChooseModel, m.ChosenReply, _AGENT, "failover"),
    Method("callback", "It tells a callback.", m.CalledBack, None, _AGENT, "callbacks"),
    Method("plugin/create", "It calls a strategy's factory.", m.CreatePlugin, m.PluginReply, _LAYER, "graph"),
    Method("plugin/change", "It calls a hook that gets the state.", m.ChangeState, m.EditReply, _LAYER),
    Method("plugin/aroundModel", "It calls the one around models.", m.PluginAroundModel, m.AroundReply, _LAYER),
    Method("plugin/aroundTool", "It calls the one around tools.", m.PluginAroundTool, m.AroundReply, _LAYER),
    Method("tokens/count", "It counts the tokens of messages.", m.CountTokens, m.Counted, _LAYER, "summarization"),
    Method("execution", "It writes an execution trace.", m.Execution, None, _LAYER, "execution-trace"),
    Method("run/event", "An event of a run has come out.", m.RunEvent, None, _LOOPS),
    Method("run/chunk", "A chunk of such an event has.", m.RunChunk, None, _LOOPS),
    Method("adapter/fault", "The adapter itself is broken.", m.AdapterFault, None, _EACH),
    Method("$/cancel", "Takes a request back.", m.CancelCall, None, _LOOPS),
)

FROM_HARNESS: dict[str, Method] = {
    **{one.name: one for one in (*_SURROUNDS, *_ROLES)},
    **{one.name: replace(one, nested=True) for one in _NESTED},
}
FROM_ADAPTER: dict[str, Method] = {one.name: replace(one, caller="adapter") for one in _FROM_RUNS}
