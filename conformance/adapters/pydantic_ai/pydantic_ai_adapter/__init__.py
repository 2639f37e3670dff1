"""pydantic-ai as a target of the role agent: `py:pydantic_ai_adapter:PydanticAI`."""

from .core import PydanticAI

__all__ = ["PydanticAI"]
