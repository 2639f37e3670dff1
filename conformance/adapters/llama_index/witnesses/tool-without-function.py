"""A tool without a function is not built."""

from llama_index.core.tools import FunctionTool, ToolMetadata

try:
    FunctionTool(metadata=ToolMetadata("Look up the weather.", "weather"))
except ValueError as error:
    print(error)

# Output:
# fn or async_fn must be provided.
