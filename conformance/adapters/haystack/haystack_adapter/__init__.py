"""Haystack's agent as a target of the role agent: `py:haystack_adapter:Haystack`."""

from .core import Haystack as Haystack
