"""A middleware's own state: where it is kept, and who sees it.

It lives in the session of the run, as plain JSON, by the way down to the agent and by middleware: so it survives to
the next run of the same session and into checkpoints (XP-STATE-01), and nobody else reads or writes it (XP-STATE-06,
XP-STATE-09).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from ..runs.run import Run
from ..values.messages import Json
from .errors import HookError, StateError
from .middleware import RESERVED, Own, Update

SESSION_KEY = "plugins"
UNFIT = (msgspec.MsgspecError, TypeError, ValueError)  # what is no JSON, or not of the type wanted


def place(run: Run) -> str:
    """Where the states of the run's agent are: by the agents down to it, for a sub-agent may be named like another."""
    return "/".join(name.replace("~", "~0").replace("/", "~1") for name in run.path)


class Stateless(Struct, frozen=True):
    """The own state of a middleware that declares none."""


class OwnState:
    """The state of one middleware, in whatever run it is asked for."""

    def __init__(self, name: str, schema: type[Struct] | None) -> None:
        self._name = name
        self._schema = Stateless if schema is None else schema
        self._fields = {field.name: field for field in fields(self._schema)}
        self._empty = not self._fields
        self._readable = _with_defaults(self._schema)

    def read(self, run: Run) -> Own:
        """An instance of the schema: what was kept, and defaults for the rest (XP-STATE-03).

        It is a copy: assigning to it changes nothing. A field that has neither is None. Raises `StateError`.
        """
        if self._empty:
            return self._readable()
        kept = self._kept(run)
        try:
            return msgspec.json.decode(msgspec.json.encode(kept), type=self._readable)
        except UNFIT as error:
            raise StateError(
                f"the state of the middleware {self._name!r} in the session does not fit {self._schema.__name__}: "
                f"{error}; remove it from session[{SESSION_KEY!r}][{place(run)!r}]"
            ) from error

    def checked(self, update: Update, by: str) -> dict[str, Json]:
        """The part of an update that is this state's, as it can be kept; the rest is dropped (XP-STATE-07).

        Raises `HookError` for what the schema does not allow.
        """
        found = {}
        for name in update:
            if name in RESERVED or name not in self._fields:
                continue
            field = self._fields[name]
            try:
                raw = msgspec.json.encode(update[name])
                msgspec.json.decode(raw, type=field.type)
            except UNFIT as error:
                raise HookError(
                    f"{by} has returned {update[name]!r:.80} for the field {name!r} of {self._schema.__name__}: {error}"
                ) from error
            found[field.encode_name] = msgspec.json.decode(raw)
        return found

    def write(self, run: Run, found: Mapping[str, Json], by: str) -> None:
        """Keep what `checked` has found; what it does not name stays as it was (XP-STATE-04)."""
        if not found:
            return
        kept = {**self._kept(run), **found}
        try:
            msgspec.json.decode(msgspec.json.encode(kept), type=self._readable)
        except UNFIT as error:
            raise HookError(f"{by} has left a state that does not fit {self._schema.__name__}: {error}") from error
        agents, own = run.session.get(SESSION_KEY) or {}, place(run)
        run.session[SESSION_KEY] = {**agents, own: {**(agents.get(own) or {}), self._name: kept}}

    def _kept(self, run: Run) -> Mapping[str, Json]:
        kept: Json = run.session
        for key in (SESSION_KEY, place(run), self._name):
            kept = kept.get(key)
            if kept is None:
                return {}
            if not isinstance(kept, Mapping):
                raise StateError(
                    f"the session holds {kept!r:.80} under {key!r}, where the states of middlewares are kept: "
                    f"keep nothing else in session[{SESSION_KEY!r}]"
                )
        found: Mapping[str, Json] = kept
        return found


def _with_defaults(schema: type[Struct]) -> type[Struct]:
    """The schema with None in the fields that need a value: a state is there before anybody has written to it."""
    missing = [
        (field.name, field.type | None, msgspec.field(default=None, name=field.encode_name))
        for field in fields(schema)
        if field.default is NODEFAULT and field.default_factory is NODEFAULT
    ]
    if not missing:
        return schema
    return msgspec.defstruct(schema.__name__, missing, bases=(schema,), kw_only=True)
