"""Then: the registry, the factories, and the states of middlewares."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise

from loopspec.contract.calls import View
from loopspec.contract.mismatch import Mismatch, expect, shown
from loopspec.contract.observation import Creation, Observation, Registered
from loopspec.contract.values import Json

from ..cells import OBJECT, TEXT, as_object, names
from ..declarations import SeenColumn, SeenColumns, Table
from ..hooks import HOOKS_IN_ORDER, hook_of
from ..phrasebook import then, waives
from .failures import expect_kind
from .hooks import call_at
from .observed import end_of, errors_of, success_of


@then("the registry lists {providers}")
def registry_lists(seen: Observation, providers: str) -> None:
    """The registry lists exactly these providers, in any order."""
    expect("the providers", sorted(names(providers)), sorted(one.provider for one in seen.strategies))


@then("among others, the registry lists {providers}")
def registry_lists_at_least(seen: Observation, providers: str) -> None:
    """The registry lists these providers, and may list others."""
    listed = [one.provider for one in seen.strategies]
    expect("the providers that are missing", [], [one for one in names(providers) if one not in listed])


@then("the registry does not list {providers}")
def registry_does_not_list(seen: Observation, providers: str) -> None:
    """The registry lists none of these providers."""
    listed = [one.provider for one in seen.strategies]
    expect("the providers that are listed though they should not", [], [p for p in names(providers) if p in listed])


@then("loading the modules fails, and no strategy is listed")
@waives("runs")
def modules_are_refused(seen: Observation) -> None:
    """Loading the modules fails with the error of a strategy that cannot work, and the registry lists no strategy."""
    expect_kind("the kind of the error of loading the modules", "strategy", seen.created)
    expect("the providers", [], [one.provider for one in seen.strategies])


@then('the strategy "{provider}" is rejected')
@waives("runs")
def strategy_is_refused(seen: Observation, provider: str) -> None:
    """Loading the module fails with an error, or looking up the provider does."""
    if seen.created is None and _looked_up(seen, provider).error is None:
        raise Mismatch(f"registering the strategy {provider!r}", "an error", "no error")


@then('looking up "{provider}" returns the metadata')
def metadata_is(seen: Observation, provider: str, docstring: str) -> None:
    """The metadata in the registry has these JSON fields: `name`, `label`, `icon`, `description`, `configSchema`."""
    found = _looked_up(seen, provider)
    if found.meta is None:
        raise Mismatch(f"the metadata of {provider!r}", as_object(docstring), found.error)
    meta = found.meta
    values = {
        "name": meta.name,
        "label": meta.label,
        "icon": meta.icon,
        "description": meta.description,
        "configSchema": meta.config_schema,
    }
    expect("the metadata", as_object(docstring), {key: value for key, value in values.items() if value})


@then('looking up "{provider}" returns the label "{label}"')
def label_is(seen: Observation, provider: str, label: str) -> None:
    """The English label in the registry."""
    found = _looked_up(seen, provider)
    expect("the label", label, found.meta.label.get("en_US") if found.meta else found.error)


@then('looking up "{provider}" fails with an error that names "{name}"')
def lookup_fails(seen: Observation, provider: str, name: str) -> None:
    """Looking up the provider fails with an error whose message contains the name."""
    found = _looked_up(seen, provider)
    if found.error is None or name not in found.error.message:
        raise Mismatch(f"looking up {provider!r}", f"an error that names {name!r}", found.error or "no error")


@then('looking up "{provider}" fails')
def lookup_fails_somehow(seen: Observation, provider: str) -> None:
    """Looking up the provider fails with an error of any kind."""
    found = _looked_up(seen, provider)
    if found.error is None:
        raise Mismatch(f"looking up {provider!r}", "an error", "no error")


def _looked_up(seen: Observation, provider: str) -> Registered:
    for one in seen.lookups:
        if one.provider == provider:
            return one
    answered = [f"an answer for {one.provider!r}" for one in seen.lookups]
    raise Mismatch(f"looking up {provider!r}", "an answer", answered)


@then("each strategy has a label and a name")
def each_has_metadata(seen: Observation) -> None:
    """Every listed strategy has a name and a label, and at least one strategy is listed."""
    if not seen.strategies:
        raise Mismatch("the strategies", "at least one", "none")
    poor = [one.provider for one in seen.strategies if not (one.meta and one.meta.name and one.meta.label)]
    expect("the strategies without a name or a label", [], poor)


FACTORY_CALLS: SeenColumns[Creation] = SeenColumns(
    "factory calls",
    "The calls of strategies' factories, one per row.",
    SeenColumn("node", "The key of the node that the middleware is made for.", TEXT, lambda call: call.node),
    SeenColumn("provider", "The provider whose strategy is called.", TEXT, lambda call: call.provider),
    SeenColumn("agent", "The name of the agent that the middleware is made for.", TEXT, lambda call: call.agent),
    SeenColumn("options", "The options that the factory receives.", OBJECT, lambda call: call.options),
)


@then("the factories are called with", FACTORY_CALLS)
def factories(seen: Observation, table: Table) -> None:
    """All calls of factories in order, in the columns of the table."""
    wanted = [{name: FACTORY_CALLS[name].holds.read(cell) for name, cell in row.items()} for row in table]
    found = [{name: FACTORY_CALLS[name].shows(call) for name in table[0]} for call in seen.creations]
    if found != wanted:
        raise Mismatch("the factories called", [row_text(one) for one in wanted], list(map(row_text, found)))


def row_text(cells: Mapping[str, object]) -> str:
    """The cells of a row, as a mismatch shows them."""
    return " | ".join(shown(cell) for cell in cells.values())


@then("no factory is called")
def no_factory(seen: Observation) -> None:
    """No factory is called for any node."""
    expect("the factories called", [], [creation.node for creation in seen.creations])


@then("each factory has returned before the next one is called")
def factories_in_turn(seen: Observation) -> None:
    """The calls of factories do not overlap, and there are at least two."""
    spans = [span for span in seen.spans if span.name.startswith("create ")]
    if len(spans) < 2:
        raise Mismatch("the factories", "at least two are called", [span.name for span in spans])
    overlapping = [
        f"{one.name} and {other.name}" for one, other in pairwise(spans) if one.ended is None or one.ended > other.n
    ]
    expect("the factories that overlap", [], overlapping)


@then('{where:Where}, "{name}" sees the state {state}')
def sees_state(seen: Observation, where: str, name: str, state: str) -> None:
    """The middleware's own state, as its hook receives it, has these fields. Other fields are not compared."""
    expect_fields("the state", as_object(state), _view(seen, where, name).own)


