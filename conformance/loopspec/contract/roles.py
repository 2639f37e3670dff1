"""The roles of a target: what an implementation can be judged as.

A product adds a role as an entry point of `loopspec.roles`, an object of `RoleKind`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .registered import all_loaded

if TYPE_CHECKING:
    from .harness import HarnessStage
    from .reasons import Inapplicable
    from .scene import Scene
    from .target import Target

# The name of a role.
Role: TypeAlias = str


@dataclass(frozen=True)
class RoleKind:
    """A role: its name, what it says about a target, and the method of an adapter that gives the role.

    `implies` are the capabilities that a target has through the role, and `smoke` the rules whose first cases
    `loopspec doctor` performs. `acts` are those of the scenes that the role can perform, apart from "run". The kit
    itself performs its own roles. A role of a product has, in addition: `perform`, which receives the adapter's object
    and performs a scene of its acts; the folder
    `features`, with a `ledger.toml` of its own; and `phrases`, the modules with the sentences of these features. If
    the target `reference` has the role, `by_reference` is its method, which receives the target first.

    `before_run` raises `UsageError` on a machine that is unfit for the role. `lacks` receives a scene and a target that
    has the role, and returns why the target is not judged by the scene. `serve` answers the role's request over a pipe
    for the object of an adapter in Python: it receives the object, and the parameters of the request.
    """

    name: Role
    says: str
    method: str
    implies: frozenset[str] = frozenset()
    smoke: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    perform: Callable[[Any, HarnessStage], Awaitable[None]] | None = None  # Any: the adapter's own object
    features: Path | None = None
    phrases: tuple[str, ...] = ()
    by_reference: Callable[..., Any] | None = None  # Any: what the method of an adapter returns
    before_run: Callable[[], None] | None = None
    lacks: Callable[[Scene, Target], Inapplicable | None] | None = None
    serve: Callable[..., Awaitable[Any]] | None = None  # Any: the value of the method's result

    def __str__(self) -> str:
        return self.says


# What the harness's own loop around a middleware reports.
_REPORTS = ("reports-instruction", "reports-recovery", "reports-return-directly", "reports-tools")

# In the order of preference: an agent may replace a loader. The first case of a smoke rule needs no capability, or one
# of a hook only. The advisory smoke rules end with errors of a model and of the implementation, which an adapter easily
# forgets to report.
_OWN = (
    RoleKind(
        "backend", "reads files", "open", smoke=("AMD-BACKEND-12", "AMD-BACKEND-05"), acts=("read", "load through")
    ),
    RoleKind(
        "loader",
        "turns instruction files into ordered sections",
        "load",
        implies=frozenset({"agentsmd"}),
        smoke=("AMD-IMPORT-23", "AMD-ERROR-01", "AMD-IMPORT-01", "AMD-ORDER-12"),
        acts=("load",),
    ),
    RoleKind(
        "middleware",
        "puts the instructions into a conversation before a model call",
        "middleware",
        # around a middleware the harness plays the agent, and calls the other handlers
        implies=frozenset(
            {
                "agentsmd",
                "after-model-edits",
                "after-model-hooks",
                "before-model-edits",
                "before-model-hooks",
                "raw-arguments",
                "several-handlers",
                *_REPORTS,
            }
        ),
        smoke=("AMD-IMPORT-23", "AMD-INJECT-03", "AMD-CFG-03"),
        acts=("load", "create", "hook"),
    ),
    RoleKind(
        "agent",
        "runs the loop: model calls, tools, handlers, with AgentsMD",
        "perform",
        smoke=("LOOP-09", "LOOP-03", "HOOK-BM-07", "HOOK-WT-02", "LOOP-16", "TOOLS-04"),
        acts=("load", "create", "outside"),
    ),
    RoleKind(
        "handler",
        "one handler in the loop of the reference, or of the framework that it is written for",
        "handler",
        smoke=("HANDLER-03", "HANDLER-16"),
    ),
    RoleKind(
        "plugins",
        "the plugin layer: middlewares with their own states, attached to agents",
        "perform_plugins",
        smoke=("XP-WRAP-01", "XP-HOOK-03", "XP-TOOLS-01", "PLUGIN-12"),
        acts=("look up", "catalog"),
    ),
)


class _Roles(Mapping[Role, RoleKind]):
    """The roles by name: those of the kit, and then those of products, which are imported on first use."""

    @cached_property
    def _all(self) -> dict[Role, RoleKind]:
        added: list[RoleKind] = all_loaded("roles")
        return {kind.name: kind for kind in (*_OWN, *added)}

    def __getitem__(self, role: Role) -> RoleKind:
        return self._all[role]

    def __iter__(self) -> Iterator[Role]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


ROLES: Mapping[Role, RoleKind] = _Roles()
