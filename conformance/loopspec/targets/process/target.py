"""A child process as a target."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from ...contract.axes import DIALECT, Postures, checked_postures, declared_dialect, must_be_dialect
from ...contract.capabilities import CAPABILITIES, Capability
from ...contract.faults import AdapterError, KitError, TargetUnusable, UsageError
from ...contract.harness import HarnessStage
from ...contract.names import did_you_mean
from ...contract.roles import ROLES, Role
from ...contract.target import Identity, Target
from ...protocol import messages as m
from ..resolve import AbsentTarget
from .connection import Connection

_USELESS = 3  # consecutive restarts without success, after which the target is unusable
_FORGIVEN = 3  # processes that may break between two cases of a run before a case is blamed


class ProcessTarget:
    """A command that speaks the protocol, started once, and restarted after each failure.

    Raises `UsageError` for an invalid command, and `TargetUnusable` for a process with a wrong start.
    """

    isolated = True

    def __init__(self, command: str, dialect: str = "") -> None:
        self.unusable = ""
        self._dialect = dialect
        self._words = words_of(command)
        self.case = 0
        self._useless = 0
        self._forgiven = 0
        self._started = 1
        self._has_worked = False
        self._connection = Connection(self._words)
        self._performing: list[Connection] = []
        self._implementation = self._connection.declared.implementation
        try:
            self.roles, self.capabilities, self.postures = checked(self._connection.declared, dialect)
        except TargetUnusable:
            self.close()
            raise

    @property
    def identity(self) -> Identity:
        return identity_of(self._implementation)

    @property
    def evidence(self) -> Mapping[str, str]:
        """Standard error and the messages of each child in the last case."""
        found: dict[str, str] = {}
        for number, connection in enumerate(self._performing, 1):
            of = "" if number == 1 else f", process {number}"
            found |= {f"{what}{of}": text for what, text in connection.look().items()}
        return found

    def ping(self) -> float:
        """Return the seconds of a round trip. Raises the errors of `Connection.ping`."""
        return self._alive().ping()

    def perform(self, stage: HarnessStage) -> None:
        """Perform the scene in the child, or in a new child if it has ended.

        Raises `TargetUnusable` if no child starts; see `unusable`.
        """
        self.case += 1
        again = False
        while True:
            connection = self._alive()
            self._performing = []
            try:
                self.perform_on(connection, stage)
                break
            except KitError as error:
                if not connection.used or connection.heard or self._forgiven == _FORGIVEN:
                    self._blame(connection, error)
                    raise
            # The process broke before its first message of this case: the cause may belong to an earlier case.
            connection.stop()
            again = True
        self._forgiven += again
        self._useless = 0
        self._has_worked = True

    def perform_on(self, connection: Connection, stage: HarnessStage) -> None:
        """Perform a session of the scene on one of the connections of this case."""
        self._performing.append(connection)
        connection.perform(stage, self.case)

    def _blame(self, connection: Connection, error: KitError) -> None:
        """Count a restart as useless if the child sent nothing, not even in its case."""
        if connection.used or (connection.heard and self._has_worked):
            self._useless = 0
        elif self._started > 1:
            self._was_useless(error)

    def _was_useless(self, error: KitError) -> None:
        self._useless += 1
        if self._useless == _USELESS:
            self.unusable = f"{self._implementation.name} was restarted {_USELESS} times without success: {error}"

    def _alive(self) -> Connection:
        """The child, restarted if it has ended."""
        while self.unusable or not self._connection.alive:
            if self.unusable:
                raise TargetUnusable(self.unusable)
            self._started += 1
            try:
                self._connection = self._another()
            except KitError as error:
                self._was_useless(error)
        return self._connection

    def _another(self) -> Connection:
        connection = Connection(self._words)
        now = connection.declared.implementation
        try:
            if now != self._implementation:
                raise AdapterError(
                    f"the adapter was {self.identity} and is {identity_of(now)} after a restart: "
                    "one run judges one implementation"
                )
            if checked(connection.declared, self._dialect) != (self.roles, self.capabilities, self.postures):
                raise AdapterError(
                    f"{self.identity} declares other roles, capabilities or postures after a restart: one run judges "
                    "one implementation"
                )
        except KitError:
            connection.stop()
            raise
        return connection

    def rebuilt(self) -> Target:
        """Return the target in a new process: restarted by the adapter, which knows how, or started here."""
        if self._connection.alive and self._connection.declared.restart:
            return _Resumed(self, self._connection, restarts=True)
        return _Resumed(self, self._another())

    def close(self) -> None:
        """Let the child exit, or end it."""
        self._connection.close()


class _Resumed(AbsentTarget):
    """The target in another process, for one session of one scene, whose evidence the target has."""

    def __init__(self, target: ProcessTarget, connection: Connection, *, restarts: bool = False) -> None:
        super().__init__(target.identity, target.roles, target.capabilities, target.postures)
        self._target = target
        self._connection = connection
        self._restarts = restarts

    def perform(self, stage: HarnessStage) -> None:
        if self._restarts:
            self._connection.perform(stage, self._target.case, restarts=True)
        else:
            self._target.perform_on(self._connection, stage)

    def rebuilt(self) -> Target:
        return self._target.rebuilt()

    def close(self) -> None:
        self._connection.look()
        if not self._restarts:
            self._connection.close()


def words_of(command: str) -> list[str]:
    """The words of a command line. Raises `UsageError` for an empty or invalid one."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the command {command!r} cannot be read: {error}") from None
    if not words:
        raise UsageError('cmd: needs a command, as in cmd:"./my-adapter"')
    return words


def identity_of(one: m.Implementation) -> Identity:
    """The identity that an adapter declares."""
    return Identity(name=one.name, version=one.version, language=one.language)


def checked(declared: m.Initialized, dialect: str = "") -> tuple[frozenset[Role], frozenset[Capability], Postures]:
    """The declared roles, capabilities and postures. Raises `TargetUnusable` for unknown ones.

    `dialect` replaces the declared one.
    """
    name = declared.implementation.name
    for what, names, known in (("role", declared.roles, ROLES), ("capability", declared.capabilities, CAPABILITIES)):
        if unknown := sorted(set(names) - known.keys()):
            hint = did_you_mean(unknown[0], known, "see `loopspec capabilities`")
            raise TargetUnusable(f"{name} declares the {what} {unknown[0]!r}, which is none{hint}")
    if not declared.roles:
        raise TargetUnusable(f"{name} declares no role: the roles are {', '.join(ROLES)}")
    roles = frozenset(declared.roles)
    capabilities = frozenset(declared.capabilities) - {"cancel-read"}  # no request cancels a read over the pipe
    if wanted := dialect or declared.dialect:
        must_be_dialect(wanted, name)
    elif "workspace" in roles and DIALECT not in declared.postures:
        must_be_dialect("", name)
    postures = checked_postures({**declared.postures, **(declared_dialect(wanted) if wanted else {})}, name)
    return frozenset(roles), frozenset(capabilities), postures