@then('{where:Where}, "{name}" sees no "{key}" in its state')
def sees_no_field(seen: Observation, where: str, name: str, key: str) -> None:
    """The middleware's own state, as its hook receives it, has no value under the key."""
    found = _view(seen, where, name).own.get(key)
    expect(f"the field {key!r} of the state", None, found)


@then('building the agent fails, or {where:Where}, "{name}" sees the state {state}')
@waives("runs")
def refused_or_sees_state(seen: Observation, where: str, name: str, state: str) -> None:
    """The state that the hook receives has these fields, unless building the agent fails, or the run fails before any
    hook or model is called.
    """
    if errors_of(seen) and not seen.hooks and not seen.model_calls:
        return
    sees_state(seen, where, name, state)


@then('{where:Where}, "{name}" sees the runtime context {context}')
def sees_context(seen: Observation, where: str, name: str, context: str) -> None:
    """The runtime context that the hook can read has these fields. Other fields are not compared."""
    expect_fields("the runtime context", as_object(context), _view(seen, where, name).context or {})


@then('{where:Where}, "{name}" sees no "{key}" in the runtime context')
def sees_no_context(seen: Observation, where: str, name: str, key: str) -> None:
    """The runtime context that the hook receives has no value under the key."""
    expect(f"{key!r} in the runtime context", None, (_view(seen, where, name).context or {}).get(key))


def _view(seen: Observation, where: str, name: str) -> View:
    return call_at(seen, name, where).view or View()


