"""Every method: its caller, its params, its result, and the roles that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ..contract.capabilities import Capability
from ..contract.roles import ROLES, Role
from ..contract.values import Value
from . import messages as m

Side = Literal["harness", "adapter"]


@dataclass(frozen=True)
class Method:
    """A method: `caller` sends it. A method without a `result` is a notification.

    `meaning` is for people. `nested`: it comes within a call of the adapter's only, or outside any run. With a
    `capability`, it comes only where the adapter declares that capability.
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

_LIFECYCLE = (
    Method("initialize", "Offers versions; asks for the declarations.", m.Initialize, m.Initialized, _EACH),
    Method("ping", "Answer at once.", m.Empty, m.Empty, _EACH),
    Method("idle", "Answer when only a message can move anything in the adapter.", m.Empty, m.Empty, _EACH),
    Method("case/end", "Ends a case: release everything of it, then answer.", m.CaseMessage, m.Empty, _EACH),
    Method("exit", "Asks the adapter to exit.", m.Empty, None, _EACH),
    Method("$/cancel", "Cancels a request.", m.CancelCall, None, _EACH),
    Method("language/set", "Chooses the language of all texts.", m.SetLanguage, m.Outcome, _HOOKS, "language-zh"),
)
_ROLES = (
    Method("loader/load", "Loads instructions once.", m.Load, m.Loaded, ("loader",)),
    Method(
        "workspace/read",
        "Reads the instruction files of a workspace.",
        m.ReadWorkspace,
        m.WorkspaceRead,
        ("workspace",),
    ),
    Method("middleware/create", "Builds the middleware.", m.CreateMiddleware, m.Created, ("middleware",)),
    Method("middleware/beforeModel", "Calls the hook before a model call.", m.CallHook, m.HookReply, ("middleware",)),
    Method("agent/create", "Builds an agent.", m.CreateAgent, m.Created, _LOOPS),
    Method("agent/run", "Runs the agent; answer when the run is over.", m.RunAgent, m.RunEnded, _LOOPS),
    Method("agent/resume", "Resumes a run from a checkpoint.", m.ResumeAgent, m.RunEnded, _LOOPS, "interrupt"),
    Method("run/cancel", "Cancels a run; answer at once.", m.CancelRun, m.CancelReply, _LOOPS, "cancel"),
    Method("cancel/wait", "Waits until the cancelled run is over.", m.WaitForCancel, m.CancelOutcome, _LOOPS, "cancel"),
    Method("strategies/list", "Lists and looks up strategies.", m.ListStrategies, m.Strategies, _LAYER, "registry"),
    Method("backend/open", "Opens the backend with these files.", m.OpenBackend, m.Created, ("backend",)),
    Method("backend/read", "Reads a file of the backend.", m.ReadBackend, m.FileReply, ("backend",)),
    Method("backend/write", "Changes a file of the backend.", m.WriteBackend, m.Outcome, ("backend",), "edits"),
    Method("backend/delete", "Deletes a file of the backend.", m.DeleteBackend, m.Outcome, ("backend",), "deletes"),
    Method("backend/fault", "Makes reads of a file of the backend fail.", m.FaultBackend, m.Outcome, ("backend",)),
    Method("backend/link", "Makes a file of the backend a link.", m.LinkBackend, m.Outcome, ("backend",), "links"),
    Method("backend/fail", "Makes the whole store of the backend fail.", m.FailBackend, m.Outcome, ("backend",)),
    Method(
        "backend/resources",
        "Counts what the process has open.",
        m.CaseMessage,
        m.ProcessResources,
        ("backend",),
        "resources",
    ),
    Method("backend/close", "Closes the backend.", m.CloseBackend, m.Outcome, ("backend",)),
)
_NESTED = (
    Method("next", "Calls the inner endpoint from an around-hook.", m.Next, m.NextReply, _LOOPS),
    Method("outcome/read", "Reads the outcome of a `next` to its end.", m.ReadOutcome, m.OutcomeReply, _LOOPS),
    Method("local/set", "Sets a run-local value.", m.SetValue, m.Outcome, _AGENT, "run-values"),
    Method("local/get", "Reads a run-local value.", m.KeyRequest, m.Found, _AGENT, "run-values"),
    Method("local/delete", "Deletes a run-local value.", m.KeyRequest, m.Outcome, _AGENT, "run-values"),
    Method("session/set", "Sets a session value.", m.SetValue, m.Outcome, _AGENT, "session-values"),
    Method("session/get", "Reads a session value.", m.KeyRequest, m.Found, _AGENT, "session-values"),
    Method("event/send", "Emits a custom event into the run's stream.", m.SendEvent, m.Outcome, _AGENT, "send-event"),
    Method("context/assign", "Changes a value of the runtime context.", m.SetValue, m.Outcome, _LAYER),
)
_FROM_RUNS = (
    Method("files/read", "The implementation reads a file.", m.ReadFile, m.FileReply, _FILES),
    Method("warning", "The implementation warns its caller.", m.Warn, None, _FILES),
    Method("log", "The implementation writes a line to its log.", m.LogLine, None, _FILES),
    Method("model/generate", "The implementation calls a model.", m.CallModel, m.ModelReply, _LOOPS),
    Method("model/stream", "The implementation calls a model for a stream.", m.CallModel, m.StreamItem, _LOOPS),
    Method("tool/invoke", "The implementation calls a tool.", m.CallTool, m.ToolReply, _LOOPS),
    Method("tool/stream", "The implementation calls a tool for a stream.", m.CallTool, m.StreamItem, _LOOPS),
    Method("stream/next", "The implementation reads a chunk of a stream.", m.StreamRequest, m.StreamItem, _LOOPS),
    Method("stream/close", "The implementation closes a stream before its end.", m.StreamRequest, None, _LOOPS),
    Method("handler/beforeAgent", "Calls a handler's hook before the agent.", m.BeforeAgent, m.StartReply, _CHAIN),
    Method("handler/beforeModel", "Calls a handler's hook before the model.", m.HandlerStateHook, m.EditReply, _CHAIN),
    Method("handler/aroundModel", "Calls a handler's hook around the model.", m.AroundModel, m.AroundReply, _CHAIN),
    Method("handler/afterModel", "Calls a handler's hook after the model.", m.HandlerStateHook, m.EditReply, _CHAIN),
    Method("handler/aroundTool", "Calls a handler's hook around a tool.", m.AroundTool, m.AroundReply, _LOOPS),
    Method("handler/afterAgent", "Calls a handler's hook after the agent.", m.HandlerStateHook, m.EditReply, _CHAIN),
    Method("handler/report", "Reports a call of the handler under test.", m.HandlerReport, None, ("handler",)),
    Method("agent/makeInput", "Makes a first conversation.", m.MakeInput, m.MessagesReply, _AGENT, "custom-input"),
    Method("retry/isRetryable", "Asks whether to retry a call.", m.FailedCall, m.DecisionReply, _AGENT, "retry"),
    Method("retry/isAccepted", "Asks whether to accept an attempt.", m.Attempt, m.DecisionReply, _AGENT, "retry"),
    Method("retry/delay", "Asks how long to wait before a retry.", m.RetryDelay, m.DelayReply, _AGENT, "retry"),
    Method("clock/sleep", "The implementation waits.", m.Sleep, m.Reply, _AGENT),
    Method("failover/shouldFailover", "Asks whether to fail over.", m.FailedCall, m.DecisionReply, _AGENT, "failover"),
    Method("failover/nextModel", "Asks which model to call next.", m.ChooseModel, m.ChosenReply, _AGENT, "failover"),
    Method("callback", "The framework invokes a callback.", m.Callback, None, _AGENT, "callbacks"),
    Method("plugin/create", "Calls a strategy's factory.", m.CreatePlugin, m.PluginReply, _LAYER, "graph"),
    Method("plugin/stateHook", "Calls a hook that receives the state.", m.PluginStateHook, m.EditReply, _LAYER),
    Method("plugin/aroundModel", "Calls a hook around a model call.", m.PluginAroundModel, m.AroundReply, _LAYER),
    Method("plugin/aroundTool", "Calls a hook around a tool call.", m.PluginAroundTool, m.AroundReply, _LAYER),
    Method("tokens/count", "Counts the tokens of messages.", m.CountTokens, m.TokensReply, _LAYER, "summarization"),
    Method("execution", "Writes an entry of the execution trace.", m.Execution, None, _LAYER, "execution-trace"),
    Method("run/event", "Reports an event of a run.", m.RunEvent, None, _LOOPS),
    Method("run/chunk", "Reports a chunk of an event that is a stream.", m.RunChunk, None, _LOOPS),
    Method("run/final", "Reports the final answer of a run.", m.RunFinal, None, _LOOPS),
    Method("adapter/fault", "Reports that the adapter itself is broken.", m.AdapterFault, None, _EACH),
    Method("$/cancel", "Cancels a request.", m.CancelCall, None, _LOOPS),
)

FROM_HARNESS: dict[str, Method] = {
    **{one.name: one for one in (*_LIFECYCLE, *_ROLES)},
    **{one.name: replace(one, nested=True) for one in _NESTED},
}
FROM_ADAPTER: dict[str, Method] = {one.name: replace(one, caller="adapter") for one in _FROM_RUNS}
