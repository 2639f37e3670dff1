"""A run is interrupted in one process and resumed in another from its checkpoint."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

AGENT = textwrap.dedent(
    """
    import asyncio, sys
    from pathlib import Path
    import loopspec_reference as ref

    class Ask:
        info = ref.ToolInfo("ask")

        async def invoke(self, context, request):
            if context.resumed is None:
                ref.set_run_local_value("asked", request.arguments)
                raise ref.InterruptRun("what now?", {"step": 1})
            return f"{context.resumed.data} after {context.resumed.state['step']}"

    class Model:
        async def generate(self, request):
            last = request.messages[-1]
            if last.role == "user":
                return ref.Message.assistant("", [ref.ToolCall("c1", "ask", '{"q": 1}')])
            return ref.Message.assistant(f"{last.content}, {ref.get_run_local_value('asked')[0]}")

        async def stream(self, request):
            yield await self.generate(request)

    class Watch(ref.Handler):
        async def before_model(self, state, context):
            print("model call with", len(state.messages), "messages")
            return state

    parts = {"tools": [Ask()], "handlers": [Watch()], "instruction": "Be brief."}
    agent = ref.Agent(model=Model(), message_type=ref.Message, **parts)
    file = Path(sys.argv[1])

    async def main():
        if file.exists():
            events = agent.resume(file.read_bytes(), {"c1": "go on"})
        else:
            events = agent.run([ref.Message.user("hello")])
        async for event in events:
            match event:
                case ref.InterruptEvent():
                    file.write_bytes(event.checkpoint)
                    print("interrupted:", event.interrupts[0].info)
                case ref.MessageEvent():
                    print(event.message.role, event.message.text)
                case ref.ErrorEvent():
                    raise event.error

    asyncio.run(main())
    """
)


def test_a_run_continues_in_another_process(tmp_path: Path) -> None:
    """The answered model call is not repeated; run-local values, state and data are restored."""
    script, checkpoint = tmp_path / "agent.py", tmp_path / "checkpoint"
    script.write_text(AGENT, encoding="utf-8")

    def process() -> list[str]:
        """The sorted output: events are printed concurrently with the run, so the lines have no order."""
        done = subprocess.run([sys.executable, script, checkpoint], capture_output=True, text=True, check=True)
        return sorted(done.stdout.splitlines())

    assert process() == ["assistant ", "interrupted: what now?", "model call with 2 messages"]
    assert process() == [
        'assistant go on after 1, {"q": 1}',
        "model call with 4 messages",
        "tool go on after 1",
    ]
