"""Of two middleware tools with one name, the model receives and calls the last one."""

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool

from scripted import Scripted, call


def search(result):
    return StructuredTool.from_function(lambda: result, name="search", description="Search.")


class First(AgentMiddleware):
    tools = [search("first")]


class Second(AgentMiddleware):
    tools = [search("second")]


class Both(AgentMiddleware):
    tools = [search("first"), search("second")]


for middleware in [First(), Second()], [Second(), First()], [Both()]:
    model = Scripted(AIMessage("", tool_calls=[call("search")]), AIMessage("done"))
    state = create_agent(model, middleware=middleware).invoke({"messages": "hi"})
    print(model.tools[0], [message.text for message in state["messages"]])

# Output:
# ['search'] ['hi', '', 'second', 'done']
# ['search'] ['hi', '', 'first', 'done']
# ['search'] ['hi', '', 'second', 'done']
