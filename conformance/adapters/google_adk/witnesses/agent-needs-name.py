"""The name of an agent is a Python identifier, so an agent without a name is not built."""

from google.adk.agents import LlmAgent
from pydantic import ValidationError

for settings in ({}, {"name": ""}, {"name": "my agent"}, {"name": "agent"}):
    try:
        LlmAgent(**settings)
        print(settings, "is built")
    except ValidationError as error:
        print(settings, error.errors()[0]["msg"])

# Output:
# {} Field required
# {'name': ''} Value error, Node name '' must be a valid Python identifier.
# {'name': 'my agent'} Value error, Node name 'my agent' must be a valid Python identifier.
# {'name': 'agent'} is built
