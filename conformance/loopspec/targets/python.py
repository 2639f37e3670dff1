"""A Python object as a target."""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..contract.capabilities import CAPABILITIES, ROLES, Capability, Role
from ..contract.faults import AdapterError, TargetUnusable, in_one_line
from ..contract.stage import Stage
from ..contract.target import Identity, InProcess
from ..contract.values import ErrorKind
from .backends import perform_backend, perform_load_through
from .drivers import AsyncioDriver
from .loaders import perform_loader
from .middlewares import perform_middleware
from .reference import Reference, as_target, perform_handler

_METHODS: dict[Role, str] = {
    "backend": "open",
    "loader": "load",
    "middleware": "middleware",
    "agent": "perform",
    "plugins": "perform_plugins",
    "handler": "handler",
}


class PythonTarget(InProcess):
    """What a `py:` factory returns: its roles are the methods it has, see `loopspec.contract.shapes`.

    Raises `TargetUnusable` when the factory fails, or returns something without a role.
    """

    def __init__(self, factory: Callable[[], object], name: str) -> None:
        self._factory = factory
        self._name = name
        try:
            # Any: the user's own object, whose methods are looked up by name
            self._object: Any = as_target(factory, factory())
        except (Exception, SystemExit) as error:
            raise TargetUnusable(f"the factory {name} failed: {in_one_line(error)}") from error
        if inspect.iscoroutine(self._object):
            self._object.close()
            raise TargetUnusable(f"the factory {name} is an async def: make it a plain one that returns the object")
        self._driver = AsyncioDriver()
        self.roles = self._declared_roles()
        self.capabilities = self._declared_capabilities()
        self.identity = Identity(
            name=str(getattr(self._object, "name", name)), version=str(getattr(self._object, "version", ""))
        )

    def _declared_roles(self) -> frozenset[Role]:
        found = frozenset(role for role, method in _METHODS.items() if callable(getattr(self._object, method, None)))
        declared: frozenset[Role] = self._declared("roles", found)
        if unknown := sorted(declared - ROLES.keys()):
            raise TargetUnusable(f"{self._name} declares the role {unknown[0]!r}: the roles are {', '.join(ROLES)}")
        if missing := sorted(declared - found):
            raise TargetUnusable(
                f"{self._name} declares the role {missing[0]!r} but has no method {_METHODS[missing[0]]}()"
            )
        if not declared:
            raise TargetUnusable(
                f"{self._name} returned {self._object!r:.80}, which has no role: give it one of the methods "
                + ", ".join(f"{method}()" for method in _METHODS.values())
                + ", or return a loopspec_reference.Handler"
            )
        return declared

    def _declared_capabilities(self) -> frozenset[Capability]:
        declared: frozenset[Capability] = self._declared("capabilities", ())
        if unknown := sorted(declared - CAPABILITIES.keys()):
            raise TargetUnusable(
                f"{self._name} declares the capability {unknown[0]!r}, which is none: see `loopspec capabilities`"
            )
        if "language-zh" in declared and inspect.iscoroutinefunction(getattr(self._object, "set_language", None)):
            raise TargetUnusable(
                f"set_language() of {self._name} must not be an async def: it is called where nothing can be awaited"
            )
        return declared

    def _declared(self, what: str, default: Iterable[str]) -> frozenset[Any]:  # Any: names, not yet known to be ours
        names = getattr(self._object, what, default)
        listed = [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
        if isinstance(names, str) or not all(isinstance(name, str) for name in listed):
            raise TargetUnusable(f"{what} of {self._name} must be a tuple of names")
        return frozenset(listed)

    def rebuilt(self) -> PythonTarget:
        """The factory's next product."""
        return PythonTarget(self._factory, self._name)

    def perform(self, stage: Stage) -> None:
        """Let the object play its role."""
        with logging_to(stage.world.log), self._language_of(stage):
            kinds = self.error_kinds(stage.role)
            self._driver.run(self.course(stage), lambda parking: stage.attach(parking, kinds))

    def error_kinds(self, role: Role) -> Mapping[type[BaseException], ErrorKind]:
        """The object's own exceptions as the contract's kinds."""
        kinds: Mapping[type[BaseException], ErrorKind] = (
            Reference.error_kinds if role == "handler" else getattr(self._object, "error_kinds", {})
        )
        return kinds

    @property
    def shape(self) -> Any:  # Any: the user's own object
        """What the factory has returned."""
        return self._object

    async def course(self, stage: Stage) -> None:
        """Play the stage's role, on whichever loop."""
        if stage.scene.act == "load through":
            await perform_load_through(self._object.open, stage)
            return
        match stage.role:
            case "backend":
                await perform_backend(self._object.open, stage)
            case "loader":
                await perform_loader(self._object.load, stage)
            case "middleware":
                await perform_middleware(self._object.middleware, stage)
            case "handler":
                await perform_handler(self._object.handler, stage)
            case "agent" | "plugins":
                method = _METHODS[stage.role]
                performing = getattr(self._object, method)(stage)
                if not inspect.isawaitable(performing):
                    raise AdapterError(f"{self._name}: {method}() must be an async def")
                await performing

    @contextmanager
    def _language_of(self, stage: Stage) -> Iterator[None]:
        """Let the scene choose languages; afterwards the default is in force again."""
        if "language-zh" not in self.capabilities:
            yield
            return
        if not callable(getattr(self._object, "set_language", None)):
            raise AdapterError(f"{self._name} declares language-zh but has no set_language()")
        stage.world.speaks(self._object.set_language)
        try:
            yield
        finally:
            self._object.set_language(None)

    def close(self) -> None:
        """Close the object if that is something it can be, and the event loop. The verdict stands: failing is said."""
        for close in (self._close_object, self._driver.close):
            try:
                close()
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # an exit or a cancellation is no better reason to lose a verdict
                sys.stderr.write(f"loopspec: close() of {self._name} failed: {in_one_line(error)}\n")

    def _close_object(self) -> None:
        close = getattr(self._object, "close", None)
        if callable(close) and inspect.isawaitable(closing := close()):
            self._driver.finish(closing)


class _Tap(logging.Handler):
    def __init__(self, take: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._take = take

    def emit(self, record: logging.LogRecord) -> None:
        self._take(record.getMessage())


@contextmanager
def logging_to(take: Callable[[str], None]) -> Iterator[None]:
    """Hand over what the implementation writes to Python's logging."""

    tap = _Tap(take)
    root = logging.getLogger()
    root.addHandler(tap)
    try:
        yield
    finally:
        root.removeHandler(tap)
