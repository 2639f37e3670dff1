"""Judges LangChain's own `create_agent`."""

from .core import LangChain

__all__ = ["LangChain"]
