"""The system prompt is a Jinja2 template: single braces stay, and doubled braces are an expression."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from jinja2 import TemplateSyntaxError

from scripted import ASKED

for prompt in ("{} is an object.", "{{}} is an object.", "{% raw %}{{}}{% endraw %} is an object."):
    try:
        agent = Agent(chat_generator=MockChatGenerator(responses="done"), system_prompt=prompt)
        print(prompt, "->", agent.run(ASKED)["messages"][0].text)
    except TemplateSyntaxError as error:
        print(prompt, "->", type(error).__name__)

# Output:
# {} is an object. -> {} is an object.
# {{}} is an object. -> TemplateSyntaxError
# {% raw %}{{}}{% endraw %} is an object. -> {{}} is an object.
