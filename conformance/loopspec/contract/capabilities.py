"""The capabilities of a target: what an implementation may have or lack. A closed list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from .roles import Role

# The name of a capability.
Capability: TypeAlias = str


class CapabilityKind(Struct, frozen=True):
    """A capability, the roles of the targets that can have it, and what it promises.

    The methods are those that it promises: of a backend, of an adapter, and of an `AgentAdapter`. `few_have` names a
    part that few implementations have, and without which the capability means nothing.
    """

    name: Capability
    roles: tuple[Role, ...]
    says: str
    store_method: str = ""
    adapter_method: str = ""
    toolkit_method: str = ""
    few_have: str = ""

    def __str__(self) -> str:
        return f"{', '.join(self.roles)}: {self.says}"


def _kind(name: str, roles: str, says: str, **others: str) -> CapabilityKind:
    return CapabilityKind(name, tuple(roles.split()), says, **others)


_KINDS = (
    _kind(
        "after-agent-edits",
        "agent plugins",
        "an after-agent hook can return changes, which do not change the result of the run",
    ),
    _kind("after-agent-hooks", "agent plugins", "after-agent hooks are called"),
    _kind(
        "after-model-edits",
        "agent plugins",
        "an after-model hook can change the conversation, with the answer and its tool calls",
    ),
    _kind("after-model-hooks", "agent plugins", "after-model hooks are called"),
    _kind("agent-tool", "agent", "another agent can be used as a tool"),
    _kind("agentic-messages", "middleware agent", "messages of content blocks are supported as well"),
    _kind(
        "agentsmd",
        "agent plugins",
        "the implementation has an AgentsMD middleware, which inserts the content of Agents.md files",
        few_have="an AgentsMD middleware",
    ),
    _kind(
        "before-agent-edits",
        "agent plugins",
        "a before-agent hook can change the instruction, the tools or the conversation that a run begins with",
    ),
    _kind("before-agent-hooks", "agent plugins", "before-agent hooks are called"),
    _kind("before-model-edits", "agent plugins", "a before-model hook can change the conversation"),
    _kind("before-model-hooks", "agent plugins", "before-model hooks are called"),
    _kind("callbacks", "agent", "callbacks report the real model calls and tool calls"),
    _kind("cancel", "agent", "a run can be cancelled from outside, at a safe point or immediately"),
    _kind("cancel-read", "backend", "read is an async def that can be cancelled"),
    _kind("checkpoint-reuse", "agent", "a checkpoint can be resumed more than once"),
    _kind("clock", "agent", "it accepts a function for waiting, so that a scene controls the time"),
    _kind("closes", "backend", "close() closes the store, so that a later read fails", store_method="close"),
    _kind("command", "plugins", "tools and wrappers around them can return a command"),
    _kind("concurrent-runs", "loader middleware agent", "several loads or runs can be performed concurrently"),
    _kind("confined", "backend", "the backend has a root and promises to read nothing outside the root"),
    _kind("context-values", "middleware agent", "a value added to the context reaches the inner calls"),
    _kind("custom-input", "agent", "a custom input function makes the first conversation of a run"),
    _kind("custom-types", "agent", "run-local values can have registered types that are not JSON"),
    _kind(
        "default-warning-sink",
        "middleware agent",
        "without a callback, warnings go to Python's logging, or to a log that the adapter passes",
    ),
    _kind("deferred-tools", "agent", "a model receives deferred tools together with its tools"),
    _kind("deletes", "backend", "delete(path) deletes a stored file", store_method="delete"),
    _kind("directories", "backend", "paths have directories, which are distinguished from missing files"),
    _kind("edits", "backend", "write(path, content) changes what is stored", store_method="write"),
    _kind("enhanced-tools", "agent", "tools can return parts, such as pictures"),
    _kind("execution-trace", "plugins", "a recorder receives the executions of a summarization"),
    _kind("exit-tool", "agent", "an exit tool can be configured that ends the run with its argument"),
    _kind("extra-data", "agent", "the answers of models and their chunks can have extra data"),
    _kind("failover", "agent", "a backup model is called after a failed one"),
    _kind(
        "falsy-objects",
        "agent",
        "tools and handlers can be objects that are false, such as a Python object of length zero",
    ),
    _kind(
        "fault-container",
        "backend",
        "fail('container') removes the bucket, the archive, the folder or the table with the files",
        store_method="fail",
    ),
    _kind("fault-gone", "backend", "fail('gone') makes the server of the store unreachable", store_method="fail"),
    _kind("fault-io", "backend", "fault(path, 'io') makes a file unreadable", store_method="fault"),
    _kind(
        "fault-outside",
        "backend",
        "fault(path, 'outside') makes a file a link to a file in a folder next to the root, whose name "
        "begins with the root's",
        store_method="fault",
    ),
    _kind("fault-permission", "backend", "fault(path, 'permission') makes a file forbidden", store_method="fault"),
    _kind("fault-refused", "backend", "fail('refused') makes the store reject the credentials", store_method="fail"),
    _kind(
        "fault-timeout",
        "backend",
        "fail('timeout') makes the server of the store accept requests and never answer; the client then has "
        "a time limit of at most one second",
        store_method="fail",
    ),
    _kind("graph", "plugins", "a workflow of nodes and connections determines the middlewares of an agent"),
    _kind("idempotent", "handler", "a second call with its own result changes nothing"),
    _kind("incomplete-tools", "agent", "a tool can lack its information, or its interface"),
    _kind(
        "interrupt",
        "agent",
        "a tool can interrupt the run, and the run resumes from a checkpoint",
        toolkit_method="resume",
    ),
    _kind(
        "invalid-values",
        "plugins",
        "an invalid value that a hook, a wrapper or a factory returns is passed on unchanged",
    ),
    _kind("jump", "plugins", "a hook can jump"),
    _kind("keeps-answers", "handler", "it changes no answer of a model, no event and no final answer"),
    _kind("keeps-model-errors", "handler", "an error of a model call passes through it"),
    _kind("keeps-requests", "handler", "it changes neither the conversation nor the request of a model call"),
    _kind("keeps-results", "handler", "it changes no result of a tool"),
    _kind("keeps-tool-calls", "handler", "it makes each tool call once, with the arguments of the model"),
    _kind("keeps-tool-errors", "handler", "an error of a tool passes through it"),
    _kind(
        "language-zh",
        "middleware agent",
        "set_language(language) switches the texts between English and Chinese",
        adapter_method="set_language",
    ),
    _kind("legacy", "agent", "legacy middlewares of a few functions are supported together with handlers"),
    _kind("line-ranges", "backend", "offset and limit of a request select lines of a file"),
    _kind("links", "backend", "link(path, target) makes a file a link to a path inside the root", store_method="link"),
    _kind("missing-results", "agent plugins", "a hook, a wrapper, a model or a tool can return nothing at all"),
    _kind("mixed-tools", "agent", "a tool can have a plain interface and an enhanced one"),
    _kind("model-wrappers", "agent plugins", "wrappers around a model call can change its request and its answer"),
    _kind("mutable-options", "plugins", "a factory can change the mapping of options that it receives"),
    _kind("nil-values", "loader middleware agent", "a backend may return no content object"),
    _kind("no-op", "handler", "it has no observable effect"),
    _kind("output-key", "agent", "the final answer is stored under a key of the session"),
    _kind(
        "raw-arguments",
        "agent plugins",
        "a tool receives the arguments as the model wrote them, also if they are no JSON object",
    ),
    _kind("registry", "plugins", "strategies are registered by provider and looked up with their metadata"),
    _kind("repeated-inner-calls", "agent plugins", "a wrapper can call its inner endpoint more than once"),
    _kind(
        "reports-handler",
        "handler",
        "the adapter reports what each hook of the handler under test receives and returns",
    ),
    _kind("reports-instruction", "agent", "before-agent hooks receive the instruction, and the adapter reports it"),
    _kind(
        "reports-recovery",
        "agent",
        "hooks around a model call receive whether it has a retry and a failover, and the adapter reports it",
    ),
    _kind(
        "reports-return-directly",
        "agent",
        "before-agent hooks receive the return-directly tools, and the adapter reports them",
    ),
    _kind("reports-tools", "agent plugins", "hooks that wrap no call receive the tools, and the adapter reports them"),
    _kind(
        "resources",
        "backend",
        "the harness can count the open descriptors, threads and tasks of the backend's process; a target in "
        "Python has the capability without declaring it",
    ),
    _kind("retry", "agent", "a failed model call is retried"),
    _kind("return-directly", "agent", "a tool can end the run with its result"),
    _kind("run-values", "agent", "handlers can set run-local values", toolkit_method="inside"),
    _kind("schema-forms", "plugins", "a state schema can be written in several forms, also as an optional one"),
    _kind("send-event", "agent", "handlers can emit custom events", toolkit_method="inside"),
    _kind("sequential-tools", "agent", "tool calls can be sequential"),
    _kind("session-on-resume", "agent", "the caller can pass session values to a resumed run"),
    _kind(
        "session-values",
        "agent",
        "a run has session values, which its instruction can use",
        toolkit_method="inside",
    ),
    _kind("several-handlers", "agent plugins", "several handlers of an agent can have the same hook"),
    _kind("shared-lists", "agent", "several agents can be built from one list object of handlers or tools"),
    _kind("streaming", "agent", "a run can stream"),
    _kind("streaming-tools", "agent", "tools can stream"),
    _kind("summarization", "plugins", "there is a middleware that summarizes long conversations"),
    _kind("threads", "plugins", "the states of middlewares are kept for the next run of a thread"),
    _kind("todo-list", "plugins", "there is a middleware that keeps a to-do list"),
    _kind("tool-middlewares", "agent", "tool middlewares can be configured together with handlers"),
    _kind("tool-options", "agent plugins", "a tool wrapper can add options to the call"),
    _kind("tool-search", "agent", "a model receives a tool that searches for deferred tools"),
    _kind("tool-wrappers", "agent plugins", "wrappers around a tool call can change its arguments and its result"),
    _kind(
        "tools-from-hooks",
        "agent plugins",
        "a before-model or after-model hook can change the tools that the model receives",
    ),
)

CAPABILITIES: Mapping[Capability, CapabilityKind] = {kind.name: kind for kind in _KINDS}


def capabilities_of_role(role: Role) -> tuple[Capability, ...]:
    """The capabilities that a target in the role can have."""
    return tuple(name for name, kind in CAPABILITIES.items() if role in kind.roles)
