"""An equal call with the id of an earlier one is omitted, and its answer is final; a different call is an error."""

from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)
runs = []


@function_tool
def search(page: int) -> str:
    """Search."""
    runs.append(page)
    return f"found {page}"


for pages in ((1, 1), (1, 2)):
    runs.clear()
    calls = [[assistant_message("I look."), function_call("search", {"page": page}, call_id="s")] for page in pages]
    model = ScriptedModel([*calls, [assistant_message("done")]])
    try:
        end = Runner.run_sync(Agent("agent", model=model, tools=[search]), "hi").final_output
    except Exception as error:
        end = type(error).__name__
    print(f"pages {pages}: {len(model.calls)} model calls, {end}, runs {runs}")

# Output:
# pages (1, 1): 2 model calls, I look., runs [1]
# pages (1, 2): 2 model calls, ModelBehaviorError, runs [1]
