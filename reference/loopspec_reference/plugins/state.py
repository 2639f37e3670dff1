"""A middleware's own state: where it is stored, and how it is read and written.

The session of the run holds the state as plain JSON, under the path of the agent and the name of the middleware. The
state is therefore part of the next run of the same session and of checkpoints (XP-STATE-01). No other middleware and no
other agent reads or writes it (XP-STATE-06, XP-STATE-09).
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
INVALID = (msgspec.MsgspecError, TypeError, ValueError)  # raised for a value that is not JSON, or of the wrong type


def state_path(run: Run) -> str:
    """Return the key of the agent's states: the path of its agents, because two sub-agents can have the same name."""
    return "/".join(name.replace("~", "~0").replace("/", "~1") for name in run.path)


class Stateless(Struct, frozen=True):
    """The own state of a middleware without a state schema."""


class OwnState:
    """The state of one middleware, in any run."""

    def __init__(self, name: str, schema: type[Struct] | None) -> None:
        self._name = name
        self._schema = Stateless if schema is None else schema
        self._fields = {} if schema is None else {field.name: field for field in fields(schema)}
        self._empty = not self._fields
        self._readable = Stateless if schema is None else _with_defaults(schema)

    def read(self, run: Run) -> Own:
        """Return an instance of the schema: the stored values, and defaults for the others (XP-STATE-03).

        The instance is a copy: assigning to it changes nothing. A field with neither a stored value nor a default is
        None. Raises `StateError`.
        """
        if self._empty:
            return self._readable()
        stored = self._stored(run)
        try:
            return msgspec.json.decode(msgspec.json.encode(stored), type=self._readable)
        except INVALID as error:
            raise StateError(
                f"the state of the middleware {self._name!r} in the session does not fit {self._schema.__name__}: "
                f"{error}; remove it from session[{SESSION_KEY!r}][{state_path(run)!r}]"
            ) from error

    def checked(self, update: Update, by: str) -> dict[str, Json]:
        """Return the fields of this state in an update, as JSON; other keys are dropped (XP-STATE-07).

        Raises `HookError` for a value that the schema does not allow.
        """
        found = {}
        for name in update:
            if name in RESERVED or name not in self._fields:
                continue
            field = self._fields[name]
            try:
                raw = msgspec.json.encode(update[name])
                msgspec.json.decode(raw, type=field.type)
            except INVALID as error:
                raise HookError(
                    f"{by} has returned {update[name]!r:.80} for the field {name!r} of {self._schema.__name__}: {error}"
                ) from error
            found[field.encode_name] = msgspec.json.decode(raw)
        return found

    def write(self, run: Run, found: Mapping[str, Json], by: str) -> None:
        """Store the fields that `checked` returned; the other fields stay unchanged (XP-STATE-04)."""
        if not found:
            return
        stored = {**self._stored(run), **found}
        try:
            msgspec.json.decode(msgspec.json.encode(stored), type=self._readable)
        except INVALID as error:
            raise HookError(f"{by} has left a state that does not fit {self._schema.__name__}: {error}") from error
        agents, own = run.session.get(SESSION_KEY) or {}, state_path(run)
        run.session[SESSION_KEY] = {**agents, own: {**(agents.get(own) or {}), self._name: stored}}

    def _stored(self, run: Run) -> Mapping[str, Json]:
        stored: Json = run.session
        for key in (SESSION_KEY, state_path(run), self._name):
            stored = stored.get(key)
            if stored is None:
                return {}
            if not isinstance(stored, Mapping):
                raise StateError(
                    f"the session holds {stored!r:.80} under {key!r}, where the states of middlewares are stored: "
                    f"store nothing else in session[{SESSION_KEY!r}]"
                )
        found: Mapping[str, Json] = stored
        return found


def _with_defaults(schema: type[Struct]) -> type[Struct]:
    """Return the schema with None as default where a field has no default: a state can be read before it is written."""
    missing = [
        (field.name, field.type | None, msgspec.field(default=None, name=field.encode_name))
        for field in fields(schema)
        if field.default is NODEFAULT and field.default_factory is NODEFAULT
    ]
    if not missing:
        return schema
    return msgspec.defstruct(schema.__name__, missing, bases=(schema,), kw_only=True)
