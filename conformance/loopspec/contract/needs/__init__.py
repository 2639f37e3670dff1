"""The needs of a scene: the roles that can perform it, and the capabilities that a target must declare for it."""

from .agents import KEEPS
from .hooks import CAPABILITY_OF_HOOK
from .roles import needs_a_loop, serving_roles
from .scenes import needed_capabilities

__all__ = ["CAPABILITY_OF_HOOK", "KEEPS", "needed_capabilities", "needs_a_loop", "serving_roles"]
