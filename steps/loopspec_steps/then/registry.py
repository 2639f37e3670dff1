"""Then: the registry, the strategies and the factories."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import asdict

from loopspec.contract.mismatch import Mismatch, expect, shown
from loopspec.contract.observation import Creation, Observation, Registered
from loopspec.contract.values import Json

from ..cells import OBJECT, TEXT, as_object, names
from ..declarations import SeenColumn, SeenColumns, Table
from ..phrasebook import then
from .observed import expect_kind, expect_names, parts_of, require


def _listed(seen: Observation) -> list[str]:
    return [one.provider for one in seen.strategies]


@then("the registry lists {providers}")
def registry_lists(seen: Observation, providers: str) -> None:
    """The registry lists exactly these providers, in any order."""
    expect_names("the providers", providers, _listed(seen), sort=True)


@then("among others, the registry lists {providers}")
def registry_lists_among_others(seen: Observation, providers: str) -> None:
    """The registry lists these providers, and may list others."""
    missing = [provider for provider in names(providers) if provider not in _listed(seen)]
    expect("the providers that are missing", [], missing)


@then("the registry does not list {providers}")
def registry_does_not_list(seen: Observation, providers: str) -> None:
    """The registry lists none of these providers."""
    wrong = [provider for provider in names(providers) if provider in _listed(seen)]
    expect("the providers that are listed though they should not", [], wrong)


@then("loading the modules fails, and no strategy is listed", waives={"runs"})
def loading_the_modules_fails(seen: Observation) -> None:
    """Loading the modules fails with the error of a strategy that cannot work, and the registry lists no strategy."""
    expect_kind("the kind of the error of loading the modules", "strategy", seen.created)
    expect("the providers", [], _listed(seen))


@then('the strategy "{provider}" is rejected', waives={"runs"})
def strategy_is_rejected(seen: Observation, provider: str) -> None:
    """Loading the module fails with an error, or looking up the provider does."""
    error = seen.created or _looked_up(seen, provider).error
    require(error is not None, f"registering the strategy {provider!r}", "an error", "no error")


@then('looking up "{provider}" returns the metadata')
def lookup_returns_metadata(seen: Observation, provider: str, docstring: str) -> None:
    """The metadata has these JSON fields: `name`, `label`, `icon`, `description`, and `configSchema` only if given."""
    found, wanted = _looked_up(seen, provider), as_object(docstring)
    if found.meta is None:
        raise Mismatch(f"the metadata of {provider!r}", wanted, found.error)
    values = {"configSchema" if key == "config_schema" else key: value for key, value in asdict(found.meta).items()}
    compared = wanted.keys() | values.keys() - {"configSchema"}
    expect("the metadata", wanted, {key: value for key, value in values.items() if value and key in compared})


@then('looking up "{provider}" returns a config schema with the properties {parts}')
def lookup_returns_properties(seen: Observation, provider: str, parts: str) -> None:
    """The config schema in the registry declares exactly these properties, in any order."""
    meta = _looked_up(seen, provider).meta
    declared = ((meta and meta.config_schema) or {}).get("properties")
    expect_names("the properties", parts, list(declared) if isinstance(declared, dict) else [], sort=True)


@then('looking up "{provider}" returns the label "{label}"')
def lookup_returns_label(seen: Observation, provider: str, label: str) -> None:
    """The English label in the registry."""
    found = _looked_up(seen, provider)
    expect("the label", label, found.meta.label.get("en_US") if found.meta else found.error)


@then('looking up "{provider}" fails with an error that names "{name}"')
def lookup_fails_naming(seen: Observation, provider: str, name: str) -> None:
    """Looking up the provider fails with an error whose message contains the name."""
    error = _looked_up(seen, provider).error
    named = error is not None and name in error.message
    require(named, f"looking up {provider!r}", f"an error that names {name!r}", error or "no error")


@then('looking up "{provider}" fails')
def lookup_fails(seen: Observation, provider: str) -> None:
    """Looking up the provider fails with an error of any kind."""
    require(_looked_up(seen, provider).error is not None, f"looking up {provider!r}", "an error", "no error")


def _looked_up(seen: Observation, provider: str) -> Registered:
    for one in seen.lookups:
        if one.provider == provider:
            return one
    answered = [f"an answer for {one.provider!r}" for one in seen.lookups]
    raise Mismatch(f"looking up {provider!r}", "an answer", answered)


@then("each strategy has a label and a name")
def each_strategy_has_label_and_name(seen: Observation) -> None:
    """Every listed strategy has a name and a label, and at least one strategy is listed."""
    require(seen.strategies, "the strategies", "at least one", "none")
    poor = [one.provider for one in seen.strategies if not (one.meta and one.meta.name and one.meta.label)]
    expect("the strategies without a name or a label", [], poor)


@then("each config schema is complete, with labels in the languages of its strategy")
def each_config_schema_is_complete(seen: Observation) -> None:
    """Every reference in a listed config schema resolves, and every `x-label` has the languages of the strategy's
    label. At least one strategy has a schema.
    """
    schemas = {one.provider: one.meta for one in seen.strategies if one.meta and one.meta.config_schema}
    require(schemas, "the config schemas", "at least one", _listed(seen))
    for provider, meta in schemas.items():
        found = [part for part in parts_of(meta.config_schema) if isinstance(part, dict)]
        lost = [part["$ref"] for part in found if "$ref" in part and not _leads(part["$ref"], meta.config_schema)]
        expect(f"the references in the schema of {provider} that lead nowhere", [], lost)
        labels = [part["x-label"] for part in found if "x-label" in part]
        wanted = sorted(meta.label)
        expect(f"the labels of {provider} in other languages", [], [one for one in labels if sorted(one) != wanted])


def _leads(reference: str, schema: Json) -> bool:
    """Whether a reference leads to a part of the schema itself."""
    start, *path = reference.split("/")
    for step in path:
        schema = schema.get(step) if isinstance(schema, dict) else None
    return start == "#" and isinstance(schema, dict)


FACTORY_CALLS: SeenColumns[Creation] = SeenColumns(
    "factory calls",
    "The calls of strategies' factories, one per row.",
    SeenColumn("node", "The key of the node that the middleware is made for.", TEXT),
    SeenColumn("provider", "The provider whose strategy is called.", TEXT),
    SeenColumn("agent", "The name of the agent that the middleware is made for.", TEXT),
    SeenColumn("options", "The options that the factory receives.", OBJECT),
)


@then("the factories are called with", FACTORY_CALLS)
def factories_are_called_with(seen: Observation, table: Table) -> None:
    """All calls of factories in order, in the columns of the table."""
    wanted = [[FACTORY_CALLS[name].holds.read(cell) for name, cell in row.items()] for row in table]
    found = [[FACTORY_CALLS[name].value(call) for name in table[0]] for call in seen.creations]
    if found != wanted:
        raise Mismatch("the factories called", list(map(_line, wanted)), list(map(_line, found)))


def _line(cells: list[object]) -> str:
    return " | ".join(map(shown, cells))


@then("no factory is called")
def no_factory_is_called(seen: Observation) -> None:
    """No factory is called for any node."""
    expect("the factories called", [], [creation.node for creation in seen.creations])


@then("each factory has returned before the next one is called")
def factories_are_called_in_turn(seen: Observation) -> None:
    """The calls of factories do not overlap, and there are at least two."""
    spans = [span for span in seen.spans if span.name.startswith("create ")]
    require(len(spans) >= 2, "the factories", "at least two are called", [span.name for span in spans])
    overlapping = [
        f"{one.name} and {other.name}" for one, other in pairwise(spans) if one.ended is None or one.ended > other.n
    ]
    expect("the factories that overlap", [], overlapping)
