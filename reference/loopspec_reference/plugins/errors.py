"""What can go wrong with plugin middlewares, by whose hand.

    PluginError (LoopError)
    ├── StrategyError (ValueError)         a strategy, or a middleware it made, cannot work
    ├── UnknownProviderError (LookupError) no strategy was registered for a provider
    ├── OptionsError (ValueError)          the options of a node do not fit what its strategy can be told
    ├── GraphError (ValueError)            a workflow is no graph that middlewares can be read from
    ├── StateError (ValueError)            what a session holds is no state of this middleware
    ├── ContextError (ValueError)          the context of a run lacks what a middleware reads, or has it in another form
    ├── HookError (TypeError)              a hook, a wrapper or a tool has returned what cannot be used
    └── JumpError (ValueError)             a jump to where the run cannot go, or from where it cannot

Every message names the thing, its place and the cure. What a hook raises comes out as it was raised.
"""

from __future__ import annotations

from ..values.errors import LoopError


class PluginError(LoopError):
    """The root of the errors of this package."""


class StrategyError(PluginError, ValueError):
    """A strategy, or a middleware it made, cannot work."""


class UnknownProviderError(PluginError, LookupError):
    """No strategy was registered for a provider (XP-REG-05)."""


class OptionsError(PluginError, ValueError):
    """The options of a node do not fit what its strategy can be told (XP-META-05)."""


class GraphError(PluginError, ValueError):
    """A workflow is no graph that middlewares can be read from."""


class StateError(PluginError, ValueError):
    """What a session holds is no state of this middleware, of this version at least."""


class ContextError(PluginError, ValueError):
    """The context of a run lacks what a middleware reads, or has it in another form (XP-CTX-04, XP-CTX-05)."""


class HookError(PluginError, TypeError):
    """A hook, a wrapper or a tool has returned what cannot be used."""


class JumpError(PluginError, ValueError):
    """A jump to where the run cannot go, to where its hook may not go, or from where there is no way on."""
