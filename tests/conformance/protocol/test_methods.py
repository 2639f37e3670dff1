"""The table of methods: each signature of the contract becomes params and a result."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from types import NoneType
from typing import Literal, Protocol, get_args

import pytest
from msgspec.structs import fields

from loopspec.contract.doubles import Doubles, Inner, Recovery
from loopspec.contract.plugins import Strategy
from loopspec.contract.stage import Environment
from loopspec.contract.values import Error, Message, Value
from loopspec.protocol.adapter import Adapter
from loopspec.protocol.methods import FROM_ADAPTER, FROM_HARNESS, OF_ADAPTER, OF_INSIDE, Method, of_part

EVERY = [*FROM_HARNESS.values(), *FROM_ADAPTER.values()]
SIGNED = [method for method in EVERY if method.function is not None]


def own_fields(kind: type[Value]) -> dict[str, bool]:
    """The fields of a type that its base does not have, and whether they are required."""
    inherited = {one.name for one in fields(kind.__bases__[0])}
    return {one.name: one.required for one in fields(kind) if one.name not in inherited}


def every(kind: type[Value]) -> Iterator[type[Value]]:
    for one in kind.__subclasses__():
        yield one
        yield from every(one)


@pytest.mark.parametrize("method", SIGNED, ids=lambda method: method.name)
def test_each_parameter_is_a_field(method: Method) -> None:
    """A parameter without a default is required, unless an adapter may send None; what is served is no field."""
    assert method.function is not None
    _, *parameters = inspect.signature(method.function).parameters.values()
    wanted = {one.name: one.default is one.empty for one in parameters if one.name != method.inner}
    if method.caller == "adapter":
        types = {one.name: one.type for one in fields(method.params)}
        wanted |= {name: False for name in wanted if NoneType in get_args(types[name])}

    assert own_fields(method.params) == wanted
    assert bool(method.inner) == ("inner" in method.names)


def test_each_method_has_types_of_its_own() -> None:
    """The name of a type stands for no other type, in the schema or in the contract."""
    types = [kind for one in SIGNED for kind in (one.params, one.result) if kind is not None]
    made = [kind for kind in types if kind.__module__ == Method.__module__]
    names = {kind.__name__ for kind in made}

    assert {one.params for one in SIGNED} <= set(made)
    assert len(names) == len(made)
    assert {kind.__name__ for kind in every(Value) if kind not in made} & names == set()


def test_each_function_of_the_contract_has_its_method() -> None:
    """Apart from those that an adapter answers by itself, or that wrap a call."""
    contracts = {"doubles": Doubles, "recovery": Recovery, "environment": Environment}
    here = {"info", "outside", "read_now", "choose_languages"}

    for part, contract in contracts.items():
        assert of_part(part).keys() == _functions(contract) - here
    assert OF_ADAPTER.keys() == _functions(Adapter)
    assert OF_INSIDE.keys() == _functions(Inner)


def _functions(contract: type) -> set[str]:
    return {name for name in vars(contract) if not name.startswith("_") and callable(getattr(contract, name))}


class Contract(Protocol):
    """Functions that have no method."""

    def forms(
        self, one: int, error: BaseException | None, strategy: Strategy, many: Sequence[Message] | None
    ) -> Literal["a"]: ...

    def calls_back(self, back: Callable[[], None]) -> None: ...

    def pairs(self, pair: tuple[str, int]) -> None: ...

    def inside(self, many: list[dict[str, Path]]) -> None: ...

    async def returns(self) -> Path | None: ...


class Path:
    """A type that no message has a form for."""


def method_of(function: Callable[..., object]) -> Method:
    """A method of an adapter."""
    return Method("a/b", "doubles", function, ("agent",), caller="adapter")


def test_a_parameter_has_the_form_of_its_type() -> None:
    """Errors and strategies have forms of their own; a sequence is an array."""
    method = method_of(Contract.forms)

    assert {one.name: one.type for one in fields(method.params) if one.name in method.names} == {
        "one": int,
        "error": Error | None,
        "strategy": str,
        "many": tuple[Message, ...] | None,
    }
    may_be_left_out = [one.name for one in fields(method.params) if one.name in method.names and not one.required]
    assert may_be_left_out == ["error", "many"]
    assert method.result is not None
    assert [one.type for one in fields(method.result) if one.name == "value"] == [Literal["a"] | None]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (Contract.calls_back, "the parameter `back` of a/b is collections.abc.Callable[[], None]"),
        (Contract.pairs, "the parameter `pair` of a/b is tuple[str, int]"),
        (Contract.inside, f"the parameter `many` of a/b is {Path}"),
        (Contract.returns, f"the result of a/b is {Path}"),
    ],
)
def test_an_annotation_without_a_form_is_refused(function: Callable[..., object], said: str) -> None:
    """The sentence names the method and the parameter."""
    method = method_of(function)

    with pytest.raises(TypeError) as error:
        _ = method.params, method.result

    assert str(error.value) == f"{said}, which has no form in a message"
