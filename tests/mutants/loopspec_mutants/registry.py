"""What a liar is: the reference with one vice, made by patching one thing in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal

from loopspec import Identity, Stage, Target
from loopspec.contract.capabilities import ROLES, Capability, Role
from loopspec.contract.target import InProcess
from loopspec.targets.python import PythonTarget
from loopspec.targets.reference import Memory, Reference

Vice = Callable[[], AbstractContextManager[object]]
Store = Literal["memory", "local"]

_LAYER = ("XP-", "PLUGIN-")  # the rules of the layer that stands on the loop

_FACTORIES: dict[Store | None, type[Reference]] = {None: Reference, "memory": Memory, "local": Reference}


@dataclass(frozen=True)
class Liar:
    """A wrong implementation, named by its vice.

    `rule` is the one it breaks; `neighbours` are other rules that cannot but turn red with it, each with the reason.
    """

    name: str
    rule: str
    vice: Vice
    neighbours: Mapping[str, str] = field(default_factory=dict)
    backend: Store | None = None

    @property
    def roles(self) -> frozenset[Role]:
        """What it is judged as. A fault of the loop shows through the layer on it, where it says nothing new."""
        if self.backend:
            return frozenset({"backend"})
        above: frozenset[Role] = frozenset({"backend"} if self.rule.startswith(_LAYER) else {"backend", "plugins"})
        return frozenset(ROLES) - above

    @property
    def sentence(self) -> str:
        """What it does wrong."""
        return (self.vice.__doc__ or "").strip()

    def target(self) -> LyingTarget:
        """The liar, ready to be judged."""
        return LyingTarget(self)


class LyingTarget(InProcess):
    """The reference, under its vice for as long as it performs."""

    def __init__(self, liar: Liar) -> None:
        self._liar = liar
        with liar.vice():
            self._target = PythonTarget(_FACTORIES[liar.backend], liar.name)
        self.identity = Identity(name=liar.name)
        self.roles: frozenset[Role] = self._target.roles & liar.roles
        self.capabilities: frozenset[Capability] = self._target.capabilities

    def perform(self, stage: Stage) -> None:
        """Perform, wrongly."""
        with self._liar.vice():
            self._target.perform(stage)

    def close(self) -> None:
        """Let go of everything."""
        self._target.close()

    def rebuilt(self) -> Target:
        """The same liar, having forgotten everything."""
        return LyingTarget(self._liar)


LIARS: dict[str, Liar] = {}


def liar(
    rule: str, *, backend: Store | None = None, neighbours: Mapping[str, str] | None = None
) -> Callable[[Vice], Vice]:
    """Enter a liar against a rule. Its name is that of the function, its sentence the function's docstring.

    `backend` liars are backends that lie: a `MemoryBackend`, or a `LocalBackend` where a file has to refuse.
    """

    def enter(vice: Vice) -> Vice:
        name = vice.__name__.replace("_", "-")
        if name in LIARS:
            raise ValueError(f"two liars are called {name}")
        LIARS[name] = Liar(name, rule, vice, neighbours or {}, backend)
        return vice

    return enter
