"""The needs of a scene: the roles that can perform it, and the capabilities that a target must declare for it."""

from .hooks import HOOKS
from .roles import needs_a_loop, serving_roles
from .scenes import needed_capabilities

__all__ = ["HOOKS", "needed_capabilities", "needs_a_loop", "serving_roles"]
