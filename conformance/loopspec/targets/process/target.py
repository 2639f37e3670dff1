"""The target that a child process is."""

from __future__ import annotations

import shlex
from collections import deque
from collections.abc import Mapping
from typing import cast

from ...contract.capabilities import CAPABILITIES, ROLES, Capability, Role
from ...contract.faults import AdapterError, KitError, TargetUnusable, UsageError
from ...contract.specification import VERSION, digest
from ...contract.stage import Stage
from ...contract.target import Identity, Target
from ...protocol import messages as m
from .child import Child
from .connection import Connection, started

_SPARES = 2  # processes that are kept ready for resumed runs
_LEAVE = 0.5  # seconds to leave after `exit`
_USELESS = 3  # times in a row that starting anew was of no use
_FORGIVEN = 3  # times in a run that a process broke between two cases, before a case is blamed for it


class ProcessTarget:
    """A command that speaks the protocol, started once, and anew after each breakdown.

    Raises `UsageError` for a command that is none, `TargetUnusable` when what it starts does not begin as agreed.
    """

    isolated = True

    def __init__(self, command: str) -> None:
        self.unusable = ""
        self._words = words_of(command)
        self._case = 0
        self._useless = 0
        self._forgiven = 0
        self._started = 1
        self._has_worked = False
        self._spares: deque[Child] = deque()
        self._leaving: deque[Child] = deque()
        self._suite = m.Suite(version=VERSION, features=digest())
        self._connection = Connection(started(self._words), self._suite)
        self._performing: list[Connection] = []
        self._said = self._connection.said.implementation
        try:
            self.roles, self.capabilities = declared(self._connection.said)
        except TargetUnusable:
            self.close()
            raise

    @property
    def identity(self) -> Identity:
        """Which implementation this is."""
        return _identity(self._said)

    @property
    def evidence(self) -> Mapping[str, str]:
        """What the child wrote to standard error during the last case, and the messages; of each child there was."""
        found: dict[str, str] = {}
        for number, connection in enumerate(self._performing, 1):
            of = "" if number == 1 else f", process {number}"
            found |= {f"{what}{of}": text for what, text in connection.look().items()}
        return found

    def ping(self) -> float:
        """How many seconds a message takes there and back. Raises what `Connection.ping` does."""
        return self._alive().ping()

    def perform(self, stage: Stage) -> None:
        """Let the scene happen in the child, or in another one if that is gone.

        Raises `TargetUnusable` when none can be had any more; see `unusable`.
        """
        self._case += 1
        connection = self._alive()
        try:
            self._perform_in(connection, stage)
        except KitError as error:
            if not connection.used or connection.heard or self._forgiven == _FORGIVEN:
                self._blame(connection, error)
                raise
            # It broke before it said anything about this case: whatever it is may be of an earlier one.
            connection.stop()
            connection = self._alive()
            try:
                self._perform_in(connection, stage)
            except KitError as again:
                self._blame(connection, again)
                raise
            self._forgiven += 1
        self._useless = 0
        self._has_worked = True

    def _perform_in(self, connection: Connection, stage: Stage) -> None:
        self._performing = []
        self._perform_on(connection, stage)

    def _perform_on(self, connection: Connection, stage: Stage) -> None:
        self._performing.append(connection)
        connection.perform(stage, self._case)

    def _blame(self, connection: Connection, error: KitError) -> None:
        """Find out whether starting this one anew was of use: whether it got anywhere, at least in its case."""
        if connection.used or (connection.heard and self._has_worked):
            self._useless = 0
        elif self._started > 1:
            self._was_useless(error)

    def _was_useless(self, error: KitError) -> None:
        self._useless += 1
        if self._useless == _USELESS:
            self.unusable = f"{self._said.name} was started anew {_USELESS} times, and never got anywhere: {error}"

    def _alive(self) -> Connection:
        """The child, started anew if the last one is gone."""
        while self.unusable or not self._connection.alive:
            if self.unusable:
                raise TargetUnusable(self.unusable)
            self._started += 1
            try:
                self._connection = self._another(started(self._words))
            except KitError as error:
                self._was_useless(error)
        return self._connection

    def _another(self, child: Child) -> Connection:
        connection = Connection(child, self._suite)
        now = connection.said.implementation
        try:
            if now != self._said:
                raise AdapterError(
                    f"the adapter was {_identity(self._said)} and is {_identity(now)}, now that it was started anew: "
                    "verdicts about two implementations do not go together"
                )
            if declared(connection.said) != (self.roles, self.capabilities):
                raise AdapterError(
                    f"{_identity(now)} declares other roles or capabilities, now that it was started anew: "
                    "what is judged must not change"
                )
        except KitError:
            connection.stop()
            raise
        return connection

    # -- resuming ------------------------------------------------------------------------------------------------------

    def rebuilt(self) -> Target:
        """A new process. The next ones are started at once: where there is one resumed run, there are more."""
        child = self._spares.popleft() if self._spares else started(self._words)
        while len(self._spares) < _SPARES:
            self._spares.append(started(self._words))
        return _Again(self, self._another(child))

    def see_off(self, child: Child) -> None:
        """Let a child leave by itself, which is not waited for, as long as there are few of them."""
        self._leaving.append(child)
        while len(self._leaving) > _SPARES:
            self._leaving.popleft().leave(_LEAVE)

    def close(self) -> None:
        """Let the children leave, and end those that do not."""
        self._connection.close()
        while self._leaving:
            self._leaving.popleft().leave(_LEAVE)
        while self._spares:
            self._spares.popleft().stop()


class _Again:
    """The target in another process, for one session of one scene."""

    isolated = True
    unusable = ""

    def __init__(self, target: ProcessTarget, connection: Connection) -> None:
        self.identity = target.identity
        self.roles = target.roles
        self.capabilities = target.capabilities
        self._target = target
        self._connection = connection

    @property
    def evidence(self) -> Mapping[str, str]:
        return self._target.evidence

    def perform(self, stage: Stage) -> None:
        self._target._perform_on(self._connection, stage)

    def rebuilt(self) -> Target:
        return self._target.rebuilt()

    def close(self) -> None:
        self._connection.look()
        if (child := self._connection.parted()) is not None:
            self._target.see_off(child)


def words_of(command: str) -> list[str]:
    """The words of a command line. Raises `UsageError` where there are none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the command {command!r} cannot be read: {error}") from None
    if not words:
        raise UsageError('cmd: needs a command, as in cmd:"./my-adapter"')
    return words


def _identity(said: m.Implementation) -> Identity:
    return Identity(name=said.name, version=said.version, language=said.language)


def declared(said: m.Initialized) -> tuple[frozenset[Role], frozenset[Capability]]:
    """What the adapter says it can be, and can do. Raises `TargetUnusable` for what nobody knows."""
    name = said.implementation.name
    for what, names, known in (("role", said.roles, ROLES), ("capability", said.capabilities, CAPABILITIES)):
        if unknown := sorted(set(names) - known.keys()):
            raise TargetUnusable(
                f"{name} declares the {what} {unknown[0]!r}, which is none: see `loopspec capabilities`"
            )
    if not said.roles:
        raise TargetUnusable(f"{name} declares no role: the roles are {', '.join(ROLES)}")
    return frozenset(cast("tuple[Role, ...]", said.roles)), frozenset(cast("tuple[Capability, ...]", said.capabilities))
