"""LlamaIndex's agent as a target of the role agent: `py:llama_index_adapter:LlamaIndex`."""

from .core import LlamaIndex as LlamaIndex
