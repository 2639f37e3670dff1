"""The errors of the plugin layer.

Every message names the thing, its place and the cure. Exceptions of hooks are passed on unchanged.
"""

from __future__ import annotations

from ..values.errors import LoopError


class PluginError(LoopError):
    """The root of the errors of this package."""


class StrategyError(PluginError, ValueError):
    """A strategy, or a middleware that it made, cannot work."""


class UnknownProviderError(PluginError, LookupError):
    """No strategy is registered for a provider (XP-REG-05)."""


class OptionsError(PluginError, ValueError):
    """The options of a node do not fit its strategy (XP-META-05)."""


class GraphError(PluginError, ValueError):
    """A workflow is not a valid graph."""


class StateError(PluginError, ValueError):
    """A session holds an invalid state of a middleware, for example one of another version."""


class ContextError(PluginError, ValueError):
    """The context of a run does not fit the context schema of a middleware (XP-CTX-04, XP-CTX-05)."""


class HookError(PluginError, TypeError):
    """A hook, a wrapper or a tool returned an invalid value."""


class JumpError(PluginError, ValueError):
    """A jump has an unknown target, a target that its hook does not declare, or comes from a hook after the agent."""