def expect_fields(what: str, wanted: Mapping[str, Json], found: Mapping[str, Json]) -> None:
    """The fields that are wanted, and what is found of them."""
    expect(what, dict(wanted), {key: found[key] for key in wanted if key in found})


@then('the runtime context that "{name}" sees never changes')
def context_is_read_only(seen: Observation, name: str) -> None:
    """All hooks of the middleware receive the same runtime context in all runs, and at least two are called."""
    calls = [call for call in seen.hooks if call.handler == name]
    if len(calls) < 2:
        raise Mismatch(f"how often {name} is called", "at least 2", len(calls))
    views = [call.view.context if call.view else None for call in calls]
    expect("the runtime contexts that differ", [], [view for view in views if view != views[0]])


@then("afterwards the state includes {state}")
def final_state(seen: Observation, state: str) -> None:
    """The states of the middlewares after run 1 have these fields. Other fields are not compared."""
    expect_fields("the state afterwards", as_object(state), end_of(seen, 1).state)


@then('afterwards the state has no "{key}"')
def final_state_lacks(seen: Observation, key: str) -> None:
    """Run 1 succeeds, and the states of the middlewares have no value under the key."""
    expect(f"the field {key!r} afterwards", None, success_of(seen, 1).state.get(key))


@then("afterwards the state contains the texts {texts}")
def final_state_contains(seen: Observation, texts: str) -> None:
    """The states of the middlewares after run 1 contain each text, in any field and form."""
    kept = list(_texts(success_of(seen, 1).state))
    expect(
        "the texts missing from the state", [], [text for text in names(texts) if not any(text in one for one in kept)]
    )


def _texts(value: Json) -> Iterator[str]:
    """All texts in a value; names of fields are none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


@then('no stored state of run 1 contains "{text}"')
def nothing_left_says(seen: Observation, text: str) -> None:
    """The state, the session and the checkpoint after run 1 do not contain the text.

    The run succeeds or is interrupted. An interrupted run has a checkpoint.
    """
    end = success_of(seen, 1)
    left = json.dumps([end.state, end.session], ensure_ascii=False)
    if text in left:
        raise Mismatch("the state and the session after run 1", f"without {text!r}", left)
    if end.interrupted and end.checkpoint is None:
        raise Mismatch("the checkpoint of run 1", "there is one", "none")
    if text.encode() in (end.checkpoint or b""):
        raise Mismatch("the checkpoint of run 1", f"without {text!r}", (end.checkpoint or b"").decode(errors="replace"))


@then('the hooks of "{name}" are, in this order, {hooks}', hooks=HOOKS_IN_ORDER)
def hooks_in_order(seen: Observation, name: str, hooks: str) -> None:
    """All calls of the middleware's hooks in all runs, in order."""
    called = [call.hook for call in seen.hooks if call.handler == name]
    expect(f"the hooks of {name}", list(HOOKS_IN_ORDER.read(hooks)), called)


@then("{hook:Where}, the middlewares are called in the order {order}")
def middlewares_in_order(seen: Observation, hook: str, order: str) -> None:
    """All calls of the hook in run 1, in order, of any middleware."""
    wanted = hook_of(hook)
    called = [call.handler for call in seen.hooks if call.hook == wanted and call.run == "1"]
    expect(f"the middlewares called {wanted}", list(names(order)), called)


@then("{hook:Where}, no middleware is called")
def no_middleware(seen: Observation, hook: str) -> None:
    """The run succeeds, and no middleware is called in the hook."""
    success_of(seen, 1)
    expect(f"the middlewares called {hook}", [], [call.handler for call in seen.hooks if call.hook == hook_of(hook)])


@then('a warning that names "{name}" is logged')
def warning_logged(seen: Observation, name: str) -> None:
    """The default log of the implementation has a line with the name."""
    if not any(name in line for line in seen.log):
        raise Mismatch("the log", f"a line that names {name}", seen.log)


@then("no warning is logged")
def no_warning_logged(seen: Observation) -> None:
    """The default log of the implementation has no warning. Lines of lower levels do not count."""
    expect("the warnings in the log", [], list(seen.log))
