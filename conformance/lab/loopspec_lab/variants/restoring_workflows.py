"""The steps that restore an observation of a scene with other strategies or other nodes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from msgspec.structs import replace

from loopspec.contract.observation import Observation
from loopspec.contract.values import Error


@dataclass(frozen=True)
class WithOtherWords:
    """Changes what an implementation says in its own words: the log, and the messages of errors. Removes no entry."""

    change: Callable[[str], str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with the other words."""

        def of_error(error: Error) -> Error:
            return replace(error, message=self.change(error.message))

        lookups = tuple(
            replace(one, error=of_error(one.error)) if one.error is not None else one for one in seen.lookups
        )
        return replace(
            seen,
            created=of_error(seen.created) if seen.created is not None else None,
            log=tuple(map(self.change, seen.log)),
            lookups=lookups,
        )


@dataclass(frozen=True)
class WithoutProviders:
    """Removes added providers from those that a registry lists."""

    providers: Collection[str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the providers."""
        return replace(seen, strategies=tuple(one for one in seen.strategies if one.provider not in self.providers))


@dataclass(frozen=True)
class WithoutCreations:
    """Removes the calls of factories for added nodes or added agents."""

    nodes: Collection[str] = ()
    agents: Collection[str] = ()

    def __call__(self, seen: Observation) -> Observation:
        """The observation without the calls."""
        return replace(
            seen,
            creations=tuple(
                one for one in seen.creations if one.node not in self.nodes and one.agent not in self.agents
            ),
            spans=tuple(
                span
                for span in seen.spans
                if not (span.name.startswith("create ") and (span.name[7:] in self.nodes or span.agent in self.agents))
            ),
        )
