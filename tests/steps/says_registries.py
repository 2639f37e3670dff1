"""What the Thens about registries, factories and logs say yes and no to."""

from __future__ import annotations

from loopspec.contract.observation import Creation, Observation, Registered, Span
from loopspec.contract.plugins import StrategyMeta
from loopspec.contract.values import Error, Json

from .saying import FAILED, Says, both

NOTHING = Observation()
REFUSED = Observation(created=FAILED)


def listed(*providers: str, **more: Json) -> Observation:
    """What a registry lists."""
    meta = StrategyMeta(**{"name": "s", "label": {"en_US": "S"}, **more})
    return Observation(strategies=tuple(Registered(provider=provider, meta=meta) for provider in providers))


def looked_up(provider: str = "p1", error: str | None = None, **more: Json) -> Observation:
    """What a registry answers for one provider: metadata, or an error with this message."""
    if error is not None:
        failed = Error(kind="unknown_provider", message=error)
        return Observation(lookups=(Registered(provider=provider, error=failed),))
    meta = StrategyMeta(**{"name": "s", "label": {"en_US": "S"}, **more})
    return Observation(lookups=(Registered(provider=provider, meta=meta),))


def made(node: str = "m1", provider: str = "p1", agent: str = "agent", **options: Json) -> Observation:
    """One call of a factory."""
    return Observation(creations=(Creation(n=1, provider=provider, node=node, agent=agent, options=options),))


def spanned(*calls: tuple[str, int, int | None]) -> Observation:
    """Calls of doubles, and when they began and ended."""
    return Observation(spans=tuple(Span(n=n, name=name, agent="agent", run=None, ended=to) for name, n, to in calls))


META = '{"name": "s", "label": {"en_US": "S"}, "configSchema": {"type": "object"}}'
OBJECT = {"type": "object"}
LABELLED = {"x-label": {"en_US": "N"}}

REGISTRIES = (
    Says(
        "the registry lists p1, p2",
        listed("p2", "p1"),
        (listed("p1"), listed("p1", "p2", "p3"), listed("p1", "p2", "p2"), REFUSED, NOTHING),
    ),
    Says("the registry lists nothing", NOTHING, (listed("p1"), listed("nothing"))),
    Says(
        "among others, the registry lists p1, p2",
        listed("p3", "p2", "p1"),
        (listed("p1", "p3"), looked_up("p1"), REFUSED, NOTHING),
    ),
    Says("the registry does not list p1, p2", listed("p3"), (listed("p3", "p2"), listed("p1"))),
    Says(
        "loading the modules fails, and no strategy is listed",
        Observation(created=Error(kind="strategy")),
        (
            REFUSED,
            both(Observation(created=Error(kind="strategy")), listed("p1")),
            looked_up(error="no"),
            NOTHING,
        ),
    ),
    Says(
        'the strategy "p1" is rejected',
        looked_up(error="no"),
        (looked_up(), both(looked_up(), looked_up("p2", error="no")), listed("p1"), NOTHING),
    ),
    Says('the strategy "p2" is rejected', REFUSED, (looked_up("p2"), looked_up("p1", error="no"))),
    Says(
        'looking up "p1" returns the metadata',
        looked_up(config_schema=OBJECT),
        (
            looked_up(),
            looked_up(name="t", config_schema=OBJECT),
            looked_up(label={"en_US": "S", "zh_Hans": "S"}, config_schema=OBJECT),
            looked_up(icon="i", config_schema=OBJECT),
            looked_up(description={"en_US": "d"}, config_schema=OBJECT),
            looked_up("p2", config_schema=OBJECT),
            looked_up(error="no"),
            REFUSED,
            NOTHING,
        ),
        META,
    ),
    Says(
        'looking up "p1" returns the label "S"',
        looked_up(),
        (
            looked_up(label={"zh_Hans": "S"}),
            looked_up(label={"en_US": "T"}),
            looked_up("p2"),
            looked_up(error="S"),
            NOTHING,
        ),
    ),
    Says(
        'looking up "p1" fails with an error that names "p2"',
        looked_up(error="neither p2 nor p3"),
        (looked_up(error="no"), looked_up(), looked_up("p2", error="p2"), NOTHING),
    ),
    Says('looking up "p1" fails', looked_up(error=""), (looked_up(), looked_up("p2", error="no"), REFUSED, NOTHING)),
    Says(
        "each strategy has a label and a name",
        listed("p1", "p2"),
        (
            listed("p1", name=""),
            listed("p1", label={}),
            both(listed("p1"), listed("p2", label={})),
            Observation(strategies=(Registered(provider="p1"),)),
            REFUSED,
            NOTHING,
        ),
    ),
    Says(
        "each config schema is complete, with labels in the languages of its strategy",
        both(
            listed("p1"),
            listed("p2", config_schema={"properties": {"n": LABELLED, "m": {"$ref": "#/$defs/M"}}, "$defs": {"M": {}}}),
        ),
        (
            listed("p1", config_schema={"properties": {"m": {"$ref": "#/$defs/M"}}}),
            listed("p1", config_schema={"properties": {"m": {"$ref": "M#/$defs/M"}}, "$defs": {"M": {}}}),
            listed("p1", config_schema={"anyOf": [{"x-label": {"zh_Hans": "S"}}]}),
            listed("p1", config_schema={"properties": {"n": {"x-label": {"en_US": "N", "zh_Hans": "S"}}}}),
            listed("p1"),
            REFUSED,
            NOTHING,
        ),
    ),
)

FACTORIES = (
    Says(
        "the factories are called with",
        both(made("m2", "p2", a=1), made("m1", agent="helper")),
        (
            both(made("m1", agent="helper"), made("m2", "p2", a=1)),
            both(made("m2", "p2", a=1), made("m1")),
            both(made("m2", "p2"), made("m1", agent="helper")),
            both(made("m2", "p3", a=1), made("m1", agent="helper")),
            both(made("m3", "p2", a=1), made("m1", agent="helper")),
            made("m2", "p2", a=1),
            REFUSED,
            NOTHING,
        ),
        [
            ["node", "provider", "agent", "options"],
            ["m2", "p2", "agent", '{"a": 1}'],
            ["m1", "p1", "helper", "{}"],
        ],
    ),
    Says(
        "the factories are called with",
        made("m1", "p7"),
        (made("m2"), both(made(), made()), REFUSED),
        [["node"], ["m1"]],
    ),
    Says("no factory is called", NOTHING, (made(), both(made(), made()))),
    Says(
        "each factory has returned before the next one is called",
        spanned(("create m1", 1, 3), ("model model", 2, 9), ("create m2", 3, 5), ("create m3", 6, None)),
        (
            spanned(("create m1", 1, 3), ("create m2", 2, 5)),
            spanned(("create m1", 1, None), ("create m2", 2, 5)),
            spanned(("create m1", 1, 2), ("create m2", 2, 7), ("create m3", 6, 7)),
            spanned(("create m1", 1, 3)),
            spanned(("create m1", 1, 3), ("model m2", 4, 5)),
            REFUSED,
            NOTHING,
        ),
    ),
)

LOGS = (
    Says(
        'a warning that names "p1" is logged',
        Observation(log=("other", "the strategy p1 is poor")),
        (Observation(log=("p2",)), Observation(stuck=("p1",)), NOTHING),
    ),
    Says("no warning is logged", NOTHING, (Observation(log=("",)), Observation(log=("p1", "p2")))),
)

SAYINGS = (*REGISTRIES, *FACTORIES, *LOGS)
