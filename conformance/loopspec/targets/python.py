"""A Python object as a target."""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any

from ..contract.faults import AdapterError, TargetUnusable, in_one_line
from ..contract.harness import HarnessStage
from ..contract.places import located
from ..contract.roles import ROLES, Role
from ..contract.stage import Stage
from ..contract.target import Identity, InProcess
from ..contract.values import ErrorKind
from .backends import perform_backend, perform_load_through
from .declared import capabilities_of, error_kinds_of, must_be_spelled, postures_of, roles_of
from .drivers import AsyncioDriver
from .handlers import REPORTED_BY_THE_REFERENCE, changes_of, handler_target, kept_by
from .kinds import reference_loop
from .loaders import load_with, perform_loads
from .middlewares import build_middleware, perform_middleware

# The optional method that performs scenes of the role handler; without it, the reference's loop runs the handler.
PERFORM_HANDLER = "perform_handler"


class PythonTarget(InProcess):
    """The target made of a `py:` factory's object: its roles are its methods, see `loopspec.contract.shapes`.

    With a `dialect`, the object's attribute of this name is set. `again`: the names in an object of the factory have
    been checked. Raises `TargetUnusable` if the factory fails, or returns an object without a role.
    """

    def __init__(self, factory: Callable[[], object], name: str, dialect: str = "", *, again: bool = False) -> None:
        self._factory = factory
        self._name = name
        self._in_dialect = dialect
        try:
            # Any: the user's own object, whose methods are looked up by name
            self._object: Any = handler_target(factory, factory())
        except (Exception, SystemExit) as error:
            raise TargetUnusable(f"the factory {name} failed: {located(error)}") from error
        if inspect.iscoroutine(self._object):
            self._object.close()
            raise TargetUnusable(f"the factory {name} is an async def: make it a plain one that returns the object")
        if dialect:
            _set_dialect(self._object, dialect, name)
        if not again:
            must_be_spelled(self._object, name)
        self._driver = AsyncioDriver()
        self._tap = Tap()
        self.roles = roles_of(self._object, name)
        self.capabilities = capabilities_of(self._object, name)
        if "handler" in self.roles:
            self.capabilities |= kept_by(changes_of(self._object, getattr(self._object, "changes", ())))
            if not hasattr(self._object, PERFORM_HANDLER):
                self.capabilities |= REPORTED_BY_THE_REFERENCE
        if "backend" in self.roles:
            self.capabilities |= {"resources"}
        self.postures = postures_of(self._object, name)
        self._error_kinds = error_kinds_of(self._object, name)
        self.identity = Identity(
            name=str(getattr(self._object, "name", name)), version=str(getattr(self._object, "version", ""))
        )

    def rebuilt(self) -> PythonTarget:
        """The target made of the factory's next object."""
        return PythonTarget(self._factory, self._name, self._in_dialect, again=True)

    def perform(self, stage: HarnessStage) -> None:
        with self._tap.passing_to(stage.environment.log), ExitStack() as afterward:
            if "language-zh" in self.capabilities:
                stage.environment.choose_languages(self._object.set_language)
                afterward.callback(self._object.set_language, None)  # the default
            kinds = self.error_kinds(stage.role)
            self._driver.run(self._performing(stage), lambda new_waiter: stage.attach(new_waiter, kinds))

    def error_kinds(self, role: Role) -> Mapping[type[BaseException], ErrorKind]:
        """The object's own exceptions by their kinds."""
        if role != "handler" or hasattr(self._object, PERFORM_HANDLER):
            return self._error_kinds
        return reference_loop().error_kinds  # its loop runs the handler

    @property
    def shape(self) -> Any:  # Any: the user's own object
        """The object that the factory returned."""
        return self._object

    async def _performing(self, stage: HarnessStage) -> None:
        match stage.role:
            case "backend" if stage.scene.act == "load through":
                await perform_load_through(self._object.open, stage)
            case "backend":
                await perform_backend(self._object.open, stage)
            case "middleware":
                build = partial(build_middleware, self._object.middleware, stage)
                await perform_middleware(build, stage)
            case _ if performs := ROLES[stage.role].perform:
                await performs(self._object, stage)
            case _:
                await self.play(stage)

    async def play(self, stage: Stage) -> None:
        """Perform a role in which the object itself reports the results, on any loop."""
        match stage.role:
            case "loader":
                await perform_loads(partial(load_with, self._object.load, stage), stage)
            case "handler":
                if performs := getattr(self._object, PERFORM_HANDLER, None):
                    await performs(stage)
                else:
                    await reference_loop().run_handler(self._object.handler, stage)
            case "agent" | "plugins":
                method = ROLES[stage.role].method
                performing = getattr(self._object, method)(stage)
                if not inspect.isawaitable(performing):
                    raise AdapterError(f"{self._name}: {method}() must be an async def")
                await performing
            case _:
                raise AssertionError(f"the harness itself reports what comes out in the role {stage.role}")

    def close(self) -> None:
        """Close the object if it has `close`, and the event loop. A failure is printed, since the verdict is final."""
        for close in (self._close_object, self._driver.close):
            try:
                close()
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # an exit or a cancellation must not lose a verdict either
                sys.stderr.write(f"loopspec: close() of {self._name} failed: {in_one_line(error)}\n")

    def _close_object(self) -> None:
        close = getattr(self._object, "close", None)
        if callable(close) and inspect.isawaitable(closing := close()):
            self._driver.finish(closing)


def _set_dialect(made: object, dialect: str, name: str) -> None:
    """Set the dialect of the factory's object, also of a frozen one. Raises `TargetUnusable`."""
    try:
        vars(made)["dialect"] = dialect
    except TypeError:  # an object with slots, or a class
        with suppress(AttributeError, TypeError):
            setattr(made, "dialect", dialect)  # noqa: B010  # the attribute of an unknown class
    if getattr(made, "dialect", None) != dialect:
        raise TargetUnusable(f"the dialect of {name} cannot be set: leave out the dialect {dialect}")


class Tap(logging.Handler):
    """Passes on the log lines of an implementation.

    One serves all scenes of a target, since making one takes locks of `logging`.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)

    @contextmanager
    def passing_to(self, take: Callable[[str], None]) -> Iterator[None]:
        """Pass the lines to a function."""
        self._take = take
        root = logging.getLogger()
        root.addHandler(self)
        try:
            yield
        finally:
            root.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self._take(record.getMessage())
