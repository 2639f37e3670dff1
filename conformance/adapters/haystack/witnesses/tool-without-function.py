"""A tool without a function is not built, so no agent with such a tool runs."""

from haystack.tools import Tool

try:
    Tool("weather", "Look up the weather.", {"type": "object", "properties": {}})
except ValueError as error:
    print(error)

# Output:
# Tool 'weather' requires at least one of `function` or `async_function` to be set.
