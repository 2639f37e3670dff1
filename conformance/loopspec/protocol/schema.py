"""The JSON Schema of every message, made from the types: the output of `loopspec protocol`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from importlib import resources
from inspect import cleandoc

import msgspec
from msgspec.structs import fields

from ..contract.values import Json, Value
from . import VERSIONS
from .methods import FROM_ADAPTER, FROM_HARNESS, Method, Side

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_ABOUT = """\
Every message of the protocol, version {version}. This is the schema of a line; `$defs/HarnessLine`
and `$defs/AdapterLine` are the lines of each side. `methods` names for each method its caller, its params, its result
unless it is a notification, and its roles; with `capability`, the method comes only where the adapter declares that
capability; with `nested`, only within a call of the adapter's. An absent field has its `default`, or no value; null
means absent where the schema allows null. Ignore fields that are not in this schema."""
_PREFIX: dict[Side, str] = {"harness": "h", "adapter": "a"}


def page() -> str:
    """The page for implementers of adapters."""
    return (resources.files(__package__ or "") / "README.md").read_text(encoding="utf-8")


def schema_text() -> str:
    """The schema as JSON text."""
    return json.dumps(schema(), indent=1, ensure_ascii=False)


def schema() -> dict[str, Json]:
    """The schema: each line of a conversation, and the table of methods."""
    every = [*FROM_HARNESS.values(), *FROM_ADAPTER.values()]
    types: dict[type[Value], None] = {}
    for method in every:
        types |= dict.fromkeys(kind for kind in (method.params, method.result) if kind is not None)
    _, components = msgspec.json.schema_components(list(types), ref_template="#/$defs/{name}")
    shown = _reachable({kind.__name__ for kind in types}, _without_scripts(components))
    defs = {name: _worded(component) for name, component in sorted(shown.items())}
    return {
        "$schema": _DIALECT,
        "title": "The protocol of loopspec",
        "description": " ".join(_ABOUT.format(version=VERSIONS[0]).split()),
        "version": VERSIONS[0],
        "anyOf": [{"$ref": "#/$defs/HarnessLine"}, {"$ref": "#/$defs/AdapterLine"}],
        "methods": _methods(),
        "$defs": {
            "HarnessLine": _line("A line of the harness.", FROM_HARNESS.values()),
            "AdapterLine": _line("A line of an adapter.", FROM_ADAPTER.values()),
            "Answer": _reply("Answer", _ANSWER_IS, "result", "error", {"type": "object"}),
            "Refusal": _reply("Refusal", _REFUSAL_IS, "error", "result", _ERROR),
            **defs,
        },
    }


def _methods() -> dict[str, Json]:
    """The table; a method that both sides may call is in it once."""
    said = {name: _method(method) for name, method in FROM_HARNESS.items()}
    for name, method in FROM_ADAPTER.items():
        said[name] = {**said[name], "caller": "both"} if name in said else _method(method)
    return said


def _method(method: Method) -> dict[str, Json]:
    said: dict[str, Json] = {
        "meaning": method.meaning,
        "caller": method.caller,
        "kind": "notification" if method.result is None else "request",
        "nested": method.nested,
        "params": _ref(method.params),
    }
    if method.result is not None:
        said["result"] = _ref(method.result)
    said["roles"] = list(method.roles)
    if method.capability is not None:
        said["capability"] = method.capability
    return said


def _ref(kind: type[Value]) -> dict[str, Json]:
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _without_scripts(components: Mapping[str, Json]) -> dict[str, Json]:
    """The types without the fields that only the harness's doubles know."""
    kept = dict(components)
    for kind in _values(Value):
        if kind.scripted and kind.__name__ in kept:
            written = {one.encode_name for one in fields(kind) if one.name in kind.scripted}
            component = kept[kind.__name__]
            properties = {name: one for name, one in component["properties"].items() if name not in written}
            kept[kind.__name__] = {**component, "properties": properties}
    return kept


def _values(kind: type[Value]) -> Iterator[type[Value]]:
    for one in kind.__subclasses__():
        yield one
        yield from _values(one)


def _reachable(names: Set[str], components: Mapping[str, Json]) -> dict[str, Json]:
    """The types with these names, and those that their fields have."""
    found: dict[str, Json] = {}
    todo = set(names)
    while todo:
        found |= {name: components[name] for name in todo}
        todo = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps([components[name] for name in todo]))) - found.keys()
    return found


_VERSION: dict[str, Json] = {"const": "2.0"}
_ID: dict[str, Json] = {"type": "string", "pattern": "^[ha][1-9][0-9]*$"}
_ERROR: dict[str, Json] = {
    "type": "object",
    "properties": {"code": {"type": "integer"}, "message": {"type": "string"}, "data": {}},
    "required": ["code", "message"],
}


def _reply(title: str, about: str, has: str, lacks: str, schema: Json) -> dict[str, Json]:
    """A line that ends a request: it has one of two fields, and lacks the other one."""
    return {
        "title": title,
        "description": about,
        "type": "object",
        "properties": {"jsonrpc": _VERSION, "id": _ID, has: schema},
        "required": ["jsonrpc", "id", has],
        "not": {"anyOf": [{"required": ["method"]}, {"required": [lacks]}]},
    }


_ANSWER_IS = "The answer to the request with this id. `methods` names the type of its result."
_REFUSAL_IS = "An error of JSON-RPC instead of an answer: a program is broken."


def _line(about: str, methods: Iterable[Method]) -> dict[str, Json]:
    """One of each request and notification of a side, an answer, and a refusal."""
    calls = [_call(method) for method in methods]
    return {
        "description": about,
        "oneOf": [*calls, {"$ref": "#/$defs/Answer"}, {"$ref": "#/$defs/Refusal"}],
    }


def _call(method: Method) -> dict[str, Json]:
    required = ["jsonrpc", "method"]
    if msgspec.json.schema(method.params)["$defs"][method.params.__name__]["required"]:
        required.append("params")
    properties: dict[str, Json] = {
        "jsonrpc": _VERSION,
        "method": {"const": method.name},
        "params": _ref(method.params),
    }
    if method.result is None:
        return {"type": "object", "properties": properties, "required": required, "not": {"required": ["id"]}}
    properties["id"] = {"type": "string", "pattern": f"^{_PREFIX[method.caller]}[1-9][0-9]*$"}
    return {"type": "object", "properties": properties, "required": [*required, "id"]}


def _worded(component: Mapping[str, Json]) -> dict[str, Json]:
    """A type with its description in terms of the wire: field names as they are written, and null."""
    text = cleandoc(component.get("description", ""))
    paragraphs = [" ".join(one.split()) for one in text.split("\n\n") if not one.startswith("Scripted: ")]
    said = re.sub(r"\bNone\b", "null", "\n\n".join(paragraphs))
    said = re.sub(r"`([a-z]+(?:_[a-z]+)+)`", lambda found: _as_written(found, component), said)
    return {**component, "description": said}


def _as_written(found: re.Match[str], component: Mapping[str, Json]) -> str:
    first, *rest = found[1].split("_")
    name = first + "".join(part.capitalize() for part in rest)
    return f"`{name}`" if name in component.get("properties", ()) else found[0]
